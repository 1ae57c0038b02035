/** Words the findings about structural schemas as field errors. */
import type { FieldError } from '../../contract/index.js';
import { fieldErrorText, forbidden, invalidValue, required } from '../../objects/field-error.js';
import { byCodePoint } from '../../objects/printing.js';
import { type Finding, type SchemaRule, schemaFindings } from './check-schema.js';
import { intOrString, keepsUnknown, type NodeRule } from './node-rules.js';
import type { WrittenSchema } from './reading.js';
import { embedded, fieldPath, type Level, pathOf, topNode } from './schema-node.js';
import type { ValueRule } from './value-rules.js';

/** Makes the error of a finding; no error if servers accept it. `path` is the path of the whole schema. */
export type Words = (finding: Finding, field: string, path: string) => FieldError | undefined;

/** Makes the words for a keyword that must be absent. */
export const never =
  (detail: string): Words =>
  (_, field) =>
    forbidden(field, detail);

/** Makes the words for a keyword that is wrong or missing. */
export const must =
  (detail: string): Words =>
  ({ value }, field) =>
    value === undefined ? required(field, detail) : invalidValue(field, value, detail);

const passes: Words = () => undefined;

const untyped: Readonly<Partial<Record<Level, string>>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
};

const words: Readonly<Record<NodeRule | ValueRule, Words>> = {
  untyped: ({ node }, field) => required(field, untyped[node.level] ?? 'must not be empty for specified object fields'),
  'untyped-root': passes,
  'root-type': must('must be object at the root'),
  'root-map': never('must not be used at the root'),
  'list-without-items': must('must be specified'),
  'int-or-string-marker': must(`must be false if ${intOrString} is true`),
  'embedded-type': must(`must be object if ${embedded} is true`),
  'embedded-map': never(`must not be used if ${embedded} is set`),
  'embedded-empty': must(`must not be empty if ${embedded} is true without ${keepsUnknown}`),
  'meta-type': ({ value, name }, field) =>
    invalidValue(field, value, `must be ${name === 'metadata' ? 'object' : 'string'}`),
  'metadata-restricted': never(
    'must not specify anything other than name and generateName, but metadata is implicitly specified',
  ),
  'below-junctor': ({ value }, field) => forbidden(field, `must be ${value} to be structural`),
  'metadata-below-junctor': never('must not be specified in a nested context'),
  // Servers check only rules at the root for fields outside the schema.
  'only-in-rule': ({ node: { outside } }, field, path) =>
    outside?.owner.level === 'root'
      ? required(fieldPath(path, pathOf(outside.place)), `because it is defined in ${field}`)
      : undefined,
  pattern: ({ value, name }, field) =>
    invalidValue(field, value, `must be a valid regular expression, but isn't: ${name}`),
};

/** Yields the errors of findings. Skips findings without words in the table. */
export function* errorsOf<Rule extends SchemaRule>(
  findings: Iterable<Finding>,
  path: string,
  words: Readonly<Record<Rule, Words>>,
): Generator<FieldError> {
  const table = new Map<string, Words>(Object.entries(words));
  for (const finding of findings) {
    const field = fieldPath(path, [...pathOf(finding.node.place), ...finding.at]);
    const error = table.get(finding.rule)?.(finding, field, path);
    if (error !== undefined) yield error;
  }
}

/** Returns the structural errors in the findings of a schema, sorted by text. */
export function structuralErrorsAmong(findings: Iterable<Finding>, path: string): FieldError[] {
  const worded = [...errorsOf(findings, path, words)].map((error) => ({ error, text: fieldErrorText(error) }));
  return worded.sort((a, b) => byCodePoint(a.text, b.text)).map(({ error }) => error);
}

/** Returns the structural errors of a schema. */
export function structuralErrors(root: WrittenSchema, path: string): FieldError[] {
  return structuralErrorsAmong(schemaFindings(topNode(root)), path);
}
