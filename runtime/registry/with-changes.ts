/** Copies modules of resources. */
import type { ResourceModule } from '../contract/index.js';

/**
 * A copy of a module in which some values are others. It inherits what the module does, which is what a module of a build
 * finds out when it is asked, such as the schema.
 */
export const withChanges = (module: ResourceModule, changes: Partial<ResourceModule>): ResourceModule =>
  Object.setPrototypeOf({ ...module, ...changes }, Object.getPrototypeOf(module));
