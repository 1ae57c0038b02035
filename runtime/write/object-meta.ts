/** Reads `metadata` of a body: types checked, empty values dropped, unknown fields reported and dropped. */
import { jsonTypeOf } from '../codec/json.js';
import type { JsonObject, JsonValue, ObjectMeta } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { isObject, setOwn } from '../objects/guards.js';
import { parseGroupVersion } from '../objects/names/names.js';
import { parseTime, timeProblem } from '../objects/scan/time.js';
import type { ResourceNames, ResourceVersions } from '../resource/served-resource.js';

/** Metadata, or the decoder's words for the mistake in it. */
export type MetaResult =
  | { readonly ok: true; readonly value: ObjectMeta }
  | { readonly ok: false; readonly problem: string };

type Report = (path: string) => unknown;

/**
 * Reads one field. Throws `Mismatch`, which never leaves this file, so that nested readers stay simple. Readers of
 * structs keep members that are identical to those of `before`, a struct that was read earlier.
 */
type Reader = (value: JsonValue, path: string, report: Report, before?: JsonObject) => JsonValue | undefined;

class Mismatch extends Error {}

/**
 * Reads `metadata`, reporting the path of each unknown field. It makes a new object and leaves the body's alone. Fields
 * that are still those of `before`, which was read earlier, are not read again.
 */
export function readObjectMeta(value: JsonValue | undefined, report: Report, before?: ObjectMeta): MetaResult {
  if (value === undefined || value === null) return { ok: true, value: {} };
  try {
    return { ok: true, value: readMeta(value, report, before) };
  } catch (error) {
    if (error instanceof Mismatch) return { ok: false, problem: error.message };
    throw error;
  }
}

function mismatch(value: JsonValue, path: string, wanted: string, found: string = jsonTypeOf(value)): never {
  const field = path.replace(/\[\d+\]/g, '');
  const target = path === 'metadata' ? 'value' : `struct field ${structAt(path)}.${field}`;
  throw new Mismatch(`json: cannot unmarshal ${found} into Go ${target} of type ${wanted}`);
}

/** The type that a field is of, as messages name it. */
function structAt(path: string): string {
  if (path.startsWith('metadata.ownerReferences[') && path.includes('].')) return 'OwnerReference';
  return path.startsWith('metadata.managedFields[') && path.includes('].') ? 'ManagedFieldsEntry' : 'ObjectMeta';
}

const typedText =
  (type: string): Reader =>
  (value, path) => {
    if (typeof value !== 'string') mismatch(value, path, type);
    return value === '' ? undefined : value;
  };

const text = typedText('string');

/** A string that is kept when empty. */
const typedPlainText =
  (type: string): Reader =>
  (value, path) =>
    typeof value === 'string' ? value : mismatch(value, path, type);

const plainText = typedPlainText('string');

const flag: Reader = (value, path) => (typeof value === 'boolean' ? value : mismatch(value, path, 'bool'));

const integer: Reader = (value, path) => {
  if (typeof value === 'bigint' && value === BigInt.asIntN(64, value)) return value;
  if (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63) return value;
  return mismatch(value, path, 'int64', jsonTypeOf(value) === 'number' ? `number ${value}` : undefined);
};

/** An integer whose zero is the same as its absence. */
const count: Reader = (value, path, report) => {
  const read = integer(value, path, report);
  return read === 0 ? undefined : read;
};

const time: Reader = (value, path) => {
  if (typeof value !== 'string') mismatch(value, path, 'string');
  const parsed = parseTime(value);
  if (parsed === undefined) throw new Mismatch(timeProblem(value));
  return parsed;
};

const textMap: Reader = (value, path) => {
  if (!isObject(value)) mismatch(value, path, 'map[string]string');
  const read: JsonObject = {};
  let any = false;
  for (const key of Object.keys(value)) {
    const item = value[key] ?? '';
    if (typeof item !== 'string') mismatch(item, path, 'string');
    setOwn(read, key, item);
    any = true;
  }
  return any ? read : undefined;
};

const listOf =
  (reader: Reader, wanted: string): Reader =>
  (value, path, report) => {
    if (!Array.isArray(value)) mismatch(value, path, wanted);
    const read = value.map((item, i) =>
      item === null ? emptyItem(reader) : (reader(item, `${path}[${i}]`, report) ?? ''),
    );
    return read.length > 0 ? read : undefined;
  };

/** The value that a `null` in a list is read as. */
const emptyItem = (reader: Reader): JsonValue => (reader === plainText ? '' : {});

const structOf =
  (type: string, fields: Readonly<Record<string, Reader>>, always: readonly string[] = []): Reader =>
  (value, path, report, before) => {
    if (!isObject(value)) mismatch(value, path, type);
    const read: JsonObject = {};
    for (const key of Object.keys(value)) {
      const reader = Object.hasOwn(fields, key) ? fields[key] : undefined;
      const item = value[key];
      if (!reader) report(`${path}.${key}`);
      else if (item === undefined || item === null) continue;
      else read[key] = before && item === before[key] ? item : reader(item, `${path}.${key}`, report);
    }
    for (const key of always) read[key] ??= '';
    return read;
  };

/**
 * Leaves the check of field sets to their readers, because clients may send sets that are never applied. A set that is
 * not an object becomes one with an empty name, which no reader accepts.
 */
const fieldSet: Reader = (value) => (isObject(value) ? value : { '': value });

const managedFieldsEntry = structOf('v1.ManagedFieldsEntry', {
  manager: text,
  operation: typedText('v1.ManagedFieldsOperationType'),
  apiVersion: text,
  time,
  fieldsType: text,
  fieldsV1: fieldSet,
  subresource: text,
});

const someManagers = listOf(managedFieldsEntry, '[]v1.ManagedFieldsEntry');

/** An empty list stays: it says that nobody owns anything. */
const managers: Reader = (value, path, report) => someManagers(value, path, report) ?? [];

const ownerReference = structOf(
  'v1.OwnerReference',
  {
    apiVersion: plainText,
    kind: plainText,
    name: plainText,
    uid: typedPlainText('types.UID'),
    controller: flag,
    blockOwnerDeletion: flag,
  },
  ['apiVersion', 'kind', 'name', 'uid'],
);

const readStruct = structOf('v1.ObjectMeta', {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: typedText('types.UID'),
  resourceVersion: text,
  generation: count,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: integer,
  labels: textMap,
  annotations: textMap,
  ownerReferences: listOf(ownerReference, '[]v1.OwnerReference'),
  finalizers: listOf(plainText, '[]string'),
  managedFields: managers,
});

function readMeta(value: JsonValue, report: Report, before?: ObjectMeta): ObjectMeta {
  const read = readStruct(value, 'metadata', report, before);
  return isObjectMeta(read) ? read : {};
}

/** The readers above have checked every field. */
const isObjectMeta = (value: JsonValue | undefined): value is ObjectMeta => isObject(value);

// Finds the unknown fields of a body in another version than the path names, to be told before it is refused.

const head: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the paths of fields that the body's own version does not know; `undefined` for another group or kind, or for
 * an unknown version of a built-in kind. In an unknown version of a custom resource, all fields are unknown.
 */
export function unknownInItsVersion(
  resource: ResourceNames & ResourceVersions,
  body: JsonObject,
): readonly string[] | undefined {
  const { apiVersion, kind } = body;
  const { module, sibling } = resource;
  if (typeof apiVersion !== 'string' || kind !== module.names.kind) return undefined;
  const version = sibling(apiVersion);
  const isCustom = module.decoding === 'structural';
  if (version === undefined && (!isCustom || parseGroupVersion(apiVersion)?.group !== module.group)) return undefined;
  const unknown: string[] = [];
  const report = (path: string): unknown => unknown.push(path);
  const object = clone(body);
  if (!readObjectMeta(object.metadata, report).ok) return undefined;
  if (version === undefined) {
    return [
      ...unknown,
      ...Object.keys(object)
        .filter((field) => !head.has(field))
        .sort(),
    ];
  }
  if (version.functions.normalize?.(object) !== undefined) return undefined;
  version.functions.prune(object, report);
  return unknown;
}
