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
  if (!equal(stored.map(withoutTime), entries.map(withoutTime))) return entries;
  return equal(withoutEntries(live), withoutEntries(next)) ? stored : entries;
}

function withoutTime(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { time: _, ...rest } = entry;
  return rest;
}

function withoutEntries(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
