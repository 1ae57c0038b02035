/** Tells writes that change nothing but the times of managers, which are not written. */
import type { ApiObject, ManagedFieldsEntry } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';

/**
 * The entries to store: those of the live object where the others differ from them in nothing but times and the
 * objects are otherwise the same; then the write changes nothing and need not happen.
 */
export function keepTimesOfNoOp(
  live: ApiObject,
  next: ApiObject,
  entries: ManagedFieldsEntry[] | undefined,
): ManagedFieldsEntry[] | undefined {
  const stored = live.metadata.managedFields;
  if (stored === entries || stored === undefined || entries === undefined) return entries;
  if (stored.length !== entries.length) return entries;
  if (!stored.every((entry, index) => isSameButTime(entry, entries[index]))) return entries;
  return equal(withoutEntries(live), withoutEntries(next)) ? stored : entries;
}

/** The fields of an entry besides its time. */
const lasting = ['manager', 'operation', 'apiVersion', 'subresource', 'fieldsType', 'fieldsV1'] as const;

function isSameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry | undefined): boolean {
  return a === b || (b !== undefined && lasting.every((field) => equal(a[field], b[field])));
}

function withoutEntries(object: ApiObject): ApiObject {
  return { ...object, metadata: { ...object.metadata, managedFields: undefined } };
}
