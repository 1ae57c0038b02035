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
import type { ResourceNames, ResourceVersions, ServedResource } from './served-resource.js';
import { applyDefaults, encodeObject, objectOf } from './stored-object.js';

/** The parts of a version that conversion depends on. */
export type ConvertibleVersion = Pick<ServedResource, 'apiVersion' | 'module' | 'functions' | 'conversion'>;

/** A fresh copy of an entry's object in the version of a resource, free to be changed. */
export function readAs(resource: ServedResource, entry: Entry, report?: ConversionReport): ApiObject {
  const { stored } = resource;
  const written = objectOf(entry);
  if (stored.remote && written.apiVersion !== resource.apiVersion) return readConverted(resource, entry);
  const object = isOfEarlierSchema(stored, entry) ? underSchema(stored, written) : asCurrent(stored, written, report);
  return resource === stored ? object : fromStored(resource, object, report);
}

/** An entry's object as a webhook converted it, which has to have been asked before. */
function readConverted(resource: ServedResource, entry: Entry): ApiObject {
  const object = preparedObject(resource, entry);
  if (!object) throw new Error(`${entry.key} was not converted to ${resource.apiVersion} before it was read`);
  cleanConverted(resource, object);
  return object;
}

/** Removes from an object, in place, what a conversion may leave and a request may not: unknown fields, and wrong nulls. */
export function cleanConverted({ functions }: Pick<ConvertibleVersion, 'functions'>, object: JsonObject): void {
  functions.prune(object, () => {});
  functions.replaceNulls?.(object);
}

/** The bytes of an entry in the stored version, which are its own unless an earlier version or schema wrote them. */
export function storedBytes(stored: ServedResource, entry: Entry): Uint8Array {
  if (isOfEarlierSchema(stored, entry)) return changedUnderSchema(stored, entry) ?? entry.bytes;
  if (entry.outdated === undefined) return entry.bytes;
  return Buffer.from(encodeObject(stored, readAs(stored, entry)));
}

/** Whether an entry would be written in another way now: in another version, or under another schema. */
export function isOutdated(stored: ServedResource, entry: Entry): boolean {
  if (isOfEarlierSchema(stored, entry)) return changedUnderSchema(stored, entry) !== undefined;
  return entry.outdated !== undefined;
}

/** Whether an object was stored in a version that its kind does not have, so that nobody can say what its fields mean. */
export const isStranger = (
  { sibling, module }: ResourceNames & ResourceVersions,
  { apiVersion }: Pick<ApiObject, 'apiVersion'>,
): boolean => sibling(apiVersion) === undefined && module.conversionWebhook === undefined;

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

/** Whether the bytes of an entry in the stored version have to be made of its object, which takes time. */
export function isRewritten(stored: ResourceVersions, entry: Entry): boolean {
  if (isOfEarlierSchema(stored, entry)) return unchanged.get(entry) !== stored;
  return entry.outdated !== undefined;
}

/** Whether the definition of an entry's kind may have changed since it was written. */
const isOfEarlierSchema = ({ defined }: ResourceVersions, { revision }: Entry): boolean =>
  defined !== undefined && revision <= defined.since;

/** Entries that have the same bytes under the present schema. */
const unchanged = new WeakMap<Entry, ServedResource>();

/** The bytes of an entry under the present schema; undefined where they are its own. */
function changedUnderSchema(stored: ServedResource, entry: Entry): Uint8Array | undefined {
  if (unchanged.get(entry) === stored) return undefined;
  const bytes = Buffer.from(encodeObject(stored, readAs(stored, entry)));
  if (!bytes.equals(entry.bytes)) return bytes;
  unchanged.set(entry, stored);
  return undefined;
}

/**
 * An object as the schema of the version that it was written in has it now, in the stored version; changed in place.
 */
function underSchema(stored: ServedResource, object: ApiObject): ApiObject {
  const written = object.apiVersion === stored.apiVersion ? stored : (stored.sibling(object.apiVersion) ?? stored);
  written.functions.prune(object, () => {});
  applyDefaults(written, object);
  if (written !== stored) intoStored(written, stored, object);
  else Object.assign(object, { apiVersion: stored.apiVersion, kind: stored.module.names.kind });
  return object;
}

/** An object as it was stored once, in the version that is stored now; changed in place. */
export function asCurrent(stored: ServedResource, object: ApiObject, report?: ConversionReport): ApiObject {
  if (object.apiVersion === stored.apiVersion) return object;
  const older = stored.sibling(object.apiVersion);
  if (older) intoStored(older, stored, object, report);
  // A version that nobody knows any more has nothing to tell of its fields.
  else inVersion(stored, object);
  applyDefaults(stored, object);
  return object;
}

/** A copy of an object of one version of a resource in another of them, without defaults. */
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

/** A copy of an object in the version that it is stored in, with that version's defaults. */
export function toStored<T extends JsonObject>(resource: ServedResource, object: T): T {
  const kept = clone(object);
  if (resource === resource.stored) return kept;
  intoStored(resource, resource.stored, kept);
  applyDefaults(resource.stored, kept);
  return kept;
}

/** Brings an object of the stored version into another one, in place. */
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

/** Whether a version can have a value at a place. Custom resources take any value here, and validate it. */
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
 * Ends a conversion, in place: adds what is always present in the version, and drops unknown fields. Adds no defaults:
 * those are for objects that are written or stored.
 */
function inVersion(version: ConvertibleVersion, object: JsonObject): TypeMismatch | undefined {
  const { apiVersion, module, functions } = version;
  Object.assign(object, { apiVersion, kind: module.names.kind });
  const mismatch = module.decoding === 'typed' ? functions.normalize?.(object) : undefined;
  cleanConverted(version, object);
  return mismatch;
}

/** A decoded object and the version it was decoded as: the schema of a resource may change under an entry. */
interface Shared {
  readonly stored: ServedResource;
  readonly object: ApiObject;
}

const shared = new WeakMap<Entry, Shared>();

/**
 * An entry's object in the version that is stored now, for reading only: decoded once for all who ask, and frozen
 * through and through. Where a webhook converts, it is in the version that it was stored in.
 */
export function sharedObjectOf({ stored }: Pick<ServedResource, 'stored'>, entry: Entry): ApiObject {
  const known = shared.get(entry);
  if (known?.stored === stored) return known.object;
  // An object that only a webhook could convert stays in the version that it was written in.
  const object = stored.remote ? objectOf(entry) : readAs(stored, entry);
  freeze(object, 0);
  shared.set(entry, { stored, object });
  return object;
}

/** A fresh copy of an entry's object in a version, frozen. */
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

/** A value that could not be converted: the place that it would have had, and why. */
interface Fault {
  readonly place: string;
  readonly problem: string;
}

/** Does something that converts; returns what was reported meanwhile. */
function faultsOf(convert: (report: ConversionReport) => void): readonly Fault[] {
  const faults: Fault[] = [];
  convert((place, problem) => faults.push({ place, problem }));
  return faults;
}

/** Puts faults in the words of a refusal; `apiVersion` is the version that the object cannot have. */
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

/** The refusal of an object that cannot be brought from one version to another; nothing is kept of the result. */
export function conversionFailure(from: ServedResource, to: ServedResource, object: JsonObject): Failure | undefined {
  const faults = faultsOf((report) => convertBetween(from, to, object, report));
  return faults.length === 0 ? undefined : refusal(to, object, to.apiVersion, faults);
}

/**
 * Returns why an object that is to be stored cannot be shown in some version. So all stored objects can be read in
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

/** Entries that were found to be readable, by version. */
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

// Sees to it that entries can be read in a version, before they are: reading itself neither waits nor fails.

/**
 * Resolves to why entries cannot be read in the version of a resource. Returns `undefined` at once if all can be read
 * without asking a webhook.
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
