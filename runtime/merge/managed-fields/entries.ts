/** Converts managers to and from `metadata.managedFields`, and objects to the versions of the managers' fields. */
import type { Failure, JsonObject, JsonValue, ManagedFieldsEntry, Result } from '../../contract/index.js';
import { isObject, stringAt } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';
import { finish, type Steps } from '../../objects/turns.js';
import { decodeFieldSet, EMPTY, encodeInSteps, type FieldSet, isEmpty, parseFieldSet } from '../field-set.js';
import type { TypedPlan } from '../type-plan.js';
import { type Comparison, compare, excluding } from '../typed/field-sets.js';

/** Reads entries that this module wrote. */
export function decodeStored(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers: Managers = new Map();
  for (const entry of entries) {
    const record: ManagerRecord = {
      manager: entry.manager ?? '',
      operation: entry.operation ?? 'Update',
      apiVersion: entry.apiVersion ?? '',
      subresource: entry.subresource ?? '',
      time: entry.time,
      fields: entry.fieldsV1 === undefined ? EMPTY : decodeFieldSet(entry.fieldsV1),
      encoded: entry.fieldsV1,
      entry,
    };
    managers.set(managerKey(record), record);
  }
  return managers;
}

/**
 * Reads entries that a client wrote. Returns `undefined` if one is broken: it has an unknown operation or fieldsType,
 * no apiVersion, or an unreadable path or time. The last of several entries for one manager counts.
 */
export function decodeSent(entries: JsonValue): Managers | undefined {
  if (!Array.isArray(entries)) return undefined;
  const managers: Managers = new Map();
  for (const entry of entries) {
    const record = isObject(entry) ? decodeSentEntry(entry) : undefined;
    if (record === undefined) return undefined;
    managers.set(managerKey(record), record);
  }
  return managers;
}

function decodeSentEntry(entry: JsonObject): ManagerRecord | undefined {
  const operation = operationOf(stringAt(entry, 'operation'));
  const apiVersion = stringAt(entry, 'apiVersion');
  const fields = fieldsOf(entry);
  const time = timeOf(entry.time ?? null);
  if (operation === undefined || apiVersion === '' || fields === undefined || time === undefined) return undefined;
  const named = { manager: stringAt(entry, 'manager'), subresource: stringAt(entry, 'subresource') };
  return { ...named, operation, apiVersion, ...(time === '' ? {} : { time }), fields };
}

function operationOf(text: string): Operation | undefined {
  return text === 'Apply' || text === 'Update' ? text : undefined;
}

function fieldsOf(entry: JsonObject): FieldSet | undefined {
  return stringAt(entry, 'fieldsType') === 'FieldsV1' ? parseFieldSet(entry.fieldsV1 ?? null) : undefined;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Returns the time in UTC with whole seconds; an empty text for no time. */
function timeOf(value: JsonValue): string | undefined {
  if (value === null) return '';
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? undefined : `${instant.toISOString().slice(0, 19)}Z`;
}

/** Encodes the entries of all managers in the order of the API. Returns `undefined` without managers. */
export const encodeManagers = (managers: Managers): ManagedFieldsEntry[] | undefined =>
  finish(encodeManagersInSteps(managers));

/**
 * Encodes the entries in steps.
 * @param stored is returned unchanged if the managers were read from it and did not change.
 */
export function* encodeManagersInSteps(
  managers: Managers,
  stored?: ManagedFieldsEntry[],
): Steps<ManagedFieldsEntry[] | undefined> {
  if (managers.size === 0) return undefined;
  const records = [...managers.values()];
  if (records.length > 1) records.sort(compareRecords);
  const same = stored?.length === records.length && records.every(({ entry }, index) => entry === stored[index]);
  if (same) return stored;
  const entries: ManagedFieldsEntry[] = [];
  for (const record of records) entries.push(record.entry ?? (yield* encodeRecord(record)));
  return entries;
}

/** Encodes a record, with fields in the order of printing. */
function* encodeRecord(record: ManagerRecord): Steps<ManagedFieldsEntry> {
  const entry: ManagedFieldsEntry = {};
  if (record.manager !== '') entry.manager = record.manager;
  entry.operation = record.operation;
  entry.apiVersion = record.apiVersion;
  if (record.time !== undefined) entry.time = record.time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = record.encoded ?? (yield* encodeInSteps(record.fields));
  if (record.subresource !== '') entry.subresource = record.subresource;
  return entry;
}

/**
 * Compares records. Appliers come first. Then compares by time, with records without time first, then by name, version
 * and subresource.
 */
function compareRecords(a: ManagerRecord, b: ManagerRecord): number {
  return (
    byCodePoint(a.operation, b.operation) ||
    byCodePoint(a.time ?? '', b.time ?? '') ||
    byCodePoint(a.manager, b.manager) ||
    byCodePoint(a.apiVersion, b.apiVersion) ||
    byCodePoint(a.subresource, b.subresource)
  );
}

/** `Apply` for applies, `Update` for every other write. */
type Operation = 'Apply' | 'Update';

/** The fields of one manager. */
export interface ManagerRecord {
  readonly manager: string;
  readonly operation: Operation;
  /** The version of the paths. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The time of the manager's last change, RFC 3339 seconds in UTC; absent if an apply changed nothing. */
  readonly time?: string | undefined;
  readonly fields: FieldSet;
  /** The FieldsV1 of `fields`, if known. */
  readonly encoded?: JsonObject | undefined;
  /** The entry that this record was read from, if the record did not change. */
  readonly entry?: ManagedFieldsEntry | undefined;
}

/** Records by `managerKey`. */
export type Managers = Map<string, ManagerRecord>;

/**
 * Returns the key of a manager. An applier is the same manager in all versions. An updater is a different manager in
 * each version. Keys sort by the manager's name first.
 */
export function managerKey(of: Pick<ManagerRecord, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = of.operation === 'Apply' ? '' : of.apiVersion;
  return `${of.manager}\0${of.operation}\0${version}\0${of.subresource}`;
}

/** Returns the record with other fields, or the same record if they are equal. */
export function withFields(record: ManagerRecord, fields: FieldSet): ManagerRecord {
  if (fields === record.fields) return record;
  const { manager, operation, apiVersion, subresource, time } = record;
  return { manager, operation, apiVersion, subresource, time, fields };
}

/**
 * Returns the record with another time, or the same record if it is equal.
 * @param encoded the encoded fields, if the caller knows them.
 */
export function at(record: ManagerRecord, time: string | undefined, encoded = record.encoded): ManagerRecord {
  if (record.time === time && record.encoded === encoded) return record;
  const { manager, operation, apiVersion, subresource, fields } = record;
  return { manager, operation, apiVersion, subresource, time, fields, encoded };
}

/** Sets a record, or removes it if it owns nothing. */
export function putRecord(managers: Managers, key: string, record: ManagerRecord): void {
  if (isEmpty(record.fields)) managers.delete(key);
  else managers.set(key, record);
}

/** The parts of a version that field ownership needs. */
export interface TypedVersion {
  readonly plan: TypedPlan;
  /**
   * Fields that a write in this version cannot change, with all fields below them. The writer does not become their
   * owner.
   */
  readonly resetFields?: FieldSet;
}

/** A write in one version of a resource. */
export interface VersionedWrite {
  /** The version of the write. */
  readonly apiVersion: string;
  /** The other versions of the resource, if any. */
  readonly versions?: VersionSource | undefined;
  /**
   * Whether this is a custom resource. For it, managers of a version that does not exist are an error; otherwise they
   * are removed.
   */
  readonly isCustom?: boolean;
}

/** Returns the first version of `owners` that a custom resource does not have. */
export function strangeVersion(
  { apiVersion, versions, isCustom = false }: VersionedWrite,
  owners: Iterable<{ readonly apiVersion?: string | undefined }>,
): string | undefined {
  if (!isCustom) return undefined;
  for (const { apiVersion: version = '' } of owners) {
    if (version !== apiVersion && versions?.versionOf(version) === undefined) return version;
  }
  return undefined;
}

/** Knows a resource's versions and converts between them. */
export interface VersionSource {
  /** Returns a version, or `undefined` if the resource no longer has it. */
  readonly versionOf: (apiVersion: string) => TypedVersion | undefined;
  /**
   * Converts an object between two versions of the resource. Must not change its argument, because other code uses it
   * too.
   */
  readonly convert: (object: JsonObject, from: string, to: string) => Result<JsonObject>;
}

export function resetFieldsOf(version: TypedVersion): FieldSet {
  return version.resetFields ?? EMPTY;
}

/** The versions and conversions of one write. Converts each object to each version at most once. */
export class VersionedObjects {
  private readonly converted = new Map<string, Map<JsonObject, Result<JsonObject>>>();

  constructor(
    /** The version of the write. */
    readonly apiVersion: string,
    readonly version: TypedVersion,
    private readonly others: VersionSource | undefined,
  ) {}

  /** Returns a version by its name, or `undefined` if the resource does not have it. */
  versionOf(apiVersion: string): TypedVersion | undefined {
    return apiVersion === this.apiVersion ? this.version : this.others?.versionOf(apiVersion);
  }

  convert(object: JsonObject, from: string, to: string): Result<JsonObject> {
    if (from === to || this.others === undefined) return { ok: true, value: object };
    const known = this.converted.get(to) ?? new Map<JsonObject, Result<JsonObject>>();
    this.converted.set(to, known);
    const done = known.get(object) ?? this.others.convert(object, from, to);
    known.set(object, done);
    return done;
  }
}

/** A comparison, or the reason for none: no such version, or a failed conversion. */
type VersionedComparison =
  | { readonly is: 'known'; readonly comparison: Comparison }
  | { readonly is: 'no-version' }
  | { readonly is: 'failed'; readonly failure: Failure };

export class VersionedChange {
  private readonly comparisons = new Map<string, VersionedComparison>();

  constructor(
    readonly objects: VersionedObjects,
    private readonly old: JsonObject,
    private readonly next: JsonObject,
    /** The full comparison in the write's own version. */
    readonly own: Comparison,
  ) {
    this.comparisons.set(objects.apiVersion, withoutResetFields(objects.version, own));
  }

  /** Returns the comparison in a version, without fields that a write cannot change there. */
  in(apiVersion: string): VersionedComparison {
    const known = this.comparisons.get(apiVersion) ?? this.compareIn(apiVersion);
    this.comparisons.set(apiVersion, known);
    return known;
  }

  private compareIn(apiVersion: string): VersionedComparison {
    const { objects } = this;
    const version = objects.versionOf(apiVersion);
    if (version === undefined) return { is: 'no-version' };
    const old = objects.convert(this.old, objects.apiVersion, apiVersion);
    if (!old.ok) return { is: 'failed', failure: old.failure };
    const next = objects.convert(this.next, objects.apiVersion, apiVersion);
    if (!next.ok) return { is: 'failed', failure: next.failure };
    return withoutResetFields(version, compare(version.plan.root, old.value, next.value));
  }
}

function withoutResetFields(version: TypedVersion, comparison: Comparison): VersionedComparison {
  return { is: 'known', comparison: excluding(comparison, resetFieldsOf(version)) };
}
