/** ConfigMap: its keys, its size, and immutable data. Secrets share these rules. */
import { defineConfigMapHandlers } from '../../generated/core/v1/configmaps/handlers.js';
import type { ConfigMap } from '../../generated/core/v1/configmaps/types.js';
import type { DraftObject, FieldError, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, tooLong } from '../../runtime/objects/field-error.js';
import { configMapKey } from '../../runtime/objects/names/name-checks.js';

/** The most bytes of data in one object: 1 MiB. */
export const maxDataBytes = 1024 * 1024;

export type DataMap = Readonly<Record<string, string>>;

/** Checks the keys of a map; `more` adds problems of one key. */
export const keyErrors = (
  map: DataMap = {},
  path: string,
  more: (key: string) => readonly string[] = () => [],
): readonly FieldError[] =>
  Object.keys(map).flatMap((key) =>
    [...configMapKey(key), ...more(key)].map((problem) => invalidValue(`${path}[${key}]`, key, problem)),
  );

/** Returns the bytes of all base64 texts of a map after decoding. */
export const decodedLength = (map: DataMap = {}): number =>
  Object.values(map).reduce((bytes, text) => bytes + Buffer.byteLength(text, 'base64'), 0);

/** An object with data that can be made immutable. */
interface Sealable extends JsonObject {
  immutable?: boolean | undefined;
}

/** Immutable data stays as it is, and so does the mark. */
export function immutableErrors<T extends Sealable>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
): readonly FieldError[] {
  if (!old.immutable) return [];
  const changed = fields.filter((field) => !equal(object[field], old[field]));
  const broken = object.immutable ? changed : ['immutable', ...changed];
  return broken.map((field) => forbidden(field, 'field is immutable when `immutable` is set'));
}

/** Counts the keys of several maps. */
export const countKeys = (...maps: readonly (DataMap | undefined)[]): number =>
  maps.reduce((sum, map = {}) => sum + Object.keys(map).length, 0);

type ConfigMapDraft = DraftObject<ConfigMap>;

export const defineConfigMaps = (): KindHandlers =>
  defineConfigMapHandlers({
    updateChecks: ['metadata changes', 'field changes', 'metadata', 'fields'],
    validate: (map) => [...dataErrors(map), ...sizeErrors(map)],
    validateUpdate: (map, old) => immutableErrors(map, old, ['data', 'binaryData']),
    columns: { Data: ({ data, binaryData }) => countKeys(data, binaryData) },
  });

/** A key is in only one of the two maps. */
function dataErrors({ data, binaryData = {} }: ConfigMapDraft): readonly FieldError[] {
  const twice = (key: string): readonly string[] =>
    Object.hasOwn(binaryData, key) ? ['duplicate of key present in binaryData'] : [];
  return [...keyErrors(data, 'data', twice), ...keyErrors(binaryData, 'binaryData')];
}

/** Both maps together have a maximum size. The empty path means the whole object. */
function sizeErrors({ data = {}, binaryData }: ConfigMapDraft): readonly FieldError[] {
  const texts = Object.values(data).reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
  return texts + decodedLength(binaryData) > maxDataBytes ? [tooLong('', maxDataBytes)] : [];
}
