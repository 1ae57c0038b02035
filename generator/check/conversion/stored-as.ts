/** Rules between the versions that share what is stored: it has to be there, and conversions may lose nothing of it. */

import type { Problem } from '../../diagnostics/problem.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import { findLosses, type Loss, type ProvenVersion } from './prove.js';

/** Losses by the version and the stored one: what has not changed is not proven again. */
const proven = new WeakMap<VersionModel, { readonly stored: VersionModel; readonly losses: readonly Loss[] }>();

/** All resources by `<group>/<plural>`, and those among them that nothing is wrong with by themselves. */
interface KnownResources {
  readonly all: ReadonlyMap<string, ResourceModel>;
  readonly sound: ReadonlySet<ResourceModel>;
}

/** Finds mistakes in the way a resource is stored. */
export function checkStoredAs(resource: ResourceModel, { all, sound }: KnownResources): readonly Problem[] {
  const { storedAs } = resource;
  const owner = storedAs ? all.get(`${storedAs.group}/${storedAs.plural}`) : resource;
  const version = owner?.versions.find(({ storage }) => storage);
  if (storedAs && (!owner || owner.storedAs || owner.names.kind !== resource.names.kind)) {
    const name = storedAs.group === '' ? storedAs.plural : `${storedAs.plural}.${storedAs.group}`;
    const message = owner
      ? `objects cannot be stored as ${name}, ${owner.storedAs ? 'which are stored elsewhere themselves' : `whose kind is ${owner.names.kind}`}`
      : `there is no definition of ${name}`;
    return [{ code: 'KF4032', path: ['spec', 'storedAs'], message }];
  }
  if (!owner || !version || !sound.has(owner) || resource.decoding !== 'typed') return [];
  const stored: ProvenVersion = { resource: owner, version };
  return resource.versions.flatMap((each, index) =>
    each === version || each.conversion?.function !== undefined
      ? []
      : lossesOf({ resource, version: each }, stored, index),
  );
}

function lossesOf(one: ProvenVersion, stored: ProvenVersion, index: number): readonly Problem[] {
  const known = proven.get(one.version);
  const losses = known?.stored === stored.version ? known.losses : findLosses(one, stored);
  proven.set(one.version, { stored: stored.version, losses });
  const [own, other] = [nameOf(one), nameOf(stored)];
  return losses.map(({ of, path }) => {
    const [from, to] = of === 'this' ? [own, other] : [other, own];
    return {
      ...(one.version.conversion
        ? { code: 'KF4033', path: ['spec', 'versions', index, 'conversion'], at: 'key' }
        : { code: 'KF4034', path: ['spec', 'versions', index, 'name'] }),
      message: `\`${path}\` of ${from} would be lost in ${to}`,
      suggestion: 'say in `conversion` where it goes, keep it in an annotation, or give the reason under `lost`',
    };
  });
}

const nameOf = ({ resource: { group }, version: { name } }: ProvenVersion): string =>
  group === '' ? name : `${group}/${name}`;
