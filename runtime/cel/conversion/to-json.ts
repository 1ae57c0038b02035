/** Turns values of the language into JSON. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { isObject, setOwn } from '../../objects/guards.js';
import { EvaluationError } from '../values/error.js';
import { formatDuration, formatTimestamp } from '../values/time.js';
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
} from '../values/value.js';

/**
 * The JSON of a value; `undefined` of null and of an optional that is absent. Bytes are in base64, moments and lengths
 * of time as texts. Throws an `EvaluationError` for what JSON cannot say.
 */
export function toJson(value: CelValue): JsonValue | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (value instanceof Optional) return value.value === undefined ? undefined : toJson(value.value);
  if (isList(value)) return itemsOf(value).map((item) => toJson(item) ?? null);
  if (value instanceof Double) return Number.isFinite(value.value) ? value.value : unsayable(String(value.value));
  if (value instanceof Uint) return integerOf(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof CelMap) return objectOf(value);
  if (value instanceof StructValue && isObject(value.record)) return clone(value.record);
  return unsayable(typeNameOf(value));
}

function objectOf(map: CelMap): JsonObject {
  const object: JsonObject = {};
  for (const key of map.keys()) {
    if (typeof key !== 'string') return unsayable(`a map with keys of type ${typeNameOf(key)}`);
    const value = map.get(key);
    if (value !== undefined) setOwn(object, key, toJson(value) ?? null);
  }
  return object;
}

const integerOf = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

const unsayable = (what: string): never => {
  throw new EvaluationError(`${what} is no value of JSON`);
};
