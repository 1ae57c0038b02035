/** Resource modules for tests that need little of them. */
import type { ResourceModule } from '../../runtime/contract/index.js';

/** A module of a native kind without any fields. */
export function moduleOf(
  group: string,
  plural: string,
  kind: string,
  more: Partial<ResourceModule> = {},
): ResourceModule {
  return {
    group,
    version: 'v1',
    names: {
      plural,
      singular: kind.toLowerCase(),
      kind,
      listKind: `${kind}List`,
      shortNames: [],
      categories: [],
    },
    scope: 'Namespaced',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: [],
    decoding: 'typed',
    schema: { type: 'object' },
    functions: { prune: () => {}, applyDefaults: () => {}, validate: () => {} },
    columns: [],
    selectableFields: [],
    nameRule: { format: 'any' },
    generation: 'none',
    storage: true,
    served: true,
    deleteReturns: 'object',
    createOnUpdate: false,
    unconditionalUpdate: true,
    ...more,
  };
}
