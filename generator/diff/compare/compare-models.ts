/** Finds where two models differ: resource by resource, version by version. Skips parts that are the same object. */
import { qualifiedName } from '../../../runtime/objects/names/names.js';
import type { Model, ResourceModel } from '../../model/model.js';
import { baseOf, convertedTo } from '../../model/turned-conversion.js';
import { compare } from '../../write/order.js';
import type { DiffedVersion, Difference } from '../difference.js';
import { compareResources } from './compare-resources.js';
import { compareSchemas } from './compare-schemas.js';
import { compareVersions } from './compare-versions.js';

/** A version in both models, with at least one difference. */
export interface ComparedVersion {
  readonly old: DiffedVersion;
  readonly new: DiffedVersion;
  readonly differences: readonly Difference[];
}

/** A resource in at least one model, with its differences. */
export interface ComparedResource {
  /** `<plural>.<group>`. */
  readonly name: string;
  readonly old?: ResourceModel;
  readonly new?: ResourceModel;
  /** The differences of the resource as a whole, including versions that only one model has. */
  readonly differences: readonly Difference[];
  /** In the order of the old definition. */
  readonly versions: readonly ComparedVersion[];
}

/** Compares the resources that differ, by group and plural. */
export function compareModels(old: Model, next: Model): readonly ComparedResource[] {
  const left = byName(old);
  const right = byName(next);
  const names = [...new Set([...left.keys(), ...right.keys()])].sort(compare);
  return names.flatMap((name) => {
    const [was, is] = [left.get(name), right.get(name)];
    if (isSame(was, is)) return [];
    const compared = compareResource(name, was, is);
    return compared.differences.length === 0 && compared.versions.length === 0 ? [] : [compared];
  });
}

/**
 * Returns whether two resources cannot differ: they are one object, or have the same text and depend on no other file.
 */
function isSame(old: ResourceModel | undefined, next: ResourceModel | undefined): boolean {
  if (old === next) return true;
  return old?.decoding === 'structural' && next?.decoding === 'structural' && old.source.hash === next.source.hash;
}

const byName = ({ resources }: Model): ReadonlyMap<string, ResourceModel> =>
  new Map(resources.map((resource) => [nameOf(resource), resource]));

/** Returns `<plural>.<group>`, or the plural alone in the core group. */
export const nameOf = ({ group, names }: ResourceModel): string => qualifiedName(group, names.plural);

function compareResource(
  name: string,
  old: ResourceModel | undefined,
  next: ResourceModel | undefined,
): ComparedResource {
  const sides = { ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
  const differences = compareResources(old, next).map((each) => ({ resource: name, ...each }));
  return { name, ...sides, differences, versions: old && next ? versionsOf(name, old, next) : [] };
}

function versionsOf(name: string, old: ResourceModel, next: ResourceModel): readonly ComparedVersion[] {
  const base = baseOf(old.versions);
  const [left, right] = [convertedTo(base, old.versions), convertedTo(base, next.versions)];
  return old.versions.flatMap((was, index) => {
    const at = next.versions.findIndex((version) => version.name === was.name);
    const is = next.versions[at];
    if (is === undefined) return [];
    const found = [...compareVersions(left[index] ?? was, right[at] ?? is), ...compareSchemas(was.schema, is.schema)];
    if (found.length === 0) return [];
    const differences = found.map((each) => ({ resource: name, version: was.name, ...each }));
    return [{ old: { resource: old, version: was }, new: { resource: next, version: is }, differences }];
  });
}
