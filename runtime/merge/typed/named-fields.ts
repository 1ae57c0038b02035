/** Adds to a path set the containers that the schema names and that the set has parts of. */
import { type FieldSet, fieldSet } from '../fieldpath/field-set.js';
import { fieldName, type PathElement } from '../fieldpath/path-element.js';
import { DEDUCED, type TypePlan } from './type-plan.js';

/**
 * The set with every named member that it only has parts of. Removal needs it: a configuration owns `spec.replicas`
 * and not `spec`, yet `spec` goes when nobody owns a part of it any more. Metadata never goes.
 */
export function withNamedFields(type: TypePlan | undefined, set: FieldSet): FieldSet {
  return fieldSet(set.owned, namedChildren(type, set));
}

/** Where no schema says more, nothing below is named; how deep named fields lie is bounded by their schema. */
function namedChildren(type: TypePlan | undefined, set: FieldSet): ReadonlyMap<PathElement, FieldSet> {
  if (set.children.size === 0 || type === undefined || type === DEDUCED) return set.children;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = fieldName(element);
    const field = name === undefined ? undefined : type.map?.fields.get(name);
    const inner = field?.type ?? (name === undefined ? type.list?.items : type.map?.values);
    const named = field !== undefined && field.tracking === 'all';
    children.set(element, fieldSet(child.owned || named, namedChildren(inner, child)));
  }
  return children;
}
