/** Puts modules under the names that are served; done once, when the registry is built. */
import type { ResourceModule } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';

/** A module with its group renamed where the naming says so. */
export function underNaming(module: ResourceModule, naming: Naming): ResourceModule {
  const group = naming.groupName(module.group);
  return group === module.group ? module : { ...module, group };
}
