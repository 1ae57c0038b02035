/** Which fields a write through a resource or one of its subresources cannot change. */
import type { Subresource } from '../../contract/index.js';
import { type FieldSet, fieldSet, fieldSetOf, LEAF } from '../fieldpath/field-set.js';
import { fieldElement, type PathElement } from '../fieldpath/path-element.js';
import type { TypedPlan, TypePlan } from '../typed/type-plan.js';

/**
 * The reset fields of writes to a resource version: the status for the object itself where that is a subresource, all
 * but what it writes for a subresource. Metadata is never among them. Made once per resource version and subresource.
 * @param subresource its name; empty for the object itself.
 */
export function resetFieldsFor(plan: TypedPlan, subresources: readonly Subresource[], subresource: string): FieldSet {
  if (subresource === '') {
    const status = subresources.some(({ name }) => name === 'status');
    return fieldSetOf(status ? [[fieldElement('status')]] : []);
  }
  const writes = subresources.find(({ name }) => name === subresource)?.writes ?? [];
  return fieldSet(false, outside(plan.root, writes.map((path) => path.split('.'))));
}

/** Every named member but those on the way to the given paths and below them. */
function outside(type: TypePlan, kept: readonly (readonly string[])[]): Map<PathElement, FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const [name, field] of type.map?.fields ?? []) {
    if (field.tracking !== 'all') continue;
    const below = kept.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.length === 0) children.set(field.element, LEAF);
    else if (below.every((path) => path.length > 0)) children.set(field.element, fieldSet(false, outside(field.type, below)));
  }
  return children;
}
