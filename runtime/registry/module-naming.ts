/** Renames modules to their served names, once, when the registry is built. */
import type { ResourceModule, Stability, Subresource } from '../contract/index.js';
import type { Naming } from '../objects/names/naming.js';

/** Returns a module with every group that it names, its own included, renamed as the naming says. */
export function underNaming(module: ResourceModule, naming: Naming): ResourceModule {
  const group = naming.rename(module.group);
  const stability = module.stability && stabilityUnder(module.stability, naming);
  const subresources = module.subresources.map((subresource) => renamedKind(subresource, naming));
  const { storedAs } = module;
  const storageGroup = storedAs && naming.rename(storedAs.group);
  const references = module.references?.map((each) => ({ ...each, group: naming.rename(each.group) }));
  const same =
    group === module.group &&
    stability === module.stability &&
    storageGroup === storedAs?.group &&
    (references ?? []).every((each, index) => each.group === module.references?.[index]?.group) &&
    subresources.every((subresource, index) => subresource === module.subresources[index]);
  if (same) return module;
  return {
    ...module,
    group,
    subresources,
    ...(stability === undefined ? {} : { stability }),
    ...(references === undefined ? {} : { references }),
    ...(storedAs && storageGroup !== undefined ? { storedAs: { ...storedAs, group: storageGroup } } : {}),
  };
}

function stabilityUnder(stability: Stability, naming: Naming): Stability {
  const { replacement } = stability;
  if (replacement?.group === undefined) return stability;
  const group = naming.rename(replacement.group);
  return group === replacement.group ? stability : { ...stability, replacement: { ...replacement, group } };
}

function renamedKind(subresource: Subresource, naming: Naming): Subresource {
  if (subresource.kind === undefined) return subresource;
  const group = naming.rename(subresource.kind.group);
  return group === subresource.kind.group ? subresource : { ...subresource, kind: { ...subresource.kind, group } };
}

/**
 * Returns the group and plural of the resource that objects of a module are stored as. For most modules, this is their
 * own resource.
 */
export function storedResourceOf({ group, names, storedAs }: ResourceModule): string {
  return storedAs ? `${storedAs.group}/${storedAs.plural}` : `${group}/${names.plural}`;
}

/** Returns the name of the handlers of the stored resource. The stored resource has the same kind. */
export function storedKindOf({ group, names, storedAs }: ResourceModule): string {
  const storageGroup = storedAs ? storedAs.group : group;
  return storageGroup === '' ? names.kind : `${storageGroup}/${names.kind}`;
}

/** Returns the group and kind that select a resource's handlers. */
export const kindOf = ({ group, names }: Pick<ResourceModule, 'group' | 'names'>): string =>
  group === '' ? names.kind : `${group}/${names.kind}`;
