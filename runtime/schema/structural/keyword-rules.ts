/** The keywords that a schema may use, wherever it stands. */
import { stringAt } from '../../objects/guards.js';
import type { Fault } from './findings.js';
import { itemsAt, says, schemaAt, schemasAt, valueAt, type WrittenSchema } from './reading.js';
import { embedded, type SchemaNode } from './schema-node.js';

export type KeywordRule =
  | 'type-unknown'
  | 'default-in-meta'
  | 'keyword-unsupported'
  | 'type-null'
  | 'items-list'
  | 'embedded-in-meta'
  | 'unique-items'
  | 'map-with-properties'
  | 'keeps-nothing';

export const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The rules on keywords that a schema breaks. */
export function* keywordFaults({ schema, raw, isInMeta, noDefaults }: SchemaNode): Generator<Fault<KeywordRule>> {
  const type = stringAt(schema, 'type');
  if (type !== '' && !types.includes(type)) yield { rule: 'type-unknown', at: ['type'], value: type };
  if (noDefaults !== undefined && valueAt(schema, 'default') !== undefined) {
    yield { rule: 'default-in-meta', at: ['default'], name: noDefaults };
  }
  for (const name of unsupportedIn(raw)) yield { rule: 'keyword-unsupported', at: [name], name };
  if (type === 'null') yield { rule: 'type-null', at: ['type'] };
  if (itemsAt(schema, 'items').length > 0) yield { rule: 'items-list', at: ['items'] };
  if (isInMeta && says(schema, embedded)) yield { rule: 'embedded-in-meta', at: [embedded] };
  if (says(schema, 'uniqueItems')) yield { rule: 'unique-items', at: ['uniqueItems'] };
  const values = valueAt(schema, 'additionalProperties');
  if (values !== undefined && schemasAt(schema, 'properties').length > 0) {
    yield { rule: 'map-with-properties', at: ['additionalProperties'], value: values === true };
  }
}

/** Keywords that no schema can have, in the order in which they are told. */
function unsupportedIn(schema: WrittenSchema): readonly string[] {
  const hasMembers = (key: string): boolean => Object.keys(schemaAt(schema, key) ?? {}).length > 0;
  const isThere = (key: string): boolean => valueAt(schema, key) !== undefined;
  return [
    ...['id'].filter((key) => says(schema, key)),
    ...['additionalItems'].filter(isThere),
    ...['patternProperties', 'definitions'].filter(hasMembers),
    ...['dependencies', '$ref'].filter(isThere),
  ];
}
