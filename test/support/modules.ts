/** Small resource modules for tests. */
import type { ResourceCode, ResourceModule } from '../../runtime/contract/index.js';
import { codeOf } from '../../runtime/resource/served-resource.js';

/** Parts of the description and of the code of a module. */
export type ModuleParts = Partial<ResourceModule & ResourceCode>;

/** Makes a module of a native kind without fields. */
export function moduleOf(group: string, plural: string, kind: string, more: ModuleParts = {}): ResourceModule {
  // By default, kinds of tests accept any fields.
  const empty: ResourceCode = { schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const module: ResourceModule = {
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
    columns: [],
    selectableFields: [],
    nameRule: { format: 'any' },
    generation: 'none',
    storage: true,
    served: true,
    deleteReturns: 'object',
    createOnUpdate: false,
    unconditionalUpdate: true,
    code: () => empty,
  };
  return changedModule(module, more);
}

/** Returns a copy of a module with loaded code and some changed parts. */
export function changedModule(
  module: ResourceModule,
  { schema, rules, conversion, protobuf, ...description }: ModuleParts,
): ResourceModule {
  const code: ResourceCode = {
    ...codeOf(module),
    ...(schema && { schema }),
    ...(rules && { rules }),
    ...(conversion && { conversion }),
    ...(protobuf && { protobuf }),
  };
  return { ...module, code: () => code, ...description };
}
