/** Makes a witness smaller while it still shows the break. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { sizeOf } from './values/value-text.js';

/** Maximum number of smaller objects to try. */
const MAX_TRIES = 400;

/** Maximum sum of their sizes, because the time of a trial grows faster than the object. */
const MAX_SIZE_TRIED = 200_000;

/** Returns the smallest object with a property: removes one part after the other. Keeps version, kind and metadata. */
export function shrink(object: JsonObject, isTrue: (object: JsonObject) => boolean): JsonObject {
  let smallest = object;
  let tries = 0;
  let size = 0;
  for (let again = true; again; ) {
    again = false;
    for (const smaller of smallerObjects(smallest)) {
      size += sizeOf(smaller);
      if (++tries > MAX_TRIES || size > MAX_SIZE_TRIED) return smallest;
      if (!isTrue(smaller)) continue;
      smallest = smaller;
      again = true;
      break;
    }
  }
  return smallest;
}

function* smallerObjects(object: JsonObject): Generator<JsonObject> {
  const { apiVersion, kind, metadata, ...body } = object;
  for (const smaller of smallerValues(body)) if (isObject(smaller)) yield { apiVersion, kind, metadata, ...smaller };
}

/** Maximum number of parts of a long list to try in its place. */
const SHARES: readonly number[] = [1 / 2, 3 / 4, 15 / 16];

/** Yields values without one part, the largest parts first, and simpler values. */
function* smallerValues(value: JsonValue): Generator<JsonValue> {
  if (typeof value === 'string' && value.length > 1) {
    yield 'a';
    if (value.length > 3) yield value.slice(0, Math.ceil(value.length / 2));
    yield value.slice(0, -1);
  }
  if (Array.isArray(value)) {
    for (const share of value.length > 8 ? SHARES : []) yield value.slice(0, Math.ceil(value.length * share));
    for (let at = 0; at < Math.min(value.length, 40); at++) yield [...value.slice(0, at), ...value.slice(at + 1)];
    for (const [at, item] of value.slice(0, 40).entries())
      for (const smaller of smallerValues(item)) yield [...value.slice(0, at), smaller, ...value.slice(at + 1)];
  } else if (isObject(value)) {
    const keys = Object.keys(value).slice(0, 60);
    for (const key of keys) yield without(value, key);
    for (const key of keys) for (const smaller of smallerValues(value[key] ?? null)) yield { ...value, [key]: smaller };
  }
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = object;
  return rest;
}
