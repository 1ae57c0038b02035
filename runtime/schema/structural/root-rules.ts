/** The rules that apply only to the root of a schema. */
import { stringAt } from '../../objects/guards.js';
import type { FindingOf } from './findings.js';
import { says, schemaAt, valueAt, type WrittenSchema } from './reading.js';
import type { SchemaNode } from './schema-node.js';

export type RootRule = 'root-nullable' | 'status-root-type' | 'status-root-keywords';

/** The keywords that a root may have if there is a status subresource, with their names in messages. */
export const statusRootKeywords: Readonly<Record<string, string>> = {
  description: 'Description',
  type: 'Type',
  format: 'Format',
  title: 'Title',
  maximum: 'Maximum',
  exclusiveMaximum: 'ExclusiveMaximum',
  minimum: 'Minimum',
  exclusiveMinimum: 'ExclusiveMinimum',
  maxLength: 'MaxLength',
  minLength: 'MinLength',
  pattern: 'Pattern',
  maxItems: 'MaxItems',
  minItems: 'MinItems',
  uniqueItems: 'UniqueItems',
  multipleOf: 'MultipleOf',
  required: 'Required',
  items: 'Items',
  properties: 'Properties',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
};

/** Yields findings about a root. They come before all other findings. */
export function* rootFindings(node: SchemaNode, hasStatus: boolean): Generator<FindingOf<RootRule>> {
  const { schema } = node;
  if (hasStatus) yield* statusFindings(node);
  if (says(schema, 'nullable')) yield { rule: 'root-nullable', at: ['nullable'], node };
}

/** Keywords that are checked before the type. */
const first = ['id', '$schema', '$ref'];

function* statusFindings(node: SchemaNode): Generator<FindingOf<RootRule>> {
  const { schema } = node;
  const value = stringAt(schema, 'type');
  if (!first.some((key) => says(schema, key)) && value !== '' && value !== 'object') {
    yield { rule: 'status-root-type', at: ['type'], value, node };
    return;
  }
  const extra = Object.keys(schema).filter((key) => !Object.hasOwn(statusRootKeywords, key) && isSaid(schema, key));
  const parts = extra.map((key) => [key]);
  if (parts.length > 0) yield { rule: 'status-root-keywords', at: [], parts, node };
}

/** Returns whether a keyword has an effect. Empty maps have no effect. */
function isSaid(root: WrittenSchema, key: string): boolean {
  const members = schemaAt(root, key);
  if (members !== undefined && ['patternProperties', 'definitions'].includes(key))
    return Object.keys(members).length > 0;
  return valueAt(root, key) !== undefined && says(root, key);
}
