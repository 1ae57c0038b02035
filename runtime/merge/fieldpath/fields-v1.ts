/** The FieldsV1 format: path sets as nested JSON objects (`{"f:spec":{".":{},"f:replicas":{}}}`). */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import type { Steps } from '../../objects/turns.js';
import { EMPTY, type FieldSet, fieldSet, LEAF, sortedElements } from './field-set.js';
import { canonicalElement, type PathElement } from './path-element.js';

/** How deep a set may nest, which is far deeper than any object. */
const MAX_DEPTH = 1_000;

/** Every path's `{}`: one object for all, as there are many. */
const NOTHING: JsonObject = Object.freeze({});

/** The JSON of a set, steps in canonical order. */
export function encodeFieldSet(set: FieldSet): JsonObject {
  return encodeChildren(set, {});
}

/** The same in steps, for sets of very many paths. */
export function* encodeInSteps(set: FieldSet, fields: JsonObject = {}): Steps<JsonObject> {
  if (!isLarge(set)) return encodeChildren(set, fields);
  const elements = sortedElements(set);
  yield;
  let done = 0;
  for (const element of elements) {
    const child = set.children.get(element);
    if (child === undefined) continue;
    if (++done % largeSet === 0) yield;
    if (child.children.size === 0) fields[element] = NOTHING;
    else fields[element] = yield* encodeInSteps(child, child.owned ? startedWithItself() : {});
  }
  return fields;
}

/** Encoding a set of more paths takes some milliseconds. */
const largeSet = 10_000;

const isLarge = (set: FieldSet): boolean => counted(set, 0) > largeSet;

/** Paths of a set, as far as it is not large. */
function counted(set: FieldSet, before: number): number {
  let count = before + set.children.size;
  if (count > largeSet) return count;
  for (const child of set.children.values()) {
    if (child.children.size > 0) count = counted(child, count);
    if (count > largeSet) break;
  }
  return count;
}

function encodeChildren(set: FieldSet, fields: JsonObject): JsonObject {
  for (const element of sortedElements(set)) {
    const child = set.children.get(element);
    if (child === undefined) continue;
    if (child.children.size === 0) fields[element] = NOTHING;
    else fields[element] = encodeChildren(child, child.owned ? startedWithItself() : {});
  }
  return fields;
}

/**
 * The fields under a path that is owned itself, so far. Not written as `{ '.': … }`: V8 knows so many literals of one
 * key that objects begun as one share no layout.
 */
function startedWithItself(): JsonObject {
  const fields: JsonObject = {};
  fields['.'] = NOTHING;
  return fields;
}

/** The set that this module's `encodeFieldSet` once wrote. Steps are taken as they stand. */
export function decodeFieldSet(fields: JsonObject): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  let owned = false;
  for (const key of Object.keys(fields)) {
    if (key === '.') {
      owned = true;
      continue;
    }
    const child = fields[key];
    children ??= new Map();
    children.set(key, child === NOTHING || !isObject(child) ? LEAF : asOwned(decodeFieldSet(child)));
  }
  return fieldSet(owned, children);
}

/** An object with nothing in it stands for the path itself. */
function asOwned(set: FieldSet): FieldSet {
  return set.children.size === 0 ? LEAF : set;
}

/**
 * The set that a client wrote: steps are brought into canonical form, those of unknown kinds are skipped, and what is
 * no object stands for the path itself. `undefined` where a step cannot be read or the nesting is beyond reason.
 */
export function parseFieldSet(fields: JsonValue): FieldSet | undefined {
  const set = parseLevel(fields, MAX_DEPTH);
  return set === undefined ? undefined : fieldSet(false, set.children);
}

function parseLevel(fields: JsonValue, depth: number): FieldSet | undefined {
  if (!isObject(fields)) return EMPTY;
  if (depth === 0) return undefined;
  const children = new Map<PathElement, FieldSet>();
  let owned = false;
  for (const key of Object.keys(fields)) {
    if (key === '.') owned = true;
    else {
      const element = canonicalElement(key);
      if (element === 'unknown') continue;
      const child = parseLevel(fields[key] ?? null, depth - 1);
      if (element === undefined || child === undefined) return undefined;
      children.set(element, asOwned(child));
    }
  }
  return fieldSet(owned, children);
}
