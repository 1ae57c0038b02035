/** The API versions of a resource, which the paths of its managers are written in. */
import type { JsonObject, Result } from '../../contract/index.js';
import { EMPTY, type FieldSet } from '../fieldpath/field-set.js';
import type { TypedPlan } from '../typed/type-plan.js';

/** A version as ownership needs it. */
export interface TypedVersion {
  readonly plan: TypedPlan;
  /** Fields that a write there cannot change and therefore does not come to own, with all below them. */
  readonly resetFields?: FieldSet;
}

/** Knows a resource's versions and converts between them. */
export interface VersionSource {
  /** `undefined` where the resource has no such version (any more); its managers are then forgotten. */
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

  /** The version of that name, `undefined` where the resource has none. */
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
