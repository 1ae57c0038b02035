/** The other API versions of a resource, which the paths of some managers are written in. */
import type { ApiObject } from '../../contract/index.js';
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
  /** The object in another of the resource's versions. Pure. */
  readonly convert: (object: ApiObject, apiVersion: string) => ApiObject;
}

export function resetFieldsOf(version: TypedVersion): FieldSet {
  return version.resetFields ?? EMPTY;
}

/** Versions and conversions during one write: each object is converted to each version at most once. */
export class VersionedObjects {
  private readonly converted = new Map<string, Map<ApiObject, ApiObject>>();

  constructor(
    readonly apiVersion: string,
    private readonly version: TypedVersion,
    private readonly others: VersionSource | undefined,
  ) {}

  /** The version of that name, `undefined` where the resource has none. */
  versionOf(apiVersion: string): TypedVersion | undefined {
    return apiVersion === this.apiVersion ? this.version : this.others?.versionOf(apiVersion);
  }

  /** An object of version `from` in version `to`. */
  convert(object: ApiObject, from: string, to: string): ApiObject {
    if (from === to || this.others === undefined) return object;
    const known = this.converted.get(to) ?? new Map<ApiObject, ApiObject>();
    this.converted.set(to, known);
    const done = known.get(object) ?? this.others.convert(object, to);
    known.set(object, done);
    return done;
  }
}
