/**
 * Makes objects with and without each of their fields, with unknown fields, and maps with sizes at the limits of
 * schemas and rules.
 */
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { getOwn, setOwn } from '../../../../runtime/objects/guards.js';
import { MAX_RULED } from './lists.js';
import { type Making, ROUGH } from './making.js';
import { below, namesIn, type PlaceSchemas } from './place-schemas.js';

/** Maximum number of values of a map. */
const MAX_VALUES = 1_000;

/** Maximum number of objects with different fields to put a value into. */
const MAX_BASES = 16;

/** A field that no schema knows. */
const UNKNOWN = 'unknownField';

/** Returns objects for the schemas of one. */
export function objectsOf(making: Making, place: PlaceSchemas, limit: number): readonly JsonValue[] {
  const bases = basesOf(making, place);
  const [base = {}] = bases;
  const names = namesIn(place).slice(0, limit);
  const more = limit <= ROUGH ? [] : [...withOne(making, place, base, names, limit), ...withoutOne(base)];
  const maps = mapsOf(making, place, limit);
  const open =
    isOpen(place) || limit >= 100
      ? [
          { ...base, [UNKNOWN]: 1 },
          { ...base, [UNKNOWN]: { a: 'b' } },
        ]
      : [];
  return [...bases, ...embedded(place, bases), ...more, ...maps, ...open];
}

/**
 * Returns the smallest objects: with the fields that both definitions require, that one requires, and that a condition
 * requires.
 */
export function basesOf(making: Making, place: PlaceSchemas): readonly JsonObject[] {
  const { own, other, facets } = place;
  const sets = [
    [...requiredBy(own), ...requiredBy(other)],
    requiredBy(own),
    ...facets.slice(2).flatMap(({ required, properties }) => {
      const asked = required ?? Object.keys(properties ?? {});
      return asked.length === 0 ? [] : [[...requiredBy(own), ...asked]];
    }),
    ...askedByRules(place).map((asked) => [...requiredBy(own), ...asked]),
  ];
  const bases = sets.slice(0, MAX_BASES).map((names) => withFields(making, place, [...new Set(names)]));
  return bases.map((base) => filled(making, place, base));
}

/** Returns the object with only the required fields, even if it has too few to be valid. */
export const leastOf = (making: Making, place: PlaceSchemas): JsonObject =>
  withFields(making, place, requiredBy(place.own));

/**
 * Returns the fields in rules of the object and of the objects around it: the fields of all rules, of each rule, and
 * each field by itself.
 */
function askedByRules(place: PlaceSchemas): readonly (readonly string[])[] {
  if (place.rules.length === 0) return [];
  const names = namesIn(place);
  const byRule = place.rules.map((rule) => {
    const words = new Set(rule.match(/\w+/g));
    return names.filter((name) => words.has(name));
  });
  const all = [...new Set(byRule.flat())];
  return [all, ...all.map((name) => [name]), ...byRule].filter((asked) => asked.length > 0);
}

/** Returns the required fields without a default. */
const requiredBy = (schema: Schema | undefined): readonly string[] =>
  (schema?.required ?? []).filter((name) => getOwn(schema?.properties ?? {}, name)?.default === undefined);

function withFields(making: Making, place: PlaceSchemas, names: readonly string[]): JsonObject {
  const object: JsonObject = {};
  for (const name of names) {
    const value = making.smallest(below(place, { key: name }));
    if (value !== undefined) setOwn(object, name, value);
  }
  return object;
}

/** Adds fields until an object has its minimum number. */
function filled(making: Making, place: PlaceSchemas, base: JsonObject): JsonObject {
  const needed = Math.min(
    MAX_VALUES,
    Math.max(0, ...place.facets.map(({ minProperties = 0 }) => Number(minProperties))),
  );
  if (Object.keys(base).length >= needed) return base;
  const object = { ...base };
  for (const name of namesIn(place)) {
    if (Object.keys(object).length >= needed) break;
    const value = Object.hasOwn(object, name) ? undefined : making.smallest(below(place, { key: name }));
    if (value !== undefined) setOwn(object, name, value);
  }
  const each = making.smallest(below(place, 'each')) ?? 'a';
  for (let at = 0; Object.keys(object).length < needed && hasValues(place); at++) object[`k${at}`] = each;
  return object;
}

/** Returns the base with one more field, with some values of the field, and with several fields. */
function withOne(
  making: Making,
  place: PlaceSchemas,
  base: JsonObject,
  names: readonly string[],
  limit: number,
): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const each = names.length > 12 ? 2 : limit >= 100 ? 8 : 3;
  const all: JsonObject = { ...base };
  for (const name of names) {
    const child = below(place, { key: name });
    const first = making.smallest(child);
    if (first !== undefined) setOwn(all, name, first);
    for (const value of new Set([first, ...making.values(child, each), null])) {
      if (value !== undefined) found.push(withField(base, name, value));
    }
  }
  const pairs = limit >= 100 && names.length <= 12 ? pairsOf(making, place, base, names) : [];
  return [...found, all, ...pairs];
}

function pairsOf(making: Making, place: PlaceSchemas, base: JsonObject, names: readonly string[]): JsonObject[] {
  const valuesOf = (name: string): readonly JsonValue[] => making.values(below(place, { key: name }), 3);
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .flatMap((other) =>
        valuesOf(one).flatMap((a) => valuesOf(other).map((b) => withField(withField(base, one, a), other, b))),
      ),
  );
}

function withField(base: JsonObject, name: string, value: JsonValue): JsonObject {
  const object = { ...base };
  setOwn(object, name, value);
  return object;
}

const withoutOne = (base: JsonObject): readonly JsonObject[] =>
  Object.keys(base).map((name) => {
    const { [name]: _, ...rest } = base;
    return rest;
  });

const isOpen = ({ facets }: PlaceSchemas): boolean =>
  facets.some((facet) => facet['x-kubernetes-preserve-unknown-fields'] === true || facet.properties === undefined);

const hasValues = ({ facets }: PlaceSchemas): boolean =>
  facets.some(({ additionalProperties }) => additionalProperties !== undefined && additionalProperties !== false);

/** Returns maps with one value of each kind, and maps with sizes at a limit of a schema. */
function mapsOf(making: Making, place: PlaceSchemas, limit: number): readonly JsonObject[] {
  if (!hasValues(place)) return [];
  const values = below(place, 'each');
  const first = making.smallest(values) ?? 'a';
  const some = limit <= ROUGH ? [first] : making.values(values, Math.min(limit, 24));
  const limits = place.facets.flatMap(({ minProperties, maxProperties }) =>
    [minProperties, maxProperties].flatMap((each) => (each === undefined ? [] : Number(each))),
  );
  const ruled = limit <= ROUGH ? [] : place.sizes.filter((size) => size <= MAX_RULED);
  const sizes = [...new Set([...limits.flatMap((each) => [each - 1, each, each + 1]), ...ruled])].filter(
    (size) => size > 0 && size <= MAX_VALUES,
  );
  const ofSize = (size: number): JsonObject =>
    Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, first]));
  const known = new Set(namesIn(place));
  // A name that is not a field, so that both definitions treat it as a key of the map.
  const free = ['a', 'k', 'other', UNKNOWN].find((name) => !known.has(name)) ?? 'a';
  const named = limit <= ROUGH ? [] : keysOf(place).map((key): JsonObject => ({ [key]: first }));
  return [...some.map((value) => ({ [free]: value })), ...named, ...sizes.map(ofSize)];
}

/** Returns names that rules may check: those in the rules, and some of each length. */
function keysOf({ words, rules, sizes }: PlaceSchemas): readonly string[] {
  if (rules.length === 0) return [];
  const texts = words.filter((word) => typeof word === 'string');
  return [...new Set([...texts, 'A', 'a/b', ...sizes.map((size) => 'k'.repeat(size))])];
}

/** Returns objects with nested objects: with the required fields of each, and without. */
function embedded({ facets }: PlaceSchemas, bases: readonly JsonObject[]): readonly JsonObject[] {
  if (!facets.some((facet) => facet['x-kubernetes-embedded-resource'] === true)) return [];
  const head = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' } };
  return bases.flatMap((base) => [
    { ...base, ...head },
    { ...base, ...head, metadata: { name: 'a', [UNKNOWN]: 1 } },
    { ...base, apiVersion: 'v1', kind: 'Any' },
    { ...base, kind: 'Any' },
    { ...base, apiVersion: 'v1' },
  ]);
}
