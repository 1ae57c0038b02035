/** Takes from managers what a write changed under them. */
import type { Result } from '../../contract/index.js';
import { type FieldSet, isEmpty } from '../fieldpath/field-set.js';
import { difference, intersection, union } from '../fieldpath/set-algebra.js';
import { reconcile } from '../typed/merge.js';
import { type Managers, putRecord, withFields } from './entries.js';
import type { VersionedChange, VersionedObjects } from './versions.js';

/** Brings all records into the shape of the present schemas, in place. Records of unknown versions stay unchanged. */
export function reconcileManagers(managers: Managers, objects: VersionedObjects): void {
  for (const [key, record] of managers) {
    const version = objects.versionOf(record.apiVersion);
    if (version === undefined) continue;
    const kept = withFields(record, reconcile(version.plan.root, record.fields));
    if (kept !== record) managers.set(key, kept);
  }
}

/**
 * Returns the written fields that managers other than the writer own, by manager key. Fails where a conversion does.
 */
export function findConflicts(
  managers: Managers,
  change: VersionedChange,
  writer: string,
): Result<Map<string, FieldSet>> {
  const conflicts = new Map<string, FieldSet>();
  for (const [key, record] of managers) {
    if (key === writer) continue;
    const seen = change.in(record.apiVersion);
    if (seen.is === 'failed') return { ok: false, failure: seen.failure };
    const lost = seen.is === 'known' ? intersection(record.fields, seen.comparison.written) : undefined;
    if (lost !== undefined && !isEmpty(lost)) conflicts.set(key, lost);
  }
  return { ok: true, value: conflicts };
}

/**
 * Takes what was written or removed from every manager except the writer, in place, and removes managers of unknown
 * versions. A manager keeps its fields if the objects cannot be converted to its version.
 */
export function takeFromOthers(managers: Managers, change: VersionedChange, writer: string | undefined): void {
  for (const [key, record] of managers) {
    if (key === writer) continue;
    const seen = change.in(record.apiVersion);
    if (seen.is === 'no-version') managers.delete(key);
    if (seen.is !== 'known') continue;
    const touched = union(seen.comparison.written, seen.comparison.removed);
    putRecord(managers, key, withFields(record, difference(record.fields, touched)));
  }
}
