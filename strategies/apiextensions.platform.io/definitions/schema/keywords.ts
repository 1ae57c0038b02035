/** The keywords that a schema may use, wherever it stands. */
import { forbidden, invalidValue, notSupported } from '../../../../runtime/objects/field-error.js';
import { stringAt } from '../../../../runtime/objects/guards.js';
import {
  itemsAt,
  junctorLists,
  says,
  schemaAt,
  schemaListAt,
  schemasAt,
  valueAt,
  type WrittenSchema,
} from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import { listTypeErrors } from './list-types.js';
import { nodeBelow, type SchemaNode } from './node.js';
import { ruleTextErrors } from './rule-texts.js';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const embedded = 'x-kubernetes-embedded-resource';
const keepsUnknown = 'x-kubernetes-preserve-unknown-fields';
const metaFields = new Set(['metadata', 'apiVersion', 'kind']);

/** Errors of the keywords of a schema and of all schemas below it, including those below `allOf` and its like. */
export function* keywordErrors(node: SchemaNode): FieldErrors {
  yield* ownErrors(node);
  yield* belowAdditional(node);
  for (const [name, property] of schemasAt(node.schema, 'properties')) {
    const below = nodeBelow(node, property, `properties[${name}]`);
    yield* keywordErrors(isHead(node, name) ? asHead(below, node, name) : below);
  }
  yield* belowRules(node);
  yield* belowItems(node);
  yield* belowNamed(node, 'dependencies');
  if (valueAt(node.schema, keepsUnknown) === false) {
    yield invalidValue(`${node.path}.${keepsUnknown}`, false, 'must be true or undefined');
  }
  yield* listTypeErrors(node);
  yield* ruleTextErrors(node);
}

/** Whether a property is one that every object has. */
function isHead({ isRoot, schema }: SchemaNode, name: string): boolean {
  return (isRoot || says(schema, embedded)) && metaFields.has(name);
}

function asHead(below: SchemaNode, { isRoot }: SchemaNode, name: string): SchemaNode {
  return { ...below, isInMeta: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) };
}

/** Whether a schema has no type, or one that there is. */
export function isKnownType(schema: WrittenSchema): boolean {
  const type = stringAt(schema, 'type');
  return type === '' || types.includes(type);
}

function* ownErrors({ schema, path, isInMeta, noDefaults, ratchets }: SchemaNode): FieldErrors {
  const type = stringAt(schema, 'type');
  if (ratchets.requireKnownTypes && !isKnownType(schema)) yield notSupported(`${path}.type`, type, types);
  if (noDefaults !== undefined && valueAt(schema, 'default') !== undefined) {
    yield forbidden(`${path}.default`, `must not be set ${noDefaults}`);
  }
  for (const key of unsupportedIn(schema)) yield forbidden(`${path}.${key}`, `${key} is not supported`);
  if (type === 'null') {
    yield forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative');
  }
  if (itemsAt(schema, 'items').length > 0) {
    yield forbidden(`${path}.items`, 'items must be a schema object and not an array');
  }
  if (isInMeta && says(schema, embedded)) {
    yield forbidden(`${path}.${embedded}`, 'must not be used inside of resource meta');
  }
  if (says(schema, 'uniqueItems')) {
    const rule = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    yield forbidden(`${path}.uniqueItems`, rule);
  }
}

/** Keywords that no schema can have, in the order in which they are told. */
function unsupportedIn(schema: SchemaNode['schema']): readonly string[] {
  const hasMembers = (key: string): boolean => Object.keys(schemaAt(schema, key) ?? {}).length > 0;
  return [
    ...(says(schema, 'id') ? ['id'] : []),
    ...(valueAt(schema, 'additionalItems') === undefined ? [] : ['additionalItems']),
    ...(hasMembers('patternProperties') ? ['patternProperties'] : []),
    ...(hasMembers('definitions') ? ['definitions'] : []),
    ...(valueAt(schema, 'dependencies') === undefined ? [] : ['dependencies']),
    ...(valueAt(schema, '$ref') === undefined ? [] : ['$ref']),
  ];
}

function* belowAdditional(node: SchemaNode): FieldErrors {
  const { schema, path, isInMeta } = node;
  const written = valueAt(schema, 'additionalProperties');
  if (written === undefined) return;
  if (schemasAt(schema, 'properties').length > 0 && written !== true) {
    yield forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
  }
  const values = schemaAt(schema, 'additionalProperties');
  if (values === undefined) return;
  const below = nodeBelow(node, values, 'additionalProperties');
  // Which values a default would be part of cannot be told there.
  const reason = 'inside additionalProperties applying to object metadata';
  yield* keywordErrors(isInMeta ? { ...below, noDefaults: reason } : below);
}

function* belowRules(node: SchemaNode): FieldErrors {
  const not = schemaAt(node.schema, 'not');
  if (not !== undefined) yield* keywordErrors(nodeBelow(node, not, 'not'));
  for (const key of junctorLists) {
    for (const [i, rule] of schemaListAt(node.schema, key).entries()) {
      yield* keywordErrors(nodeBelow(node, rule, `${key}[${i}]`));
    }
  }
  yield* belowNamed(node, 'definitions');
}

function* belowItems(node: SchemaNode): FieldErrors {
  const items = schemaAt(node.schema, 'items');
  if (items !== undefined) yield* keywordErrors(nodeBelow(node, items, 'items'));
  for (const [i, item] of schemaListAt(node.schema, 'items').entries()) {
    yield* keywordErrors(nodeBelow(node, item, `items[${i}]`));
  }
}

function* belowNamed(node: SchemaNode, key: string): FieldErrors {
  for (const [name, schema] of schemasAt(node.schema, key)) {
    yield* keywordErrors(nodeBelow(node, schema, `${key}[${name}]`));
  }
}
