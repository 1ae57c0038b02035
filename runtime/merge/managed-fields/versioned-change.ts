/** The change of a write in every version that some manager's paths are in. */
import type { Failure, JsonObject } from '../../contract/index.js';
import { type Comparison, compare, excluding } from '../typed/compare.js';
import { resetFieldsOf, type TypedVersion, type VersionedObjects } from './versions.js';

/** A comparison, or why there is none: no such version, or a conversion that failed. */
export type VersionedComparison =
  | { readonly is: 'known'; readonly comparison: Comparison }
  | { readonly is: 'no-version' }
  | { readonly is: 'failed'; readonly failure: Failure };

export class VersionedChange {
  private readonly comparisons = new Map<string, VersionedComparison>();

  constructor(
    readonly objects: VersionedObjects,
    private readonly old: JsonObject,
    private readonly next: JsonObject,
    /** The comparison in the write's own version, nothing left out. */
    readonly own: Comparison,
  ) {
    this.comparisons.set(objects.apiVersion, withoutResetFields(objects.version, own));
  }

  /** The comparison in a version, without what a write there cannot change. */
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
