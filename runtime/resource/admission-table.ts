/** Finds the admission plugins that handle an operation on a resource. */
import type { AdmissionPlugin, Operation, ResourceModule } from '../contract/index.js';
import { memoize } from '../objects/memoize.js';
import type { ServedResource } from './served-resource.js';

/** Finds the plugins of an operation and a subresource, in order; the answers are kept. */
export function admissionTable(
  module: ResourceModule,
  plugins: readonly AdmissionPlugin[],
): ServedResource['admission'] {
  const pluginsOf = (operation: Operation) =>
    memoize((subresource) => plugins.filter((plugin) => plugin.handles(module, operation, subresource)));
  const byOperation = {
    CREATE: pluginsOf('CREATE'),
    UPDATE: pluginsOf('UPDATE'),
    DELETE: pluginsOf('DELETE'),
    CONNECT: pluginsOf('CONNECT'),
  };
  return (operation, subresource) => byOperation[operation](subresource);
}
