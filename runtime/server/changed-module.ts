/** Copies modules of resources. */
import type { ResourceModule } from '../contract/index.js';

/**
 * A copy of a module in which some values are others. What the module finds out when it is asked, as the schema may be,
 * the copy finds out then, too: a spread would ask at once.
 */
export const changedModule = (module: ResourceModule, changes: Partial<ResourceModule>): ResourceModule =>
  Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(module),
    ...Object.getOwnPropertyDescriptors(changes),
  });
