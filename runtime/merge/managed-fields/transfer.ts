/** Takes from managers what a write changed under them. */
import type { ApiObject } from '../../contract/index.js';
import type { FieldSet } from '../fieldpath/field-set.js';
import { difference, intersection, union } from '../fieldpath/set-algebra.js';
import { type Comparison, compare, excluding, isSame } from '../typed/compare.js';
import { reconcile } from '../typed/reconcile.js';
import { type Managers, putRecord, withFields } from './managers.js';
import { resetFieldsOf, type VersionedObjects } from './versions.js';

/** What a write did, seen in every version that some manager's paths are in. */
export class VersionedChange {
  private readonly comparisons = new Map<string, Comparison | undefined>();

  constructor(
    readonly objects: VersionedObjects,
    private readonly old: ApiObject,
    private readonly next: ApiObject,
    /** The comparison in the write's own version, nothing left out. */
    readonly own: Comparison,
  ) {
    this.comparisons.set(objects.apiVersion, withoutResetFields(objects, objects.apiVersion, own));
  }

  /** The comparison in a version without its reset fields; `undefined` where there is no such version. */
  in(apiVersion: string): Comparison | undefined {
    if (!this.comparisons.has(apiVersion)) this.comparisons.set(apiVersion, this.compareIn(apiVersion));
    return this.comparisons.get(apiVersion);
  }

  private compareIn(apiVersion: string): Comparison | undefined {
    const { objects } = this;
    const version = objects.versionOf(apiVersion);
    if (version === undefined) return undefined;
    const old = objects.convert(this.old, objects.apiVersion, apiVersion);
    const next = objects.convert(this.next, objects.apiVersion, apiVersion);
    return withoutResetFields(objects, apiVersion, compare(version.plan.root, old, next));
  }
}

function withoutResetFields(objects: VersionedObjects, apiVersion: string, comparison: Comparison): Comparison {
  const version = objects.versionOf(apiVersion);
  return version === undefined ? comparison : excluding(comparison, resetFieldsOf(version));
}

/** Brings all records into the shape of the present schemas, in place. Those of unknown versions are left to others. */
export function reconcileManagers(managers: Managers, objects: VersionedObjects): void {
  for (const [key, record] of managers) {
    const version = objects.versionOf(record.apiVersion);
    if (version === undefined) continue;
    managers.set(key, withFields(record, reconcile(version.plan.root, record.fields)));
  }
}

/** What every other manager owns of what was written, by manager key. */
export function findConflicts(managers: Managers, change: VersionedChange, writer: string): Map<string, FieldSet> {
  const conflicts = new Map<string, FieldSet>();
  for (const [key, record] of managers) {
    const comparison = key === writer ? undefined : change.in(record.apiVersion);
    if (comparison === undefined) continue;
    const lost = intersection(record.fields, comparison.written);
    if (lost.children.size > 0) conflicts.set(key, lost);
  }
  return conflicts;
}

/** Takes what was written or removed from every manager but the writer, in place; forgets unknown versions. */
export function takeFromOthers(managers: Managers, change: VersionedChange, writer: string | undefined): void {
  for (const [key, record] of managers) {
    if (key === writer) continue;
    const comparison = change.in(record.apiVersion);
    if (comparison === undefined) managers.delete(key);
    else if (!isSame(comparison)) {
      putRecord(managers, key, withFields(record, difference(record.fields, touched(comparison))));
    } else putRecord(managers, key, record);
  }
}

function touched(comparison: Comparison): FieldSet {
  return union(comparison.written, comparison.removed);
}
