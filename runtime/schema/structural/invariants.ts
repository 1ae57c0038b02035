/** What a schema has to be like for every value in an object to have one type: the schema is structural. */
import type { FieldError } from '../../contract/index.js';
import { forbidden, invalidValue, required } from '../../objects/field-error.js';
import { stringAt } from '../../objects/guards.js';
import { valueRuleErrors } from './junctors.js';
import { propertyOf, says, schemaAt, schemasAt, valueAt, type WrittenSchema } from './reading.js';

/** Where a schema stands. */
export type Level = 'root' | 'item' | 'field';

const embedded = 'x-kubernetes-embedded-resource';
const keepsUnknown = 'x-kubernetes-preserve-unknown-fields';
const intOrString = 'x-kubernetes-int-or-string';

const untyped: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** What is not structural in a schema and all that is below it. */
export function* invariantErrors(schema: WrittenSchema, level: Level, path: string): Generator<FieldError> {
  const items = schemaAt(schema, 'items');
  const values = schemaAt(schema, 'additionalProperties');
  if (stringAt(schema, 'type') === 'array' && items === undefined) yield required(`${path}.items`, 'must be specified');
  if (items !== undefined) yield* invariantErrors(items, 'item', `${path}.items`);
  for (const [name, property] of schemasAt(schema, 'properties')) {
    yield* invariantErrors(property, 'field', `${path}.properties[${name}]`);
  }
  if (level === 'root' && valueAt(schema, 'additionalProperties') !== undefined) {
    yield forbidden(`${path}.additionalProperties`, 'must not be used at the root');
  }
  if (values !== undefined) yield* invariantErrors(values, 'field', `${path}.additionalProperties`);
  yield* intOrStringErrors(schema, path);
  yield* valueRuleErrors(schema, path);
  yield* typeErrors(schema, level, path);
  yield* embeddedErrors(schema, path);
  yield* headErrors(schema, level, path);
}

/** An integer or string has no other nature. */
function* intOrStringErrors(schema: WrittenSchema, path: string): Generator<FieldError> {
  if (!says(schema, intOrString)) return;
  for (const other of [keepsUnknown, embedded]) {
    if (says(schema, other)) yield invalidValue(`${path}.${other}`, true, `must be false if ${intOrString} is true`);
  }
}

function* typeErrors(schema: WrittenSchema, level: Level, path: string): Generator<FieldError> {
  const type = stringAt(schema, 'type');
  const field = `${path}.type`;
  if (says(schema, embedded) && type !== 'object') {
    const rule = `must be object if ${embedded} is true`;
    yield type === '' ? required(field, rule) : invalidValue(field, type, rule);
  } else if (type === '' && !says(schema, intOrString) && !says(schema, keepsUnknown)) {
    yield required(field, untyped[level]);
  }
  if (level === 'root' && type !== '' && type !== 'object')
    yield invalidValue(field, type, 'must be object at the root');
}

/** An embedded resource is an object with something in it. */
function* embeddedErrors(schema: WrittenSchema, path: string): Generator<FieldError> {
  if (!says(schema, embedded)) return;
  if (valueAt(schema, 'additionalProperties') !== undefined) {
    yield forbidden(`${path}.additionalProperties`, `must not be used if ${embedded} is set`);
  }
  if (!says(schema, keepsUnknown) && schemasAt(schema, 'properties').length === 0) {
    const rule = `must not be empty if ${embedded} is true without ${keepsUnknown}`;
    yield required(`${path}.properties`, rule);
  }
}

/** What every object has cannot be defined anew; of its metadata the names can be restricted. */
function* headErrors(schema: WrittenSchema, level: Level, path: string): Generator<FieldError> {
  const isObject = level === 'root' || says(schema, embedded);
  for (const name of ['kind', 'apiVersion']) {
    const property = propertyOf(schema, name);
    const type = stringAt(property, 'type');
    if (!isObject || property === undefined || type === 'string') continue;
    yield invalidValue(`${path}.properties[${name}].type`, type, 'must be string');
  }
  const metadata = propertyOf(schema, 'metadata');
  if (metadata === undefined) return;
  const type = stringAt(metadata, 'type');
  const field = `${path}.properties[metadata]`;
  if (isObject && type !== 'object') yield invalidValue(`${field}.type`, type, 'must be object');
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const rule = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    yield forbidden(field, rule);
  }
}

const ownKeys = new Set(['type', 'default', 'properties']);
const nameKeys = new Set(['name', 'generateName']);

function restrictsNamesOnly(metadata: WrittenSchema): boolean {
  const names = schemasAt(metadata, 'properties').map(([name]) => name);
  if (!names.every((name) => nameKeys.has(name))) return false;
  return Object.keys(metadata).every((key) => ownKeys.has(key) || !says(metadata, key));
}
