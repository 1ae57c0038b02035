/** The facts of a schema about one field. */
import { isRecord, type JsonRecord, listAt, textAt, textsAt, valueAt } from './json.js';
import type { SchemaField } from './schema-tree.js';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A rule in CEL, and the message of the server if an object breaks it. */
export interface FieldRule {
  readonly rule: string;
  readonly message: string;
}

/** Keywords with one value each, and their labels. */
const keywords: readonly (readonly [string, string])[] = [
  ['title', 'Title'],
  ['format', 'Format'],
  ['default', 'Default'],
  ['example', 'Example'],
  ['minimum', 'At least'],
  ['maximum', 'At most'],
  ['multipleOf', 'Multiple of'],
  ['minLength', 'Shortest length'],
  ['maxLength', 'Longest length'],
  ['pattern', 'Pattern'],
  ['x-re2-pattern', 'Pattern of RE2'],
  ['minItems', 'Fewest items'],
  ['maxItems', 'Most items'],
  ['minProperties', 'Fewest entries'],
  ['maxProperties', 'Most entries'],
  ['x-kubernetes-list-type', 'List type'],
  ['x-kubernetes-map-type', 'Map type'],
  ['x-kubernetes-patch-strategy', 'Patch strategy'],
  ['x-kubernetes-patch-merge-key', 'Patch merge key'],
];

/** Keywords with values of objects. The page shows them as JSON. */
const literal = ['default', 'example'];

const flags: readonly (readonly [string, string])[] = [
  ['nullable', 'may be null'],
  ['uniqueItems', 'items are unique'],
  ['exclusiveMinimum', 'the minimum itself is too low'],
  ['exclusiveMaximum', 'the maximum itself is too high'],
  ['x-kubernetes-preserve-unknown-fields', 'unknown fields are kept'],
  ['x-kubernetes-embedded-resource', 'a whole object with apiVersion, kind and metadata'],
  ['x-kubernetes-int-or-string', 'a number or a string'],
];

const combinations = ['allOf', 'anyOf', 'oneOf', 'not'];

/** Lists the facts. For a list or map, adds the facts of its items. */
export function factsOf({ schema, type, isRequired }: SchemaField): readonly Fact[] {
  const inner = contentOf(schema);
  return [
    { label: 'Type', value: type },
    ...(isRequired ? [{ label: 'Required', value: 'yes' }] : []),
    ...factsOfSchema(schema),
    ...(inner ? factsOfSchema(inner).map(({ label, value }) => ({ label: `Each: ${label}`, value })) : []),
  ];
}

function factsOfSchema(schema: JsonRecord): readonly Fact[] {
  const says = flags.filter(([keyword]) => valueAt(schema, keyword) === true).map(([, words]) => words);
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  return [
    ...keywords.flatMap(([keyword, label]) => {
      const value = valueAt(schema, keyword);
      return value === undefined
        ? []
        : [{ label, value: typeof value === 'string' && !literal.includes(keyword) ? value : JSON.stringify(value) }];
    }),
    ...(keys.length > 0 ? [{ label: 'List keys', value: keys.join(', ') }] : []),
    ...(says.length > 0 ? [{ label: 'Also', value: says.join('; ') }] : []),
    ...combinations.flatMap((keyword) => {
      const value = valueAt(schema, keyword);
      return value === undefined || isReference(value) ? [] : [{ label: keyword, value: JSON.stringify(value) }];
    }),
  ];
}

/** Returns the values that a field may have, as JSON; empty if the schema does not list them. */
export const valuesOf = ({ schema }: SchemaField): readonly string[] =>
  [...listAt(schema, 'enum'), ...listAt(contentOf(schema), 'enum')].map((value) => JSON.stringify(value));

export const rulesOf = ({ schema }: SchemaField): readonly FieldRule[] =>
  [schema, contentOf(schema)].flatMap((one) =>
    listAt(one, 'x-kubernetes-validations').map((rule) => ({
      rule: textAt(rule, 'rule'),
      message: textAt(rule, 'message') || textAt(rule, 'messageExpression'),
    })),
  );

function contentOf(schema: JsonRecord): JsonRecord | undefined {
  const below = valueAt(schema, 'items') ?? valueAt(schema, 'additionalProperties');
  return isRecord(below) && textAt(below, '$ref') === '' ? below : undefined;
}

const isReference = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 1 && textAt(value[0], '$ref') !== '';
