/** Values of the language as JSON. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { Later, recursionLevels } from '../../objects/from-below.js';
import { isObject, setOwn } from '../../objects/guards.js';
import { EvaluationError } from './error.js';
import { formatDuration, formatTimestamp } from './time.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isList,
  itemsOf,
  Optional,
  StructValue,
  Timestamp,
  typeNameOf,
  Uint,
} from './value.js';

/**
 * Converts a value to JSON; null and absent optionals to `undefined`. Bytes become base64; times and durations become
 * texts. Throws an `EvaluationError` for values without a form in JSON.
 */
export const toJson = (value: CelValue): JsonValue | undefined => jsonAt(value, 0);

const later = new Later();

function jsonAt(value: CelValue, level: number): JsonValue | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (value instanceof Optional) return value.value === undefined ? undefined : jsonAt(value.value, level);
  if (isList(value)) return listOf(itemsOf(value), level + 1);
  if (value instanceof Double) return Number.isFinite(value.value) ? value.value : unsayable(String(value.value));
  if (value instanceof Uint) return integerOf(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof CelMap) return objectOf(value, level + 1);
  if (!(value instanceof StructValue)) return unsayable(typeNameOf(value));
  return isObject(value.record) ? clone(value.record) : membersOf(value, level + 1);
}

function listOf(items: readonly CelValue[], level: number): JsonValue[] {
  const list: JsonValue[] = [];
  const fill = (from: number): void => {
    for (const item of items) list.push(jsonAt(item, from) ?? null);
  };
  if (level > recursionLevels) later.run(() => fill(0));
  else fill(level);
  return list;
}

function objectOf(map: CelMap, level: number): JsonObject {
  const object: JsonObject = {};
  const fill = (from: number): void => {
    for (const key of map.keys()) {
      const name = typeof key === 'string' ? key : unsayable(`a map with keys of type ${typeNameOf(key)}`);
      const value = map.get(name);
      if (value !== undefined) setOwn(object, name, jsonAt(value, from) ?? null);
    }
  };
  if (level > recursionLevels) later.run(() => fill(0));
  else fill(level);
  return object;
}

function membersOf(value: StructValue, level: number): JsonObject {
  const object: JsonObject = {};
  for (const [name, member] of value.members()) setOwn(object, name, jsonAt(member, level) ?? null);
  return object;
}

const integerOf = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

const unsayable = (what: string): never => {
  throw new EvaluationError(`${what} is not a JSON value`);
};
