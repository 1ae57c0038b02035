/** Takes the parts that all versions of a definition have in common out of them, as errors report these once. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { getOwn } from '../../../runtime/objects/guards.js';

/** A definition's versions, parted from what is the same in all of them. */
export interface PartedVersions<Version> {
  /** A schema, subresources, columns and selectable fields, each only where all versions have the same. */
  readonly common: Version | undefined;
  /** The versions without that. */
  readonly versions: readonly Version[];
}

const sharable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** Parts the versions of a definition's spec. All parts of a single version are common. */
export function partVersions<Version extends JsonObject>(versions: readonly Version[]): PartedVersions<Version> {
  const [first, ...rest] = versions;
  if (first === undefined) return { common: undefined, versions };
  const part = (version: JsonObject, key: string) => getOwn(version, key) ?? null;
  const common: ReadonlySet<string> = new Set(
    sharable.filter((key) => rest.every((version) => equal(part(version, key), part(first, key)))),
  );
  // Fields can be selected by the schema that they are in, so they are not common without it.
  const isCommon = (key: string) => common.has(key) && (key !== 'selectableFields' || common.has('schema'));
  return {
    common: withFields(first, isCommon),
    versions: versions.map((version) => withFields(version, (key) => !isCommon(key))),
  };
}

/** A copy of an object with some of its fields. */
function withFields<T extends JsonObject>(object: T, keeps: (key: string) => boolean): T {
  const copy = { ...object };
  const fields: JsonObject = copy;
  for (const key of Object.keys(fields)) if (!keeps(key)) delete fields[key];
  return copy;
}
