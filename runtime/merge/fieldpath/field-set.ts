/** Sets of paths into an object, as a tree of their steps. */
import { inOrder, type PathElement } from './path-element.js';

/**
 * A set, seen from one path: whether that path itself is in the set, and the parts below it. Immutable: operations
 * return the same argument if nothing changes, which later steps use to skip work. No child is empty. The root's own
 * path (the whole object) is never in a set.
 */
export interface FieldSet {
  readonly owned: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

const NO_CHILDREN: ReadonlyMap<PathElement, FieldSet> = new Map();

export const EMPTY: FieldSet = { owned: false, children: NO_CHILDREN };

/** A path that is in the set, with nothing below it. */
export const LEAF: FieldSet = { owned: true, children: NO_CHILDREN };

/** Makes a set of its parts, or returns a shared constant if one is equal. */
export function fieldSet(owned: boolean, children: ReadonlyMap<PathElement, FieldSet> | undefined): FieldSet {
  if (children === undefined || children.size === 0) return owned ? LEAF : EMPTY;
  return { owned, children };
}

export function isEmpty(set: FieldSet): boolean {
  return !set.owned && set.children.size === 0;
}

/** Returns whether a path is in the set. */
export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let at: FieldSet | undefined = set;
  for (const element of path) {
    at = at.children.get(element);
    if (at === undefined) return false;
  }
  return at.owned;
}

/** Makes the set of the given paths. */
export function fieldSetOf(paths: Iterable<readonly PathElement[]>): FieldSet {
  let set = EMPTY;
  for (const path of paths) set = insert(set, path, 0);
  return set;
}

function insert(set: FieldSet, path: readonly PathElement[], depth: number): FieldSet {
  const element = path[depth];
  if (element === undefined) return set.owned ? set : fieldSet(true, set.children);
  const children = new Map(set.children);
  children.set(element, insert(children.get(element) ?? EMPTY, path, depth + 1));
  return fieldSet(set.owned, children);
}

/** Counts the paths in the set. */
export function size(set: FieldSet): number {
  let count = set.owned ? 1 : 0;
  for (const child of set.children.values()) count += size(child);
  return count;
}

/** Returns the steps directly below a set, in the order of printing. */
export const sortedElements = (set: FieldSet): readonly PathElement[] => inOrder([...set.children.keys()]);

/** Yields every path of the set in the order of printing: the direct children of a point come before deeper paths. */
export function* paths(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  const elements = sortedElements(set);
  for (const element of elements) if (set.children.get(element)?.owned) yield [...prefix, element];
  for (const element of elements) {
    const child = set.children.get(element);
    if (child !== undefined && child.children.size > 0) yield* paths(child, [...prefix, element]);
  }
}

/** Returns the paths of a set that have no longer path in it. */
export function leaves(set: FieldSet): FieldSet {
  if (set.children.size === 0) return set;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) children.set(element, leaves(child));
  return fieldSet(false, children);
}
