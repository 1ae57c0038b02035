/** How generated conversions keep in an annotation what the other version has no field for. */
import type { JsonObject } from '../../contract/index.js';
import { objectAt } from '../../objects/guards.js';
import { putAt, takeAt } from './places.js';
import type { Value } from './value.js';

/** Keeps a value under a key. Integers beyond 2^53 are written as they are, which JSON.parse reads rounded. */
export function putAnnotation(object: JsonObject, value: Value, key: string, as: 'json' | 'text'): void {
  if (value === undefined || value === null) return;
  const text = as === 'text' && typeof value === 'string' ? value : jsonText(value);
  putAt(object, text, 'metadata', 'annotations', key);
}

/** Takes back what was kept; `undefined` where there is none, or nothing that could have been kept. */
export function takeAnnotation(object: JsonObject, key: string, as: 'json' | 'text'): Value {
  const metadata = objectAt(object, 'metadata');
  const text = metadata && takeAt(metadata, 'annotations', key);
  if (typeof text !== 'string') return undefined;
  if (as === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonText(value: Value): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
}
