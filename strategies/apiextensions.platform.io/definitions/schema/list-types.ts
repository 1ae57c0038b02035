/** How lists and maps may be merged, and by which keys items of lists may be told apart. */
import {
  forbidden,
  invalidValue,
  notSupported,
  required,
  stringList,
} from '../../../../runtime/objects/field-error.js';
import { stringAt } from '../../../../runtime/objects/guards.js';
import {
  itemsAt,
  propertyOf,
  says,
  schemaAt,
  valueAt,
  type WrittenSchema,
} from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import { textsAt } from '../../../shared/reading.js';
import type { SchemaNode } from './node.js';

const listType = 'x-kubernetes-list-type';
const mapType = 'x-kubernetes-map-type';
const mapKeys = 'x-kubernetes-list-map-keys';
const ofSet = `must be atomic as item of a list with ${listType}=set`;

/** What is wrong with how a value is merged. */
export function* listTypeErrors({ schema, path, ratchets }: SchemaNode): FieldErrors {
  const merged = valueAt(schema, mapType);
  const kind = valueAt(schema, listType);
  yield* typeErrors(schema, mapType, 'object', path);
  if (merged !== undefined && merged !== 'atomic' && merged !== 'granular') {
    yield notSupported(`${path}.${mapType}`, merged, ['atomic', 'granular']);
  }
  yield* typeErrors(schema, listType, 'array', path);
  if (ratchets.requireAtomicSets && stringAt(schema, 'type') === 'array') yield* setItemErrors(schema, path);
  if (kind !== undefined && kind !== 'atomic' && kind !== 'set' && kind !== 'map') {
    yield notSupported(`${path}.${listType}`, kind, ['atomic', 'set', 'map']);
  }
  if (says(schema, mapKeys) && kind !== 'map') {
    const rule = `must be map if ${mapKeys} is non-empty`;
    yield kind === undefined ? required(`${path}.${listType}`, rule) : invalidValue(`${path}.${listType}`, kind, rule);
  }
  if (kind === 'map') yield* mapErrors(schema, path);
  if (ratchets.requireListKeys) yield* keyErrors(schema, path);
}

function* typeErrors(schema: WrittenSchema, key: string, wanted: string, path: string): FieldErrors {
  const type = stringAt(schema, 'type');
  if (valueAt(schema, key) === undefined || type === wanted) return;
  const rule = `must be ${wanted} if ${key} is specified`;
  yield type === '' ? required(`${path}.type`, rule) : invalidValue(`${path}.type`, type, rule);
}

/** Items of sets are compared as a whole, and so have to be merged as a whole. */
function* setItemErrors(schema: WrittenSchema, path: string): FieldErrors {
  const items = schemaAt(schema, 'items');
  if (items === undefined || isAtomicSet(schema)) return;
  const key = stringAt(items, 'type') === 'array' ? listType : mapType;
  yield invalidValue(`${path}.items.${key}`, valueAt(items, key), ofSet);
}

/** Whether a list is no set, or a set of items that are merged as a whole. */
export function isAtomicSet(schema: WrittenSchema): boolean {
  const items = schemaAt(schema, 'items');
  if (valueAt(schema, listType) !== 'set' || items === undefined) return true;
  const type = stringAt(items, 'type');
  if (type === 'array') return (valueAt(items, listType) ?? 'atomic') === 'atomic';
  return type !== 'object' || valueAt(items, mapType) === 'atomic';
}

function* mapErrors(schema: WrittenSchema, path: string): FieldErrors {
  const keys = textsAt(schema, mapKeys);
  if (keys.length === 0) yield required(`${path}.${mapKeys}`, `must not be empty if ${listType} is map`);
  const items = schemaAt(schema, 'items');
  if (items === undefined) {
    const isList = itemsAt(schema, 'items').length > 0;
    yield isList
      ? invalidValue(`${path}.items`, valueAt(schema, 'items'), `must only have a single schema if ${listType} is map`)
      : required(`${path}.items`, `must have a schema if ${listType} is map`);
    return;
  }
  const type = stringAt(items, 'type');
  if (type !== 'object') {
    yield invalidValue(`${path}.items.type`, type, `must be object if parent array's ${listType} is map`);
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    const field = `${path}.${mapKeys}`;
    if (property === undefined) {
      yield invalidValue(field, stringList(keys), 'entries must all be names of item properties');
    } else if (['array', 'object'].includes(stringAt(property, 'type'))) {
      const rule = `must be a scalar type if parent array's ${listType} is map`;
      // What is told is the type of the items.
      yield invalidValue(`${path}.items.properties[${key}].type`, type, rule);
    }
    if (seen.has(key)) yield invalidValue(field, stringList(keys), 'must not contain duplicate entries');
    seen.add(key);
  }
}

/** Items that are told apart cannot be null, and neither can what tells them apart, which is always there. */
export function* keyErrors(schema: WrittenSchema, path: string): FieldErrors {
  const kind = valueAt(schema, listType);
  if (kind !== 'map' && kind !== 'set') return;
  const items = schemaAt(schema, 'items');
  if (items === undefined) return;
  if (says(items, 'nullable'))
    yield forbidden(`${path}.items.nullable`, `cannot be nullable when ${listType} is ${kind}`);
  if (kind === 'set') return;
  const always = new Set(textsAt(items, 'required'));
  const isKey = `this property is in ${mapKeys}, so it`;
  for (const key of textsAt(schema, mapKeys)) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const field = `${path}.items.properties[${key}]`;
    if (!always.has(key) && valueAt(property, 'default') === undefined) {
      yield required(`${field}.default`, `${isKey} must have a default or be a required property`);
    }
    if (says(property, 'nullable')) yield forbidden(`${field}.nullable`, `${isKey} cannot be nullable`);
  }
}
