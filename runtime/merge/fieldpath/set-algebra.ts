/** Union, intersection and differences of path sets. All cost at most one visit of the nodes both sides have. */
import { FromBelow, Later, recursionLevels } from '../../objects/from-below.js';
import { EMPTY, type FieldSet, fieldSet, isEmpty } from './field-set.js';
import type { PathElement } from './path-element.js';

/** Returns the paths in either set. */
export const union = (a: FieldSet, b: FieldSet): FieldSet => unionAt(a, b, 0);

const unions = new FromBelow(EMPTY);

function unionAt(a: FieldSet, b: FieldSet, level: number): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  if (level === recursionLevels) return unions.resultOf([a, b], () => unionAt(a, b, 0));
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, other] of b.children) {
    const mine = a.children.get(element);
    const joined = mine === undefined ? other : unionAt(mine, other, level + 1);
    if (joined === mine) continue;
    children ??= new Map(a.children);
    children.set(element, joined);
  }
  return rebuilt(a, a.owned || b.owned, children);
}

/** Returns the paths in any of the sets. Joins them in pairs, so many small sets cost little more than their paths. */
export function unionAll(sets: readonly FieldSet[]): FieldSet {
  let joined = sets;
  while (joined.length > 1) {
    const pairs: FieldSet[] = [];
    for (let i = 0; i < joined.length; i += 2) pairs.push(union(joined[i] ?? EMPTY, joined[i + 1] ?? EMPTY));
    joined = pairs;
  }
  return joined[0] ?? EMPTY;
}

/** Returns the paths in both sets. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => intersectionAt(a, b, 0);

const intersections = new FromBelow(EMPTY);

function intersectionAt(a: FieldSet, b: FieldSet, level: number): FieldSet {
  if (a === b) return a;
  if (level === recursionLevels) return intersections.resultOf([a, b], () => intersectionAt(a, b, 0));
  const children = new Map<PathElement, FieldSet>();
  let unchanged = 0;
  for (const element of commonElements(a, b)) {
    const mine = a.children.get(element);
    const other = b.children.get(element);
    if (mine === undefined || other === undefined) continue;
    const shared = intersectionAt(mine, other, level + 1);
    if (!isEmpty(shared)) children.set(element, shared);
    if (shared === mine) unchanged++;
  }
  return rebuilt(a, a.owned && b.owned, unchanged === a.children.size ? undefined : children);
}

/** Returns the steps of the smaller side, as only these can be in both. */
function commonElements(a: FieldSet, b: FieldSet): Iterable<PathElement> {
  return (a.children.size < b.children.size ? a : b).children.keys();
}

/** Returns the paths of the first set that are not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false, 0);
}

/** Works like `difference`, but a path of the second set also removes every path below it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true, 0);
}

const differences = new FromBelow(EMPTY);

function subtract(a: FieldSet, b: FieldSet, recursive: boolean, level: number): FieldSet {
  if (isEmpty(b)) return a;
  if (recursive && b.owned) return EMPTY;
  if (level === recursionLevels) {
    return differences.resultOf([a, b, recursive], () => subtract(a, b, recursive, 0));
  }
  let children: Map<PathElement, FieldSet> | undefined;
  for (const element of commonElements(a, b)) {
    const mine = a.children.get(element);
    const other = b.children.get(element);
    if (mine === undefined || other === undefined) continue;
    const left = subtract(mine, other, recursive, level + 1);
    if (left === mine) continue;
    children ??= new Map(a.children);
    if (isEmpty(left)) children.delete(element);
    else children.set(element, left);
  }
  return rebuilt(a, a.owned && !b.owned, children);
}

/** Returns whether two sets have the same paths. */
export const equalSets = (a: FieldSet, b: FieldSet): boolean => equalAt(a, b, 0);

const later = new Later();

function equalAt(a: FieldSet, b: FieldSet, level: number): boolean {
  if (a === b) return true;
  if (level === recursionLevels) return later.all(() => equalAt(a, b, 0));
  if (a.owned !== b.owned || a.children.size !== b.children.size) return false;
  for (const [element, mine] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !equalAt(mine, other, level + 1)) return false;
  }
  return true;
}

/**
 * Makes a set with changes, or returns the same set if nothing changed. `children` are the new ones, if any changed.
 */
function rebuilt(set: FieldSet, owned: boolean, children: Map<PathElement, FieldSet> | undefined): FieldSet {
  if (children === undefined && owned === set.owned) return set;
  return fieldSet(owned, children ?? set.children);
}
