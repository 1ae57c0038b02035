/** Resources for tests of documents, made from a few arguments instead of a definition. */
import type { Schema, Verb } from '../../../../../runtime/contract/index.js';
import type { OpenApiResource } from '../../../../../runtime/schema/openapi/index.js';

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export interface Given {
  readonly group: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly schema: Schema;
}

function resource(
  given: Given,
  decoding: 'typed' | 'structural',
  overrides: Partial<OpenApiResource>,
): OpenApiResource {
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
    selectableFields: [],
    served: true,
    deleteReturns: decoding === 'typed' ? 'object' : 'Status',
    ...overrides,
  };
}

/** Makes a built-in kind. */
export const builtIn = (given: Given, overrides: Partial<OpenApiResource> = {}): OpenApiResource =>
  resource(given, 'typed', overrides);

/** Makes a kind of a CustomResourceDefinition. */
export const custom = (given: Given, overrides: Partial<OpenApiResource> = {}): OpenApiResource =>
  resource(given, 'structural', overrides);
