/** Sets of paths into an object, stored as a tree of steps. Has their operations and their FieldsV1 format. */

import type { JsonObject, JsonValue } from '../contract/index.js';
import { FromBelow, Later, recursionLevels } from '../objects/from-below.js';
import { isObject } from '../objects/guards.js';
import type { Steps } from '../objects/turns.js';
import { canonicalElement, inOrder, type PathElement } from './path-element.js';

/**
 * A set as seen from one path: whether the path itself is in the set, and the paths below it. It is immutable.
 * Operations return the same argument if nothing changes, and later steps use this to skip work. No child is empty. The
 * path of the root (the whole object) is never in a set.
 */
export interface FieldSet {
  readonly owned: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

const NO_CHILDREN: ReadonlyMap<PathElement, FieldSet> = new Map();

export const EMPTY: FieldSet = { owned: false, children: NO_CHILDREN };

/** A path that is in the set, with nothing below it. */
export const LEAF: FieldSet = { owned: true, children: NO_CHILDREN };

/** Makes a set from its parts, or returns an equal shared constant. */
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

/** Yields every path of the set in the order of printing: direct children come before deeper paths. */
export function* paths(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  const elements = sortedElements(set);
  for (const element of elements) if (set.children.get(element)?.owned) yield [...prefix, element];
  for (const element of elements) {
    const child = set.children.get(element);
    if (child !== undefined && child.children.size > 0) yield* paths(child, [...prefix, element]);
  }
}

/** Returns the paths of a set that are not the beginning of a longer path in it. */
export function leaves(set: FieldSet): FieldSet {
  if (set.children.size === 0) return set;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) children.set(element, leaves(child));
  return fieldSet(false, children);
}

// Union, intersection and differences of path sets. Each visits the nodes that both sets have at most once.

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

/** Returns the steps of the smaller set, because only these can be in both. */
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
 * Makes a set with changes, or returns the same set if nothing changed. `children` are the new children, if any
 * changed.
 */
function rebuilt(set: FieldSet, owned: boolean, children: Map<PathElement, FieldSet> | undefined): FieldSet {
  if (children === undefined && owned === set.owned) return set;
  return fieldSet(owned, children ?? set.children);
}

/** The `{}` of a path. All paths share one object, because there are many. */
const NOTHING: JsonObject = Object.freeze({});

/** Encodes a set as JSON, with steps in canonical order. */
export function encodeFieldSet(set: FieldSet): JsonObject {
  return encodeChildren(set, {}, 0);
}

/** Encodes a set in steps, for sets of very many paths. */
export function encodeInSteps(set: FieldSet): Steps<JsonObject> {
  return encodeLarge(set, {}, 0);
}

function* encodeLarge(set: FieldSet, fields: JsonObject, level: number): Steps<JsonObject> {
  if (level === recursionLevels || !isLarge(set)) return encodeChildren(set, fields, level);
  const elements = sortedElements(set);
  yield;
  let done = 0;
  for (const element of elements) {
    const child = set.children.get(element);
    if (child === undefined) continue;
    if (++done % largeSet === 0) yield;
    if (child.children.size === 0) fields[element] = NOTHING;
    else fields[element] = yield* encodeLarge(child, child.owned ? startedWithItself() : {}, level + 1);
  }
  return fields;
}

/** The paths of a set above which encoding takes some milliseconds. */
const largeSet = 10_000;

const isLarge = (set: FieldSet): boolean => counted(set, 0, 0) > largeSet;

/** Counts the paths of a set, but stops in a large or deep one. */
function counted(set: FieldSet, before: number, level: number): number {
  let count = before + set.children.size;
  if (count > largeSet || level === recursionLevels) return count;
  for (const child of set.children.values()) {
    if (child.children.size > 0) count = counted(child, count, level + 1);
    if (count > largeSet) break;
  }
  return count;
}

const laterSteps = new Later();

function encodeChildren(set: FieldSet, fields: JsonObject, level: number): JsonObject {
  if (level === recursionLevels) {
    laterSteps.run(() => encodeChildren(set, fields, 0));
    return fields;
  }
  for (const element of sortedElements(set)) {
    const child = set.children.get(element);
    if (child === undefined) continue;
    if (child.children.size === 0) fields[element] = NOTHING;
    else fields[element] = encodeChildren(child, child.owned ? startedWithItself() : {}, level + 1);
  }
  return fields;
}

/**
 * Returns the object for a path that is itself in the set, without its fields. Assigns the key, because objects from a
 * literal `{ '.': … }` would not share one layout in V8.
 */
function startedWithItself(): JsonObject {
  const fields: JsonObject = {};
  fields['.'] = NOTHING;
  return fields;
}

/** Decodes a set that `encodeFieldSet` wrote. Keeps steps unchanged. */
export const decodeFieldSet = (fields: JsonObject): FieldSet => decodeLevel(fields, 0);

const decoded = new FromBelow(EMPTY);

function decodeLevel(fields: JsonObject, level: number): FieldSet {
  if (level === recursionLevels) return decoded.resultOf([fields], () => decodeLevel(fields, 0));
  let children: Map<PathElement, FieldSet> | undefined;
  let owned = false;
  for (const key of Object.keys(fields)) {
    if (key === '.') {
      owned = true;
      continue;
    }
    const child = fields[key];
    children ??= new Map();
    children.set(key, child === NOTHING || !isObject(child) ? LEAF : asOwned(decodeLevel(child, level + 1)));
  }
  return fieldSet(owned, children);
}

/** Turns an object without members into the path itself. */
function asOwned(set: FieldSet): FieldSet {
  return set.children.size === 0 ? LEAF : set;
}

/**
 * Parses a set that a client wrote. Converts steps to canonical form and skips steps of unknown kinds. A value that is
 * not an object means the path itself. Returns `undefined` if a step cannot be read.
 */
export function parseFieldSet(fields: JsonValue): FieldSet | undefined {
  const set = parseLevel(fields, 0);
  return set === undefined ? undefined : fieldSet(false, set.children);
}

const parsed = new FromBelow<FieldSet | undefined>(EMPTY);

function parseLevel(fields: JsonValue, level: number): FieldSet | undefined {
  if (!isObject(fields)) return EMPTY;
  if (level === recursionLevels) return parsed.resultOf([fields], () => parseLevel(fields, 0));
  const children = new Map<PathElement, FieldSet>();
  let owned = false;
  for (const key of Object.keys(fields)) {
    if (key === '.') owned = true;
    else {
      const element = canonicalElement(key);
      if (element === 'unknown') continue;
      const child = parseLevel(fields[key] ?? null, level + 1);
      if (element === undefined || child === undefined) return undefined;
      children.set(element, asOwned(child));
    }
  }
  return fieldSet(owned, children);
}
