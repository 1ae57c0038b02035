/** Managers to and from `metadata.managedFields`. */
import type { JsonObject, JsonValue, ManagedFieldsEntry } from '../../contract/index.js';
import { isObject, stringAt } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';
import { finish, type Steps } from '../../objects/turns.js';
import { EMPTY, type FieldSet, isEmpty } from '../fieldpath/field-set.js';
import { decodeFieldSet, encodeInSteps, parseFieldSet } from '../fieldpath/fields-v1.js';

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
 * Reads entries that a client wrote. Returns `undefined` if one is broken: an unknown operation or fieldsType, no
 * apiVersion, an unreadable path or time. The last one of several entries for the same manager counts.
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

/** Returns the time in UTC with whole seconds; empty if there is none. */
function timeOf(value: JsonValue): string | undefined {
  if (value === null) return '';
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? undefined : `${instant.toISOString().slice(0, 19)}Z`;
}

/**
 * Encodes the entries of all managers in the order of the API; `undefined` for no managers.
 * @param stored returned itself if the managers were read from it and did not change.
 */
export const encodeManagers = (managers: Managers, stored?: ManagedFieldsEntry[]): ManagedFieldsEntry[] | undefined =>
  finish(encodeManagersInSteps(managers, stored));

/** Encodes the entries in steps. */
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
 * Compares records: appliers first; then by time, records without time first; then by name, version and subresource.
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

/** `Apply` for configurations that were applied, `Update` for every other write. */
type Operation = 'Apply' | 'Update';

/** The fields of one manager. */
export interface ManagerRecord {
  readonly manager: string;
  readonly operation: Operation;
  /** The version that the paths are of. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Of the manager's last change, RFC 3339 seconds in UTC; absent where an apply changed nothing. */
  readonly time?: string | undefined;
  readonly fields: FieldSet;
  /** The FieldsV1 of `fields`, if known. */
  readonly encoded?: JsonObject | undefined;
  /** The entry that this record was read from, as long as it says the same. */
  readonly entry?: ManagedFieldsEntry | undefined;
}

/** Records by `managerKey`. */
export type Managers = Map<string, ManagerRecord>;

/**
 * Returns the key of a manager. An applier is the same manager in all versions; an updater is another manager in each
 * version. Keys sort by the manager's name first.
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
 * @param encoded the encoded fields, if known from elsewhere.
 */
export function at(record: ManagerRecord, time: string | undefined, encoded = record.encoded): ManagerRecord {
  if (record.time === time && record.encoded === encoded) return record;
  const { manager, operation, apiVersion, subresource, fields } = record;
  return { manager, operation, apiVersion, subresource, time, fields, encoded };
}

/** Sets a record, or removes it when it owns nothing. */
export function putRecord(managers: Managers, key: string, record: ManagerRecord): void {
  if (isEmpty(record.fields)) managers.delete(key);
  else managers.set(key, record);
}
