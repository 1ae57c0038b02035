/** Converts stored objects to other versions and back, and reports why an object cannot be converted. */
import type {
  ApiObject,
  ConversionReport,
  Entry,
  Failure,
  JsonObject,
  JsonValue,
  TypeMismatch,
} from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { invalidValue } from '../objects/field-error.js';
import { Later, recursionLevels } from '../objects/from-below.js';
import { objectAt, stringAt } from '../objects/guards.js';
import { invalid } from '../objects/status.js';
import { putAt } from '../schema/conversion-places.js';
import { preparedObject, prepareRemotely } from './remote-versions.js';
import {
  applyDefaults,
  encodeObject,
  objectOf,
  type ResourceNames,
  type ResourceVersions,
  type ServedResource,
} from './served-resource.js';

/** The parts of a version that conversion depends on. */
export type ConvertibleVersion = Pick<ServedResource, 'apiVersion' | 'module' | 'functions' | 'conversion'>;

/** Returns a fresh copy of an entry's object in the version of a resource. The caller may change it. */
export function readAs(resource: ServedResource, entry: Entry, report?: ConversionReport): ApiObject {
  const { stored } = resource;
  const written = objectOf(entry);
  if (stored.remote && written.apiVersion !== resource.apiVersion) return readConverted(resource, entry);
  const object = isOfEarlierSchema(stored, entry) ? underSchema(stored, written) : asCurrent(stored, written, report);
  return resource === stored ? object : fromStored(resource, object, report);
}

/** Returns an entry's object as the webhook converted it. Throws if it was not prepared. */
function readConverted(resource: ServedResource, entry: Entry): ApiObject {
  const object = preparedObject(resource, entry);
  if (!object) throw new Error(`${entry.key} was not converted to ${resource.apiVersion} before it was read`);
  cleanConverted(resource, object);
  return object;
}

/**
 * Removes from an object, in place, what a conversion may leave but a request may not have: unknown fields, and invalid
 * nulls.
 */
export function cleanConverted({ functions }: Pick<ConvertibleVersion, 'functions'>, object: JsonObject): void {
  functions.prune(object, () => {});
  functions.replaceNulls?.(object);
}

/**
 * Returns the bytes of an entry in the stored version. Returns the entry's own bytes unless an earlier version or
 * schema wrote them.
 */
export function storedBytes(stored: ServedResource, entry: Entry): Uint8Array {
  if (isOfEarlierSchema(stored, entry)) return changedUnderSchema(stored, entry) ?? entry.bytes;
  if (entry.outdated === undefined) return entry.bytes;
  return Buffer.from(encodeObject(stored, readAs(stored, entry)));
}

/** Returns whether an entry would be written differently now: in another version, or under another schema. */
export function isOutdated(stored: ServedResource, entry: Entry): boolean {
  if (isOfEarlierSchema(stored, entry)) return changedUnderSchema(stored, entry) !== undefined;
  return entry.outdated !== undefined;
}

/**
 * Returns whether an object was stored in a version that its kind does not have. Then nobody knows the meaning of its
 * fields.
 */
export const isStranger = (
  { sibling, module, apiVersion }: ResourceNames & ResourceVersions,
  object: Pick<ApiObject, 'apiVersion'>,
): boolean =>
  object.apiVersion !== apiVersion &&
  sibling(object.apiVersion) === undefined &&
  module.conversionWebhook === undefined;

/**
 * Returns why an entry cannot be changed: its version is unknown, so fields would be lost. Stored definitions keep the
 * versions of their objects, so this only happens to other resources.
 */
export function refusalOfStranger({ stored }: ResourceVersions, entry: Entry): Failure | undefined {
  if (entry.outdated === undefined) return undefined;
  const object = objectOf(entry);
  if (!isStranger(stored, object)) return undefined;
  const { name = '' } = object.metadata;
  return {
    reason: 'InternalError',
    message: `${stored.groupResource} ${JSON.stringify(name)} is stored in ${object.apiVersion}, which this server does not know; change it through a server that does`,
  };
}

/** Returns whether the bytes of an entry in the stored version must be made from its object, which takes time. */
export function isRewritten(stored: ResourceVersions, entry: Entry): boolean {
  if (isOfEarlierSchema(stored, entry)) return unchanged.get(entry) !== stored;
  return entry.outdated !== undefined;
}

/** Returns whether the definition of an entry's kind may have changed since the entry was written. */
const isOfEarlierSchema = ({ defined }: ResourceVersions, { revision }: Entry): boolean =>
  defined !== undefined && revision <= defined.since;

/** Entries with the same bytes under the present schema. */
const unchanged = new WeakMap<Entry, ServedResource>();

/** Returns the bytes of an entry under the present schema; `undefined` if they are the entry's own. */
function changedUnderSchema(stored: ServedResource, entry: Entry): Uint8Array | undefined {
  if (unchanged.get(entry) === stored) return undefined;
  const bytes = Buffer.from(encodeObject(stored, readAs(stored, entry)));
  if (!bytes.equals(entry.bytes)) return bytes;
  unchanged.set(entry, stored);
  return undefined;
}

/**
 * Returns an object as the present schema of its written version reads it, converted to the stored version. Changes the
 * object in place.
 */
function underSchema(stored: ServedResource, object: ApiObject): ApiObject {
  const written = object.apiVersion === stored.apiVersion ? stored : (stored.sibling(object.apiVersion) ?? stored);
  written.functions.prune(object, () => {});
  applyDefaults(written, object);
  if (written !== stored) intoStored(written, stored, object);
  else Object.assign(object, { apiVersion: stored.apiVersion, kind: stored.module.names.kind });
  return object;
}

/** Returns an object that was stored earlier in the present stored version. Changes it in place. */
export function asCurrent(stored: ServedResource, object: ApiObject, report?: ConversionReport): ApiObject {
  if (object.apiVersion === stored.apiVersion) {
    // The definition may have given the kind another name since then.
    object.kind = stored.module.names.kind;
    return object;
  }
  const older = stored.sibling(object.apiVersion);
  if (older) intoStored(older, stored, object, report);
  // An unknown version has no known fields to convert.
  else inVersion(stored, object);
  applyDefaults(stored, object);
  return object;
}

/** Returns a copy of an object, converted from one version of a resource to another, without defaults. */
export function convertBetween<T extends JsonObject>(
  from: ServedResource,
  to: ServedResource,
  object: T,
  report?: ConversionReport,
): T {
  const copy = clone(object);
  if (from !== from.stored) intoStored(from, from.stored, copy, report);
  return to === to.stored ? copy : fromStored(to, copy, report);
}

/** Returns a copy of an object in its stored version, with that version's defaults. */
export function toStored<T extends JsonObject>(resource: ServedResource, object: T): T {
  const kept = clone(object);
  if (resource === resource.stored) return kept;
  intoStored(resource, resource.stored, kept);
  applyDefaults(resource.stored, kept);
  return kept;
}

/** Converts an object of the stored version to another version, in place. */
export function fromStored<T extends JsonObject>(version: ConvertibleVersion, object: T, report?: ConversionReport): T {
  version.conversion?.fromStored(object, report);
  inVersion(version, object);
  return object;
}

/** Converts to the stored version, in place. Returns the mismatch if that version cannot have one of the values. */
export function intoStored(
  version: ConvertibleVersion,
  stored: ConvertibleVersion,
  object: JsonObject,
  report?: ConversionReport,
): TypeMismatch | undefined {
  version.conversion?.toStored(object, report, (keys, value) => fits(stored, keys, value));
  return inVersion(stored, object);
}

/**
 * Returns whether a version can have a value at a place. Custom resources accept any value here, and validate it later.
 */
function fits(
  { apiVersion, module, functions }: ConvertibleVersion,
  keys: readonly string[],
  value: JsonValue,
): boolean {
  if (module.decoding !== 'typed' || functions.normalize === undefined) return true;
  const probe: JsonObject = { apiVersion, kind: module.names.kind, metadata: {} };
  putAt(probe, clone(value), ...keys);
  return functions.normalize(probe) === undefined;
}

/**
 * Completes a conversion, in place: adds what is always present in the version, and drops unknown fields. Adds no
 * defaults: only objects that are written or stored get them.
 */
function inVersion(version: ConvertibleVersion, object: JsonObject): TypeMismatch | undefined {
  const { apiVersion, module, functions } = version;
  Object.assign(object, { apiVersion, kind: module.names.kind });
  const mismatch = module.decoding === 'typed' ? functions.normalize?.(object) : undefined;
  cleanConverted(version, object);
  return mismatch;
}

/**
 * A decoded object, and the version that it was decoded as: the schema of a resource may change while the entry stays.
 */
interface Shared {
  readonly stored: ServedResource;
  readonly object: ApiObject;
}

const shared = new WeakMap<Entry, Shared>();

/**
 * Returns an entry's object in the present stored version, for reading only. Decodes and freezes it once for all
 * callers. If a webhook converts the kind, the object is in the version that it was stored in.
 */
export function sharedObjectOf({ stored }: Pick<ServedResource, 'stored'>, entry: Entry): ApiObject {
  const known = shared.get(entry);
  if (known?.stored === stored) return known.object;
  // If only a webhook could convert the object, it stays in its written version.
  const object = stored.remote ? objectOf(entry) : readAs(stored, entry);
  freeze(object, 0);
  shared.set(entry, { stored, object });
  return object;
}

/** Returns a fresh copy of an entry's object in a version, frozen. */
export function frozenIn(resource: ServedResource, entry: Entry): ApiObject {
  const object = readAs(resource, entry);
  freeze(object, 0);
  return object;
}

const later = new Later();

function freeze(value: JsonValue | undefined, level: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (level === recursionLevels) {
    later.run(() => freeze(value, 0));
    return;
  }
  for (const child of Object.values(value)) freeze(child, level + 1);
  Object.freeze(value);
}

/** A value that could not be converted: its place in the converted object, and the reason. */
interface Fault {
  readonly place: string;
  readonly problem: string;
}

/** Runs a conversion, and returns the faults that it reports. */
function faultsOf(convert: (report: ConversionReport) => void): readonly Fault[] {
  const faults: Fault[] = [];
  convert((place, problem) => faults.push({ place, problem }));
  return faults;
}

/** Makes a refusal from faults. `apiVersion` is the version that the object cannot have. */
function refusal(
  { module, stored }: ResourceNames & ResourceVersions,
  object: JsonObject,
  apiVersion: string,
  faults: readonly Fault[],
): Failure {
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  const errors = faults.map(({ place, problem }) => {
    const said = `cannot be converted to ${apiVersion}: ${problem}`;
    return { ...invalidValue(place, null, said), message: said };
  });
  return invalid(stored.module.group, module.names.kind, name, errors);
}

/**
 * Returns the refusal of an object that cannot be converted from one version to another. Drops the converted object.
 */
export function conversionFailure(from: ServedResource, to: ServedResource, object: JsonObject): Failure | undefined {
  const faults = faultsOf((report) => convertBetween(from, to, object, report));
  return faults.length === 0 ? undefined : refusal(to, object, to.apiVersion, faults);
}

/**
 * Returns why an object cannot be shown in some version, before it is stored. So all stored objects can be read in
 * every version, unless the definition has changed.
 */
export function unreadableVersion(resource: ServedResource, object: ApiObject): Failure | undefined {
  const { stored } = resource;
  for (const version of stored.fallible) {
    const failure = conversionFailure(resource, version, object);
    if (failure) return failure;
  }
  return undefined;
}

/** Entries that are known to be readable, by version. */
const readable = new WeakMap<Entry, Set<ServedResource>>();

/** Returns why one of the entries cannot be shown in the version of a resource. */
function unreadableEntry(resource: ServedResource, entries: readonly Entry[]): Failure | undefined {
  const { fallible } = resource.stored;
  if (fallible.length === 0) return undefined;
  const mayFail = resource.conversion?.mayFail === true;
  for (const entry of entries) {
    if (!mayFail && entry.outdated === undefined) continue;
    const known = readable.get(entry) ?? new Set();
    if (known.has(resource)) continue;
    const faults = faultsOf((report) => readAs(resource, entry, report));
    if (faults.length > 0) return refusal(resource, objectOf(entry), resource.apiVersion, faults);
    readable.set(entry, known.add(resource));
  }
  return undefined;
}

// Makes sure that entries can be read in a version before they are read, because a read neither waits nor fails.

/**
 * Resolves to why entries cannot be read in the version of a resource. Returns `undefined` at once if all can be read
 * without a webhook.
 */
export function prepareToRead(
  resource: ServedResource,
  entries: readonly Entry[],
): Promise<Failure | undefined> | undefined {
  const { remote } = resource.stored;
  if (remote) return prepareRemotely(resource, entries, remote);
  const failure = unreadableEntry(resource, entries);
  return failure && Promise.resolve(failure);
}
