/** Takes what all versions of a definition have in common out of them, as errors tell of it once. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { objectsAt } from '../../shared/reading.js';

/** A definition's versions, parted from what is the same in all of them. */
export interface PartedVersions {
  /** A schema, subresources, columns and selectable fields, each only where all versions have the same. */
  readonly common: JsonObject;
  /** The versions without that. */
  readonly versions: readonly JsonObject[];
}

const sharable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** Parts the versions of a definition's spec. What one version alone has is common to all. */
export function partVersions(spec: JsonObject): PartedVersions {
  const versions = objectsAt(spec, 'versions');
  const [first, ...rest] = versions;
  if (first === undefined) return { common: {}, versions };
  const common: JsonObject = {};
  for (const key of sharable) {
    const value = getOwn(first, key) ?? null;
    if (rest.every((version) => equal(getOwn(version, key) ?? null, value))) common[key] = value;
  }
  // By which fields objects can be selected depends on what these are.
  if (!Object.hasOwn(common, 'schema')) delete common.selectableFields;
  return { common, versions: versions.map((version) => without(version, common)) };
}

function without(version: JsonObject, common: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(version).filter(([key]) => !Object.hasOwn(common, key)));
}
