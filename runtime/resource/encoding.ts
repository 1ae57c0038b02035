/** Reads the attributes of an object for selectors: its labels, and the selectable fields of its kind. */
import type {
  ApiObject,
  Attributes,
  EncodedObject,
  Entry,
  FieldReader,
  Handlers,
  ResourceModule,
  Result,
} from '../contract/index.js';
import { getOwn, isApiObject } from '../objects/guards.js';
import { memoizeByObject } from '../objects/memoize.js';
import { compileJsonPath, type JsonPath } from '../objects/selectors/json-path.js';
import {
  applyDefaults,
  encodeObject,
  encodeWithRevision,
  objectOf,
  type RemoteConversion,
  type ResourceNames,
  type ServedResource,
  type VersionCode,
} from './served-resource.js';
import { cleanConverted, fromStored, readAs, toStored } from './versions.js';

/** Returns the selectable fields of a module with their readers. */
export const selectableFields = (module: ResourceModule): ServedResource['fieldPaths'] =>
  module.selectableFields.map((path) => ({ path, read: compileSelectable(path) }));

function compileSelectable(path: string): JsonPath {
  const compiled = compileJsonPath(path.startsWith('.') ? path : `.${path}`);
  return compiled.ok ? compiled.value : () => [];
}

/** Returns the labels and selectable fields of an object, without its name and namespace, which are in its key. */
export function attributesOf(resource: ResourceNames & VersionCode, object: ApiObject): Attributes {
  return { labels: object.metadata.labels ?? noLabels, fields: fieldValues(resource, object) };
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

const noReaders: NonNullable<Handlers['selectableFields']> = {};

/** Returns the selectable fields of an object, by their paths. */
export function fieldValues(resource: ResourceNames & VersionCode, object: ApiObject): Attributes['fields'] {
  const own = resource.handlers?.selectableFields ?? noReaders;
  const fields: Record<string, string> = {};
  for (const { path, read } of resource.fieldPaths) {
    fields[path] = getOwn(own, path)?.(object) ?? selectableText(read(object)[0]);
  }
  return fields;
}

const selectableText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : '';

// Selectable fields of custom resources, read from the objects: the fields in their entries may be outdated.

/**
 * Returns a reader of selectable fields for entries of a custom resource; `undefined` if it has none, or if entries
 * keep all of them. Entries keep only the fields of a stored version that does not change while the server runs. For
 * others, each entry is decoded once per version.
 */
export function definedFields(resource: ServedResource): FieldReader | undefined {
  const { module, stored } = resource;
  if (module.decoding !== 'structural' || module.selectableFields.length === 0) return undefined;
  if (
    !stored.defined &&
    module.selectableFields.every((path) => stored.module.selectableFields.includes(resource.storedField(path)))
  )
    return undefined;
  return readerOf(resource);
}

/** Makes one reader for each resource, whatever fields clients select by. */
const readerOf = memoizeByObject(
  (resource: ServedResource): FieldReader =>
    memoizeByObject((entry: Entry) => {
      const { stored } = resource;
      // This cannot wait for a webhook, so it reads the object as it was stored.
      const object = stored.remote ? objectOf(entry) : readAs(stored, entry);
      return fieldValues(resource, object);
    }),
);

/**
 * Encodes for the store. `kind`, `apiVersion` and the still empty `metadata.resourceVersion` come first. So the text up
 * to the revision is the same for all objects of a resource, and the store finds the revision without a search.
 */
export function encodeForStore(resource: ServedResource, object: ApiObject): EncodedObject {
  const { stored } = resource;
  const kept = resource === stored ? object : toStored(resource, object);
  return {
    text: encodeWithRevision(stored, kept, ''),
    revisionAt: stored.head.length,
    attributes: attributesOf(stored, kept),
  };
}

/** Encodes for a write. If a webhook converts from the object's version, waits for that conversion first. */
export async function encodeForWrite(resource: ServedResource, object: ApiObject): Promise<Result<EncodedObject>> {
  const { stored } = resource;
  if (resource === stored || !stored.remote) return { ok: true, value: encodeForStore(resource, object) };
  const kept = await convertRemotely(stored.remote, object, stored);
  if (!kept.ok) return kept;
  applyDefaults(stored, kept.value);
  return { ok: true, value: encodeForStore(stored, kept.value) };
}

/** Returns whether an entry is stored as a write would store it. The text of an entry also has its revision. */
export function isStoredAs({ bytes }: Entry, { text, revisionAt }: EncodedObject): boolean {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = stored.indexOf('"', revisionAt);
  return stored.slice(0, revisionAt) === text.slice(0, revisionAt) && stored.slice(end) === text.slice(revisionAt);
}

/**
 * Returns an object of a dry run as the answer after a write would have it: converted to the stored version and back.
 * Drops the fields that a conversion drops. Fails if the write would fail.
 */
export async function asAnswered(resource: ServedResource, object: ApiObject): Promise<Result<ApiObject>> {
  const { stored } = resource;
  if (resource === stored) return { ok: true, value: object };
  if (!stored.remote) return { ok: true, value: fromStored(resource, toStored(resource, object)) };
  const kept = await convertRemotely(stored.remote, object, stored);
  if (!kept.ok) return kept;
  applyDefaults(stored, kept.value);
  return convertRemotely(stored.remote, kept.value, resource);
}

async function convertRemotely(
  remote: RemoteConversion,
  object: ApiObject,
  to: ServedResource,
): Promise<Result<ApiObject>> {
  const converted = await remote.convert([object], to.apiVersion);
  if (!converted.ok) return converted;
  const [made] = converted.value;
  if (!isApiObject(made)) throw new Error('a conversion yielded no object');
  cleanConverted(to, made);
  return { ok: true, value: made };
}

/** Encodes an object as the store would, with its revision. Leaves out an empty revision. */
export const encodeAnswer: (resource: ServedResource, object: ApiObject) => string = encodeObject;
