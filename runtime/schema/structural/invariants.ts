/** A schema and all that is below it, checked for being structural: every value in an object has one type. */
import type { FieldError } from '../../contract/index.js';
import { forbidden, invalidValue, required } from '../../objects/field-error.js';
import { type Finding, fieldPath } from './findings.js';
import { valueRuleErrors } from './junctors.js';
import { embedded, intOrString, keepsUnknown, type NodeRule, nodeFindings } from './node-rules.js';
import { propertyOf, says, schemaAt, schemasAt, type WrittenSchema } from './reading.js';

/** Where a schema stands. */
export type Level = 'root' | 'item' | 'field';

const untyped: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Errors of a schema and of all schemas below it. */
export function* invariantErrors(schema: WrittenSchema, level: Level, path: string): Generator<FieldError> {
  const items = schemaAt(schema, 'items');
  const values = schemaAt(schema, 'additionalProperties');
  if (items !== undefined) yield* invariantErrors(items, 'item', `${path}.items`);
  for (const [name, property] of schemasAt(schema, 'properties')) {
    yield* invariantErrors(property, 'field', `${path}.properties[${name}]`);
  }
  if (values !== undefined) yield* invariantErrors(values, 'field', `${path}.additionalProperties`);
  const stand = { isRoot: level === 'root', isInMeta: false, needsRootType: false };
  for (const finding of nodeFindings(schema, stand)) yield errorOf(finding, level, path);
  yield* valueRuleErrors(schema, path);
  const metadata = propertyOf(schema, 'metadata');
  if (level === 'root' && metadata !== undefined && !restrictsNamesOnly(metadata)) {
    const rule = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    yield forbidden(`${path}.properties[metadata]`, rule);
  }
}

/** The rules in words; `untyped` depends on the level. */
const words: Readonly<Record<Exclude<NodeRule, 'untyped' | 'embedded-in-meta'>, string>> = {
  'root-type': 'must be object at the root',
  'root-map': 'must not be used at the root',
  'list-without-items': 'must be specified',
  'int-or-string-marker': `must be false if ${intOrString} is true`,
  'embedded-type': `must be object if ${embedded} is true`,
  'embedded-map': `must not be used if ${embedded} is set`,
  'embedded-empty': `must not be empty if ${embedded} is true without ${keepsUnknown}`,
  'meta-type': 'must be',
};

function errorOf({ rule, at, value, name }: Finding<NodeRule>, level: Level, path: string): FieldError {
  const field = fieldPath(path, at);
  if (rule === 'untyped') return required(field, untyped[level]);
  if (rule === 'embedded-in-meta') return forbidden(field, 'must not be used inside of resource meta');
  if (rule === 'root-map' || rule === 'embedded-map') return forbidden(field, words[rule]);
  if (rule === 'meta-type') return invalidValue(field, value, `must be ${name === 'metadata' ? 'object' : 'string'}`);
  return value === undefined ? required(field, words[rule]) : invalidValue(field, value, words[rule]);
}

const ownKeys = new Set(['type', 'default', 'properties']);
const nameKeys = new Set(['name', 'generateName']);

function restrictsNamesOnly(metadata: WrittenSchema): boolean {
  const names = schemasAt(metadata, 'properties').map(([name]) => name);
  if (!names.every((name) => nameKeys.has(name))) return false;
  return Object.keys(metadata).every((key) => ownKeys.has(key) || !says(metadata, key));
}
