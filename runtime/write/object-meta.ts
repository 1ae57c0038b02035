/** Reads `metadata` of a body: checks types, drops empty values, and reports and drops unknown fields. */
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
 * Reads one field. Throws `Mismatch`, so that nested readers stay simple; this file always catches it. Readers of
 * structs keep members that are identical in `before`, the struct of an earlier read.
 */
type Reader = (value: JsonValue, path: string, report: Report, before?: JsonObject) => JsonValue | undefined;

class Mismatch extends Error {}

/**
 * Reads `metadata` into a new object, and reports the path of each unknown field. `before` is the result of an earlier
 * read; fields that are identical to its fields are not read again.
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

/** Returns the type that has a field, as messages name it. */
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

/** Reads a string, and keeps it even if it is empty. */
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

/** Reads an integer. Zero counts as absent. */
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

/** Returns the value for a `null` in a list. */
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
 * Accepts any field set; code that uses the sets checks them, because clients may send sets that nobody ever uses. A
 * value that is not an object becomes an object with an empty key, which is not a valid set.
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

/** Keeps an empty list, which says that nobody owns anything. */
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

/** Checks nothing more, because the readers above have checked every field. */
const isObjectMeta = (value: JsonValue | undefined): value is ObjectMeta => isObject(value);

// Finds the unknown fields of a body in another version than the path names. The client hears of them before the
// refusal.

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
