/** Union, intersection and differences of path sets. All cost at most one visit of the nodes both sides have. */
import { EMPTY, type FieldSet, fieldSet, isEmpty } from './field-set.js';
import type { PathElement } from './path-element.js';

/** The paths in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, other] of b.children) {
    const mine = a.children.get(element);
    const joined = mine === undefined ? other : union(mine, other);
    if (joined === mine) continue;
    children ??= new Map(a.children);
    children.set(element, joined);
  }
  return rebuilt(a, a.owned || b.owned, children);
}

/** The paths in any of the sets. Joins them in pairs, so that many small sets cost little more than their paths. */
export function unionAll(sets: readonly FieldSet[]): FieldSet {
  let joined = sets;
  while (joined.length > 1) {
    const pairs: FieldSet[] = [];
    for (let i = 0; i < joined.length; i += 2) pairs.push(union(joined[i] ?? EMPTY, joined[i + 1] ?? EMPTY));
    joined = pairs;
  }
  return joined[0] ?? EMPTY;
}

/** The paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const children = new Map<PathElement, FieldSet>();
  let unchanged = 0;
  for (const element of commonElements(a, b)) {
    const mine = a.children.get(element);
    const other = b.children.get(element);
    if (mine === undefined || other === undefined) continue;
    const shared = intersection(mine, other);
    if (!isEmpty(shared)) children.set(element, shared);
    if (shared === mine) unchanged++;
  }
  return rebuilt(a, a.owned && b.owned, unchanged === a.children.size ? undefined : children);
}

/** The steps of the side that has fewer, which are all that both can have. */
function commonElements(a: FieldSet, b: FieldSet): Iterable<PathElement> {
  return (a.children.size < b.children.size ? a : b).children.keys();
}

/** The paths of the first set that are not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** As `difference`, but a path of the second set also takes away every path below it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (isEmpty(b)) return a;
  if (recursive && b.owned) return EMPTY;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const element of commonElements(a, b)) {
    const mine = a.children.get(element);
    const other = b.children.get(element);
    if (mine === undefined || other === undefined) continue;
    const left = subtract(mine, other, recursive);
    if (left === mine) continue;
    children ??= new Map(a.children);
    if (isEmpty(left)) children.delete(element);
    else children.set(element, left);
  }
  return rebuilt(a, a.owned && !b.owned, children);
}

/** Whether two sets hold the same paths. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.owned !== b.owned || a.children.size !== b.children.size) return false;
  for (const [element, mine] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !equalSets(mine, other)) return false;
  }
  return true;
}

/** A set with what changed; the set itself where nothing did. `children` are the new ones, if any changed. */
function rebuilt(set: FieldSet, owned: boolean, children: Map<PathElement, FieldSet> | undefined): FieldSet {
  if (children === undefined && owned === set.owned) return set;
  return fieldSet(owned, children ?? set.children);
}
