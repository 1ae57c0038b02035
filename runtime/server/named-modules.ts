/** Puts modules under the names that are served; done once, when the registry is built. */
import type { ResourceModule } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';

/** A module with its group, and that of the resource it is stored as, renamed where the naming says so. */
export function underNaming(module: ResourceModule, naming: Naming): ResourceModule {
  const group = naming.rename(module.group);
  const { storedAs } = module;
  const keeper = storedAs && naming.rename(storedAs.group);
  if (group === module.group && keeper === storedAs?.group) return module;
  return {
    ...module,
    group,
    ...(storedAs && keeper !== undefined ? { storedAs: { ...storedAs, group: keeper } } : {}),
  };
}

/** Group and plural of the resource as which objects of a module are stored; its own for most. */
export function storedResourceOf({ group, names, storedAs }: ResourceModule): string {
  return storedAs ? `${storedAs.group}/${storedAs.plural}` : `${group}/${names.plural}`;
}

/** The name of the strategy of the resource that objects are stored as, whose kind is the same. */
export function storedKindOf({ group, names, storedAs }: ResourceModule): string {
  const keeper = storedAs ? storedAs.group : group;
  return keeper === '' ? names.kind : `${keeper}/${names.kind}`;
}

/** The group and kind by which strategies name a module's resource. */
export const kindOf = ({ group, names }: ResourceModule): string =>
  group === '' ? names.kind : `${group}/${names.kind}`;
