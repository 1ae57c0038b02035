/** Makes random objects of a version that contain the fields its conversion changes. */
import type { ConversionPath, ConversionStep, JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { itemsAt, putAt, takeAt, valueAt } from '../../../runtime/schema/conversion-places.js';
import { parsePath, stepsOf } from '../../../runtime/schema/index.js';
import type { ConversionModel } from '../../model/model.js';
import { ValueMaker } from './arbitrary-value.js';
import { differsAbove, limitsOf } from './limits.js';

/** The objects to make up. */
export interface ObjectsOf {
  readonly schema: Schema;
  /**
   * The schema of the other version. Generated objects leave out fields that both versions have and no step changes.
   */
  readonly other: Schema;
  readonly side: 'this' | 'stored';
  readonly conversion: ConversionModel;
}

/** Prepares making objects of a version; each call makes one. */
export function defineObjects({ schema, other, side, conversion }: ObjectsOf) {
  const touched = placesOf(conversion.steps).map(withoutLists);
  const limits = side === 'this' ? limitsOf(other) : undefined;
  // Rules of an object may be about any field below it.
  const ruled = side === 'this' ? [...ruledPlaces(schema, other)] : [];
  const isOfNoInterest = (path: string, own: Schema): boolean =>
    isSame(own, schemaAt(other, path)) &&
    !ruled.some((place) => isWithin(withoutLists(path), place)) &&
    !touched.some((place) => isWithin(place, withoutLists(path)) || isWithin(withoutLists(path), place));
  const texts = separatorsOf(conversion.steps).flatMap((separator) => [
    `a${separator}b`,
    `${separator}c`,
    `d${separator}`,
  ]);
  const edges = computes(conversion.steps);
  const groups = conversion.oneOf.filter(({ of }) => of === side);
  return (random: () => number, density: number): JsonObject => {
    const maker = new ValueMaker({ random, density, isOfNoInterest, texts, edges, limits });
    const object = maker.object(schema);
    if (side === 'stored') addItems(object, conversion.steps, '', random);
    addValues(object, conversion.steps, { side, schema, random });
    if (side === 'stored') derive(object, conversion.steps, '', { random, maker, schema });
    for (const { fields } of groups) keepOne(object, fields, random);
    const annotations = { 'example.com/other': 'kept' };
    return { ...object, metadata: { name: 'a', labels: { a: 'b' }, annotations } };
  };
}

/** Returns all places that steps name, on both sides. */
function placesOf(steps: readonly ConversionStep[], below = ''): readonly ConversionPath[] {
  return steps.flatMap((step): readonly ConversionPath[] => {
    const at = (...paths: readonly (ConversionPath | undefined)[]): ConversionPath[] =>
      paths.flatMap((path) => (path === undefined ? [] : [join(below, path)]));
    if ('move' in step) return at(step.move.field, step.move.stored);
    if ('split' in step) return at(step.split.field, ...step.split.stored);
    if ('join' in step) return at(...step.join.fields, step.join.stored);
    if ('wrap' in step) return at(step.wrap.field, step.wrap.stored);
    if ('default' in step) return at(step.default.field, step.default.stored);
    if ('constant' in step) return at(step.constant.field, step.constant.stored);
    if ('expression' in step) return at(step.expression.field, step.expression.stored);
    if ('item' in step) return at(step.item.field, step.item.stored);
    if ('annotation' in step) return at(step.annotation.field, step.annotation.stored);
    if ('values' in step) return at(step.values.field, step.values.stored);
    if ('derived' in step) return at(step.derived.stored, ...Object.values(step.derived.from));
    return placesOf(step.within.steps, join(below, step.within.path));
  });
}

/** Returns the texts that steps put between parts. A part that contains such a text may come apart there. */
const separatorsOf = (steps: readonly ConversionStep[]): readonly string[] =>
  steps.flatMap((step): readonly string[] => {
    if ('split' in step) return [step.split.separator];
    if ('join' in step) return [step.join.separator];
    return 'within' in step ? separatorsOf(step.within.steps) : [];
  });

/** Returns whether a conversion computes values, rather than only moving them. */
export const computes = (steps: readonly ConversionStep[]): boolean =>
  steps.some((step) => 'expression' in step || ('within' in step && computes(step.within.steps)));

/** Returns the path of a place below another one. */
export const join = (below: string, path: string): string => {
  if (below === '' || path === '') return below + path;
  return path.startsWith('[') ? below + path : `${below}.${path}`;
};

const withoutLists = (path: string): string => path.replaceAll('[]', '');

const isWithin = (path: string, place: string): boolean =>
  place === '' || path === place || path.startsWith(`${place}.`);

/** Yields the places, without list marks, that have other rules of an object in the other version. */
function* ruledPlaces(own: Schema, other: Schema | undefined, place = ''): Generator<string> {
  if (own === other || other === undefined) return;
  if (differsAbove(own, other)) {
    yield place;
    return;
  }
  for (const [name, child] of Object.entries(own.properties ?? {}))
    yield* ruledPlaces(child, other.properties?.[name], place === '' ? name : `${place}.${name}`);
  if (own.items) yield* ruledPlaces(own.items, other.items, place);
  if (typeof own.additionalProperties === 'object')
    yield* ruledPlaces(own.additionalProperties, additionalOf(other), place);
}

/** Returns the schema of a field in the other version. */
function schemaAt(schema: Schema, path: string): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const segment of parsePath(path) ?? []) {
    if (segment === 'each') at = at?.items ?? additionalOf(at);
    else at = at?.properties && Object.hasOwn(at.properties, segment.key) ? at.properties[segment.key] : undefined;
  }
  return at;
}

const additionalOf = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;

const texts = new WeakMap<Schema, string>();

function isSame(one: Schema, other: Schema | undefined): boolean {
  if (other === undefined) return false;
  if (one === other) return true;
  const type = one['x-kindforge-type'];
  if (type !== undefined && type === other['x-kindforge-type']) return true;
  return constraintsKey(one) === constraintsKey(other);
}

/** Returns the constraints of a schema as a key, without descriptions. */
function constraintsKey(schema: Schema): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  });
  texts.set(schema, text);
  return text;
}

/** Puts items that steps look for into lists, because random lists rarely contain them. */
function addItems(object: JsonObject, steps: readonly ConversionStep[], below: string, random: () => number): void {
  for (const step of steps) {
    if ('within' in step) addItems(object, step.within.steps, join(below, step.within.path), random);
    if (!('item' in step) || random() < 0.5) continue;
    const { stored, where, value } = step.item;
    const item: JsonObject = {};
    for (const [path, wanted] of Object.entries(where)) putAt(item, wanted, ...keysOf(path));
    putAt(item, 1 + Math.floor(random() * 90), ...keysOf(value));
    const { lists, keys } = stepsOf(parsePath(join(below, stored)) ?? []);
    for (const container of containersOf(object, lists)) {
      const list = valueAt(container, ...keys);
      if (Array.isArray(list)) list.push(item);
      else putAt(container, [item], ...keys);
    }
  }
}

/** Sets fields to the values that conversion steps treat specially, from either version. */
function addValues(
  object: JsonObject,
  steps: readonly ConversionStep[],
  { side, schema, random }: Adding,
  below = '',
): void {
  for (const step of steps) {
    if ('within' in step) addValues(object, step.within.steps, { side, schema, random }, join(below, step.within.path));
    const telling = tellingValues(step, side);
    if (telling === undefined || random() < 0.5) continue;
    const place = join(below, telling.place);
    const allowed = telling.values.filter((value) => isAllowed(schemaAt(schema, place), value));
    const value = allowed[Math.floor(random() * allowed.length)];
    if (value === undefined) continue;
    const { lists, keys } = stepsOf(parsePath(place) ?? []);
    // Does not create missing parents, because they might lack required fields.
    for (const container of containersOf(object, lists))
      if (isObject(valueAt(container, ...keys.slice(0, -1)))) putAt(container, structuredClone(value), ...keys);
  }
}

interface Adding {
  readonly side: 'this' | 'stored';
  readonly schema: Schema;
  readonly random: () => number;
}

/**
 * Returns the values of a field that a step treats specially. A value of the other version may be in the field too,
 * with another meaning.
 */
function tellingValues(
  step: ConversionStep,
  side: Adding['side'],
): { readonly place: ConversionPath; readonly values: readonly JsonValue[] } | undefined {
  if ('values' in step) {
    const { pairs, field, stored } = step.values;
    const [own, other] = side === 'this' ? (['field', 'stored'] as const) : (['stored', 'field'] as const);
    // Skips objects and lists that stand for other values: such marks are never there by chance.
    const theirs = pairs.map((pair) => pair[other]).filter((value) => typeof value !== 'object');
    const values = [...pairs.map((pair) => pair[own]), ...theirs];
    return { place: side === 'this' ? field : stored, values };
  }
  if ('wrap' in step) {
    const { field, stored, list = 'stored' } = step.wrap;
    // An empty list is not the same as an absent one.
    return (list === 'stored') === (side === 'stored')
      ? { place: list === 'stored' ? stored : field, values: [[]] }
      : undefined;
  }
  if (!('default' in step)) return undefined;
  const { field, stored, value } = step.default;
  return { place: stored ?? field ?? '', values: [value] };
}

/** Returns whether a schema allows a value, by its type and enum. */
function isAllowed(schema: Schema | undefined, value: JsonValue): boolean {
  if (schema?.enum !== undefined) return schema.enum.some((each) => equal(each, value));
  if (schema?.type === undefined) return true;
  if (schema.type === 'object') return isObject(value);
  if (schema.type === 'array') return Array.isArray(value) && value.length >= (schema.minItems ?? 0);
  return typeof value === (schema.type === 'integer' ? 'number' : schema.type);
}

interface Making {
  readonly random: () => number;
  readonly maker: ValueMaker;
  readonly schema: Schema;
}

/**
 * Makes one of several fields exist, removes the others, and sets the field that names it, as in every valid object.
 */
function derive(object: JsonObject, steps: readonly ConversionStep[], below: string, making: Making): void {
  for (const step of steps) {
    if ('within' in step) derive(object, step.within.steps, join(below, step.within.path), making);
    // Within an annotation, `value` is the field that it keeps.
    if ('annotation' in step && step.annotation.stored !== undefined)
      derive(object, unboxed(step.annotation.steps ?? []), join(below, step.annotation.stored), making);
    if (!('derived' in step)) continue;
    const tag = stepsOf(parsePath(join(below, step.derived.stored)) ?? []);
    const choices = Object.entries(step.derived.from);
    for (const container of containersOf(object, tag.lists)) {
      if (tag.keys.length > 2 && valueAt(container, ...tag.keys.slice(0, -2)) === undefined) continue;
      const chosen = Math.floor(making.random() * choices.length);
      for (const [at, [value, place]] of choices.entries()) {
        const path = join(below, place);
        const { keys } = stepsOf(parsePath(path) ?? []);
        if (at !== chosen) takeAt(container, ...keys);
        else {
          if (valueAt(container, ...keys) === undefined)
            putAt(container, making.maker.value(schemaAt(making.schema, path) ?? {}, path), ...keys);
          putAt(container, value, ...tag.keys);
        }
      }
    }
  }
}

/** Returns the steps of an annotation without the key for its value. */
function unboxed(steps: readonly ConversionStep[]): readonly ConversionStep[] {
  return steps.flatMap((step): readonly ConversionStep[] => {
    if (!('within' in step)) return [];
    const path = step.within.path.replace(/^value\.?/, '');
    return [{ within: { path, steps: step.within.steps } }];
  });
}

/** Removes all but one of some fields, chosen by chance. */
function keepOne(object: JsonObject, fields: readonly ConversionPath[], random: () => number): void {
  const places = fields.map((field) => stepsOf(parsePath(field) ?? []));
  for (const container of containersOf(object, places[0]?.lists ?? [])) {
    const present = places.filter(({ keys }) => valueAt(container, ...keys) !== undefined);
    const kept = present[Math.floor(random() * present.length)];
    for (const place of present) if (place !== kept) takeAt(container, ...place.keys);
  }
}

function containersOf(object: JsonObject, lists: readonly (readonly string[])[]): readonly JsonObject[] {
  return lists.reduce<readonly JsonObject[]>(
    (containers, keys) => containers.flatMap((container) => itemsAt(container, ...keys)),
    [object],
  );
}

const keysOf = (path: ConversionPath): readonly string[] => stepsOf(parsePath(path) ?? []).keys;
