/** Resources for tests of documents, made from a few words instead of a definition. */
import type { ResourceModule, Schema, SchemaFunctions, Verb } from '../../../../../runtime/contract/index.js';

export const noFunctions: SchemaFunctions = {
  prune: () => undefined,
  applyDefaults: () => undefined,
  validate: () => undefined,
};

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export interface Given {
  readonly group: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly schema: Schema;
}

function resource(given: Given, decoding: 'typed' | 'structural', overrides: Partial<ResourceModule>): ResourceModule {
  return {
    group: given.group,
    version: given.version ?? 'v1',
    names: {
      plural: given.plural,
      singular: given.kind.toLowerCase(),
      kind: given.kind,
      listKind: `${given.kind}List`,
      shortNames: [],
      categories: [],
    },
    scope: 'Namespaced',
    verbs: allVerbs,
    subresources: [],
    decoding,
    schema: given.schema,
    functions: noFunctions,
    columns: [],
    selectableFields: [],
    nameRule: { format: 'dns-1123-subdomain' },
    generation: 'counted',
    storage: true,
    served: true,
    deleteAnswers: decoding === 'typed' ? 'object' : 'Status',
    createOnUpdate: false,
    ...overrides,
  };
}

/** A built-in kind. */
export const builtIn = (given: Given, overrides: Partial<ResourceModule> = {}): ResourceModule =>
  resource(given, 'typed', overrides);

/** A kind of a CustomResourceDefinition. */
export const custom = (given: Given, overrides: Partial<ResourceModule> = {}): ResourceModule =>
  resource(given, 'structural', overrides);
