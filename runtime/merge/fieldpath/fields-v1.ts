/** The FieldsV1 format: path sets as nested JSON objects (`{"f:spec":{".":{},"f:replicas":{}}}`). */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { FromBelow, Later, recursionLevels } from '../../objects/from-below.js';
import { isObject } from '../../objects/guards.js';
import type { Steps } from '../../objects/turns.js';
import { EMPTY, type FieldSet, fieldSet, LEAF, sortedElements } from './field-set.js';
import { canonicalElement, type PathElement } from './path-element.js';

/** Every path's `{}`: one object for all, as there are many. */
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

/** Encoding a set of more paths takes some milliseconds. */
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

const later = new Later();

function encodeChildren(set: FieldSet, fields: JsonObject, level: number): JsonObject {
  if (level === recursionLevels) {
    later.run(() => encodeChildren(set, fields, 0));
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
 * Returns the object for a path that is owned itself, before its fields are added. It is not written as `{ '.': … }`:
 * V8 knows so many literals with one key that objects made by one would not share a layout.
 */
function startedWithItself(): JsonObject {
  const fields: JsonObject = {};
  fields['.'] = NOTHING;
  return fields;
}

/** Decodes a set that `encodeFieldSet` has written. Steps are taken unchanged. */
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

/** Reads an object without members as the path itself. */
function asOwned(set: FieldSet): FieldSet {
  return set.children.size === 0 ? LEAF : set;
}

/**
 * Parses a set that a client wrote. Steps are brought into canonical form, steps of unknown kinds are skipped, and a
 * value that is not an object means the path itself. Returns `undefined` if a step cannot be read.
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
