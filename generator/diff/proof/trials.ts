/** Makes the objects to try for a difference: objects for its place, in order of size, and random objects. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { getOwn, isObject, setOwn } from '../../../runtime/objects/guards.js';
import { dns1123Subdomain } from '../../../runtime/objects/names/name-checks.js';
import type { Segment } from '../../../runtime/schema/index.js';
import { createRandom } from '../../check/conversion/random.js';
import { type Carrier, carriersOf, fittingCarriers } from './carriers.js';
import type { Trial } from './effects.js';
import type { Making } from './values/making.js';
import { below, namesIn, type PlaceSchemas } from './values/place-schemas.js';
import { CLOSE, type ValueMaker } from './values/value-maker.js';
import { sizeOf } from './values/value-text.js';

/** Settings to make objects for one place. */
export interface TrialSource {
  readonly maker: ValueMaker;
  readonly root: PlaceSchemas;
  readonly path: readonly Segment[];
  /** Parts that only the `status` subresource writes. */
  readonly statusParts: readonly string[];
  /** The beginning of each object: version, kind and metadata. */
  readonly head: JsonObject;
}

/** Maximum number of values to try in a carrier before it counts as unusable. */
const SAMPLED = 40;

/** Maximum number of usable carriers for each value. */
const CARRIERS = 3;

/**
 * Returns objects for the place. `isValid` checks an object with the definition it is made for. `limit` is the number
 * of values of the place to try.
 */
export function trialsAt(source: TrialSource, isValid: (trial: Trial) => boolean, limit = CLOSE): readonly Trial[] {
  const { maker, root, path, statusParts } = source;
  const heads = headsOf(source);
  const place = path.reduce(below, root);
  // Without a schema, the place may hold anything.
  const any: readonly JsonValue[] = place.own === undefined ? ['', 1, true, {}, []] : [];
  const values: readonly (JsonValue | undefined)[] = [undefined, ...maker.values(place, limit), ...any];
  const trialsOf = (carrier: Carrier, value: JsonValue | undefined): readonly Trial[] =>
    heads.flatMap((head) => asTrials(withHead(carrier(value), head), statusParts));
  const carries = (carrier: Carrier, some: typeof values): boolean =>
    some.slice(0, SAMPLED).some((value) => trialsOf(carrier, value).some(isValid));
  const plain = carriersOf(maker, root, path);
  const full = firstOf(plain, (carrier) => carries(carrier, values.slice(1)));
  const isHard = full.length === 0 && place.own !== undefined;
  const fitting = isHard ? fittingCarriers(maker, root, path).slice(0, CARRIERS - 1) : full;
  const isEmpty = (carrier: Carrier): boolean => !full.includes(carrier) && carries(carrier, [undefined]);
  const carriers = fitting.length < CARRIERS ? [...fitting, ...firstOf(plain, isEmpty)] : fitting;
  const trials = carriers.slice(0, CARRIERS).flatMap((carrier) => values.flatMap((value) => trialsOf(carrier, value)));
  return trials.sort((a, b) => sizeOf(a.object) - sizeOf(b.object));
}

/** Returns the first carriers with a property, at most as many as are used. */
function firstOf(carriers: readonly Carrier[], holds: (carrier: Carrier) => boolean): readonly Carrier[] {
  const found: Carrier[] = [];
  for (const carrier of carriers) {
    if (found.length === CARRIERS) break;
    if (holds(carrier)) found.push(carrier);
  }
  return found;
}

/** Yields objects with values of the place instead of their own, if they have one there. */
export function trialsWithin(
  { maker, root, path, statusParts, head }: TrialSource,
  trials: readonly Trial[],
): readonly Trial[] {
  const values = maker.values(path.reduce(below, root), CLOSE);
  const carriers = trials.filter(({ object }) => replaceAt(object, path, null) !== undefined).slice(0, CARRIERS);
  return carriers.flatMap(({ object }) =>
    values.flatMap((value) => {
      const replaced = replaceAt(object, path, value);
      return isObject(replaced) ? asTrials(withHead(replaced, head), statusParts) : [];
    }),
  );
}

/** Returns whether the object of a trial, or the object that it replaces, has a value at a place. */
export const reaches = ({ object, before }: Trial, path: readonly Segment[]): boolean =>
  has(object, path) || (before !== undefined && has(before, path));

function has(value: JsonValue, path: readonly Segment[]): boolean {
  const [segment, ...rest] = path;
  if (segment === undefined) return true;
  if (Array.isArray(value)) return segment === 'each' && value.some((item) => has(item, rest));
  if (!isObject(value)) return false;
  if (segment === 'each') return Object.values(value).some((each) => each !== undefined && has(each, rest));
  const field = getOwn(value, segment.key);
  return field !== undefined && has(field, rest);
}

/**
 * Returns a copy of a value with another one at a place, in the first item of each list; `undefined` if the place does
 * not exist.
 */
function replaceAt(value: JsonValue, path: readonly Segment[], by: JsonValue): JsonValue | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return by;
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    const replaced = segment === 'each' && first !== undefined ? replaceAt(first, rest, by) : undefined;
    return replaced === undefined ? undefined : [replaced, ...others];
  }
  if (!isObject(value)) return undefined;
  const key = segment === 'each' ? Object.keys(value)[0] : segment.key;
  const found = key === undefined ? undefined : getOwn(value, key);
  const replaced = found === undefined ? undefined : replaceAt(found, rest, by);
  if (key === undefined || replaced === undefined) return undefined;
  const copy = { ...value };
  setOwn(copy, key, replaced);
  return copy;
}

/** Yields random objects, the same ones each time. */
export function* chanceTrials(source: TrialSource): Generator<Trial> {
  const { maker, root, statusParts } = source;
  const make = randomObjects(maker, root, createRandom(1));
  const heads = headsOf(source);
  for (;;) for (const head of heads) yield* asTrials(withHead(make(), head), statusParts);
}

const isName = (text: string): boolean => dns1123Subdomain(text).length === 0;

/** Maximum number of names to try. */
const MAX_NAMES = 8;

/** Returns the heads of objects: one, or several names if rules of the whole object need them. */
function headsOf({ root: { rules, words, sizes }, head }: TrialSource): readonly JsonObject[] {
  if (!rules.some((rule) => /\bmetadata\.name\b/.test(rule))) return [head];
  const asked = words.filter((word) => typeof word === 'string').flatMap((word) => [word, `${word}a`, `a${word}`]);
  const names = [...asked, ...sizes.map((size) => 'a'.repeat(size))].filter(isName);
  return [head, ...[...new Set(names)].slice(0, MAX_NAMES).map((name) => ({ ...head, metadata: { name } }))];
}

/** Returns an object as a user writes it, with its kind and name first. */
function withHead(object: JsonObject, head: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...body } = object;
  return { ...head, ...body };
}

/** Returns trials of an object. A status is written through the subresource. */
export function asTrials(object: JsonObject, statusParts: readonly string[]): readonly Trial[] {
  if (!statusParts.some((part) => object[part] !== undefined)) return [{ object }];
  const before = Object.fromEntries(Object.entries(object).filter(([key]) => !statusParts.includes(key)));
  return [{ before, object, through: 'status' }];
}

/** Maximum number of values in an object; after that, optional ones are left out. */
const MAX_VALUES = 300;

/** Makes an object of a place at each call. */
function randomObjects(making: Making, root: PlaceSchemas, random: () => number): () => JsonObject {
  let made = 0;
  const density = (): number => (made > MAX_VALUES ? 0 : 0.5);
  const pick = (values: readonly JsonValue[]): JsonValue | undefined => values[Math.floor(random() * values.length)];
  const value = (place: PlaceSchemas): JsonValue | undefined => {
    made++;
    if (namesIn(place).length > 0 && random() < 0.9) return object(place);
    const items = below(place, 'each');
    if (items.facets.length > 0 && random() < 0.7) return several(place, items);
    return random() < 0.4 ? making.smallest(place) : pick(making.values(place, 40));
  };
  const several = (place: PlaceSchemas, items: PlaceSchemas): JsonValue => {
    const isList = place.facets.some((facet) => facet.items !== undefined);
    const count = made > MAX_VALUES ? 0 : Math.floor(random() * 3);
    const values = Array.from({ length: count }, () => value(items) ?? null);
    return isList ? values : Object.fromEntries(values.map((each, at) => [`k${at}`, each]));
  };
  const object = (place: PlaceSchemas): JsonObject => {
    const required = new Set(place.own?.required ?? []);
    const result: JsonObject = {};
    for (const name of namesIn(place)) {
      if (random() >= (required.has(name) ? 0.98 : density())) continue;
      const found = value(below(place, { key: name }));
      if (found !== undefined) setOwn(result, name, found);
    }
    return result;
  };
  return () => {
    made = 0;
    return object(root);
  };
}
