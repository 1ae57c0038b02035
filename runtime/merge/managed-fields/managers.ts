/** The owners of fields, in memory: one record per manager, operation, version and subresource. */
import type { JsonObject, ManagedFieldsEntry } from '../../contract/index.js';
import { type FieldSet, isEmpty } from '../fieldpath/field-set.js';

/** `Apply` for configurations that were applied, `Update` for every other write. */
export type Operation = 'Apply' | 'Update';

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
  /** The FieldsV1 of `fields`, where it is known. */
  readonly encoded?: JsonObject | undefined;
  /** The entry that this record was read from, as long as it says the same. */
  readonly entry?: ManagedFieldsEntry | undefined;
}

/** Records by `managerKey`. */
export type Managers = Map<string, ManagerRecord>;

/**
 * The key of a manager. An applier is the same manager whichever version it applies in; an updater is another
 * one in each version. Keys sort by the manager's name first.
 */
export function managerKey(of: Pick<ManagerRecord, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = of.operation === 'Apply' ? '' : of.apiVersion;
  return `${of.manager}\0${of.operation}\0${version}\0${of.subresource}`;
}

/** The record with other fields; the record itself where they are the same. */
export function withFields(record: ManagerRecord, fields: FieldSet): ManagerRecord {
  if (fields === record.fields) return record;
  const { manager, operation, apiVersion, subresource, time } = record;
  return { manager, operation, apiVersion, subresource, time, fields };
}

/**
 * The record with another time; the record itself where it is the same.
 * @param encoded what its fields are encoded as, where that is known from elsewhere.
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
