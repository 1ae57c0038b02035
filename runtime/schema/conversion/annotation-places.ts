/** How generated conversions keep in an annotation what the other version has no field for. */
import type { JsonObject } from '../../contract/index.js';
import { indentedLevels, isDeeper, writeJson } from '../../objects/from-below.js';
import { objectAt } from '../../objects/guards.js';
import type { Value } from '../engine/value.js';
import { putAt, takeAt } from './places.js';

/** Keeps a value under a key. Integers beyond 2^53 are kept exactly where they are the whole value, else rounded. */
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
  if (/^-?[1-9]\d{15,18}$/.test(text)) return exactInteger(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A long integer as bodies are read: a number where that holds it. */
function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** V8's own writing ends at a few thousand levels. */
function jsonText(value: Value): string {
  if (typeof value === 'bigint') return value.toString();
  if (isDeeper(value ?? null, indentedLevels)) return writeJson(value ?? null);
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
}
