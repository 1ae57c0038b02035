/** Rules for data by key that ConfigMap and Secret share. */
import type { ApiObject, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { getOwn, objectAt } from '../../runtime/objects/guards.js';
import { configMapKey } from '../../runtime/objects/key-names.js';

/** Bytes that the data of one object may have in all: 1 MiB. */
export const maxDataBytes = 1024 * 1024;

/** What is wrong with the keys of a map; `more` adds what else is wrong with one. */
export function keyErrors(
  object: ApiObject,
  field: string,
  more: (key: string) => readonly string[] = () => [],
): FieldError[] {
  const keys = Object.keys(objectAt(object, field) ?? {});
  return keys.flatMap((key) =>
    [...configMapKey(key), ...more(key)].map((problem) => invalidValue(`${field}[${key}]`, key, problem)),
  );
}

/** Bytes of a base64 text once it is decoded; 0 for anything else. */
export function decodedLength(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value, 'base64') : 0;
}

/** Refuses changes of data that was made immutable, and taking that back. */
export function immutableErrors(object: ApiObject, old: ApiObject, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const changed = fields.filter((field) => !equal(getOwn(object, field), getOwn(old, field)));
  const broken = object.immutable === true ? changed : ['immutable', ...changed];
  return broken.map((field) => forbidden(field, 'field is immutable when `immutable` is set'));
}

/** How many keys the maps have together. */
export function countKeys(object: ApiObject, fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + Object.keys(objectAt(object, field) ?? {}).length, 0);
}
