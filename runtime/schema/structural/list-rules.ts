/** The rules of lists and maps: how they merge, and which keys identify the items of a list. */
import { isString, stringAt } from '../../objects/guards.js';
import type { Fault } from './findings.js';
import { itemsAt, propertyOf, says, schemaAt, valueAt, type WrittenSchema } from './reading.js';

export const listType = 'x-kubernetes-list-type';
export const mapType = 'x-kubernetes-map-type';
export const mapKeys = 'x-kubernetes-list-map-keys';

export type ListRule =
  | 'map-type-elsewhere'
  | 'map-type-unknown'
  | 'list-type-elsewhere'
  | 'list-type-unknown'
  | 'set-item-not-atomic'
  | 'keys-elsewhere'
  | 'keys-missing'
  | 'keyed-without-items'
  | 'keyed-item-type'
  | 'key-unknown'
  | 'key-not-scalar'
  | 'key-twice'
  | 'items-nullable'
  | 'key-optional'
  | 'key-nullable';

type Faults = Generator<Fault<ListRule>>;

/** Checks the merge keywords of a value, and the keys of its items. */
export function* listFaults(schema: WrittenSchema): Faults {
  const type = stringAt(schema, 'type');
  const merged = valueAt(schema, mapType);
  const kind = valueAt(schema, listType);
  const written = type === '' ? undefined : type;
  if (merged !== undefined && type !== 'object') {
    yield { rule: 'map-type-elsewhere', at: ['type'], value: written, name: mapType };
  }
  if (merged !== undefined && merged !== 'atomic' && merged !== 'granular') {
    yield { rule: 'map-type-unknown', at: [mapType], value: merged };
  }
  if (kind !== undefined && type !== 'array') {
    yield { rule: 'list-type-elsewhere', at: ['type'], value: written, name: listType };
  }
  const items = schemaAt(schema, 'items');
  if (items !== undefined && type === 'array' && !isAtomicSet(schema)) {
    const name = stringAt(items, 'type') === 'array' ? listType : mapType;
    yield { rule: 'set-item-not-atomic', at: ['items', name], value: valueAt(items, name), name };
  }
  if (kind !== undefined && kind !== 'atomic' && kind !== 'set' && kind !== 'map') {
    yield { rule: 'list-type-unknown', at: [listType], value: kind };
  }
  if (says(schema, mapKeys) && kind !== 'map') yield { rule: 'keys-elsewhere', at: [listType], value: kind };
  if (kind === 'map') yield* keyedFaults(schema, items);
  yield* keyFaults(schema);
}

/**
 * Returns whether a value is not a set, or is a set of items that are merged as a whole. Items of sets are compared as
 * a whole.
 */
function isAtomicSet(schema: WrittenSchema): boolean {
  const items = schemaAt(schema, 'items');
  if (valueAt(schema, listType) !== 'set' || items === undefined) return true;
  const type = stringAt(items, 'type');
  if (type === 'array') return (valueAt(items, listType) ?? 'atomic') === 'atomic';
  return type !== 'object' || valueAt(items, mapType) === 'atomic';
}

/** Returns the keys of a list of type `map`, in their written order. */
export const keysOf = (schema: WrittenSchema): readonly string[] =>
  itemsAt(schema, mapKeys).map((key) => (isString(key) ? key : ''));

/** Checks that keys are scalar properties of the items, and that each is named once. */
function* keyedFaults(schema: WrittenSchema, items: WrittenSchema | undefined): Faults {
  const keys = keysOf(schema);
  if (keys.length === 0) yield { rule: 'keys-missing', at: [mapKeys] };
  if (items === undefined) {
    const isList = itemsAt(schema, 'items').length > 0;
    yield { rule: 'keyed-without-items', at: ['items'], value: isList ? valueAt(schema, 'items') : undefined };
    return;
  }
  const type = stringAt(items, 'type');
  if (type !== 'object') {
    yield { rule: 'keyed-item-type', at: ['items', 'type'], value: type };
    return;
  }
  const seen = new Set<string>();
  for (const [index, name] of keys.entries()) {
    const isRepeated = seen.has(name);
    const property = propertyOf(items, name);
    const ofKey = stringAt(property, 'type');
    if (property === undefined) yield { rule: 'key-unknown', at: [mapKeys], name, index, isRepeated };
    else if (ofKey === 'array' || ofKey === 'object') {
      yield {
        rule: 'key-not-scalar',
        at: ['items', 'properties', name, 'type'],
        value: ofKey,
        name,
        index,
        isRepeated,
      };
    }
    if (isRepeated) yield { rule: 'key-twice', at: [mapKeys], name, index };
    seen.add(name);
  }
}

/** Checks that items of sets and maps cannot be null, and that keys are required and cannot be null. */
function* keyFaults(schema: WrittenSchema): Faults {
  const kind = valueAt(schema, listType);
  const items = schemaAt(schema, 'items');
  if ((kind !== 'map' && kind !== 'set') || items === undefined) return;
  if (says(items, 'nullable')) yield { rule: 'items-nullable', at: ['items', 'nullable'], value: kind };
  if (kind === 'set') return;
  const always = new Set(itemsAt(items, 'required'));
  const seen = new Set<string>();
  for (const [index, name] of keysOf(schema).entries()) {
    const property = propertyOf(items, name);
    if (property === undefined) continue;
    const isRepeated = seen.has(name);
    seen.add(name);
    const at = ['items', 'properties', name];
    if (!always.has(name) && valueAt(property, 'default') === undefined) {
      yield { rule: 'key-optional', at: [...at, 'default'], name, index, isRepeated };
    }
    if (says(property, 'nullable')) yield { rule: 'key-nullable', at: [...at, 'nullable'], name, index, isRepeated };
  }
}
