/** The API versions of a resource, which the paths of its managers are written in. */
import type { Failure, JsonObject, Result } from '../../contract/index.js';
import { EMPTY, type FieldSet } from '../fieldpath/field-set.js';
import { type Comparison, compare, excluding } from '../typed/compare.js';
import type { TypedPlan } from '../typed/type-plan.js';

/** A version as ownership needs it. */
export interface TypedVersion {
  readonly plan: TypedPlan;
  /** Fields that a write there cannot change and therefore does not come to own, with all below them. */
  readonly resetFields?: FieldSet;
}

/** A write of one version of a resource. */
export interface VersionedWrite {
  /** The version of the write. */
  readonly apiVersion: string;
  /** The other versions of the resource, if it has any. */
  readonly versions?: VersionSource | undefined;
  /** Whether owners in a version that the resource does not have are a mistake, as for custom resources; else they go. */
  readonly isCustom?: boolean;
}

/** Returns the first version among owners that a custom resource does not have. */
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
  /** Returns `undefined` if the resource has no such version any more. */
  readonly versionOf: (apiVersion: string) => TypedVersion | undefined;
  /** An object of one of the resource's versions in another of them. Pure: its argument is shared with others. */
  readonly convert: (object: JsonObject, from: string, to: string) => Result<JsonObject>;
}

export function resetFieldsOf(version: TypedVersion): FieldSet {
  return version.resetFields ?? EMPTY;
}

/** Versions and conversions during one write: each object is converted to each version at most once. */
export class VersionedObjects {
  private readonly converted = new Map<string, Map<JsonObject, Result<JsonObject>>>();

  constructor(
    /** The version of the write. */
    readonly apiVersion: string,
    readonly version: TypedVersion,
    private readonly others: VersionSource | undefined,
  ) {}

  /** Returns the version of that name, or `undefined` if the resource does not have it. */
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

/** A comparison, or why there is none: no such version, or a conversion that failed. */
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
    /** The comparison in the write's own version, nothing left out. */
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
