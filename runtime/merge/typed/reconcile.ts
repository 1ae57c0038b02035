/** Brings path sets that were written under an earlier schema into the shape of the present one. */
import { type FieldSet, fieldSet, LEAF } from '../fieldpath/field-set.js';
import { fieldName, type PathElement } from '../fieldpath/path-element.js';
import type { TypePlan } from './type-plan.js';

/**
 * A part that was granular and is atomic now is owned as a whole by all who owned some of it. The other way round
 * nothing can be told: the owner of the whole keeps just that path, and later writes of parts conflict with nobody.
 * Only the parts of a plan that have something atomic are looked at; the set itself is returned where nothing changes.
 */
export function reconcile(type: TypePlan, set: FieldSet): FieldSet {
  if (!type.hasAtomicParts || set.children.size === 0) return set;
  const { map, list } = type;
  if (map?.atomic || (map === undefined && list?.relation === 'atomic')) return LEAF;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const inner = partType(type, element);
    const kept = inner === undefined ? child : reconcile(inner, child);
    if (kept === child) continue;
    children ??= new Map(set.children);
    children.set(element, kept);
  }
  return children === undefined ? set : fieldSet(set.owned, children);
}

/** The type of the part that a step leads to; `undefined` where the schema knows none. */
function partType(type: TypePlan, element: PathElement): TypePlan | undefined {
  const name = fieldName(element);
  if (name === undefined) return type.list?.items;
  return type.map?.fields.get(name)?.type ?? type.map?.values;
}
