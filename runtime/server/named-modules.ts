/** Puts modules under the names that are served; done once, when the registry is built. */
import type { ResourceModule } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';

/** A module with its group renamed where the naming says so. */
export function underNaming(module: ResourceModule, naming: Naming): ResourceModule {
  const group = naming.rename(module.group);
  return group === module.group ? module : { ...module, group };
}

/** The group and kind by which strategies name a module's resource. */
export const kindOf = ({ group, names }: ResourceModule): string =>
  group === '' ? names.kind : `${group}/${names.kind}`;
