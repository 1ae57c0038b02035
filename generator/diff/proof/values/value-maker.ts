/**
 * Makes values of a place that two definitions may answer differently: at every limit of each definition, the smallest
 * first.
 */
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { setOwn } from '../../../../runtime/objects/guards.js';
import { listsOf } from './lists.js';
import { type Making, ROUGH } from './making.js';
import { objectsOf } from './objects.js';
import { below, type PlaceSchemas } from './place-schemas.js';
import { textsOf } from './texts.js';
import { keyOf, sizeOf } from './value-text.js';

/** Returns whether the schema of a place accepts a value, regardless of the rest of the object. */
export type Accepts = (schema: Schema, value: JsonValue) => boolean;

/** The limit of a thorough search at a place. Places below it get lower limits. */
export const CLOSE = 240;

/** Makes values, and caches them by place. */
export class ValueMaker implements Making {
  private readonly listed = new Map<PlaceSchemas, Map<number, readonly JsonValue[]>>();
  private readonly found = new Map<PlaceSchemas, JsonValue | undefined>();
  private readonly shared = new Map<Schema, Map<Schema | undefined, JsonValue | undefined>>();

  constructor(private readonly accepts: Accepts) {}

  smallest(place: PlaceSchemas): JsonValue | undefined {
    const own = place.own ?? place.other;
    if (own === undefined) return undefined;
    if (this.found.has(place)) return this.found.get(place);
    const value = this.sharedSmallest(place, own);
    this.found.set(place, value);
    return value;
  }

  /** Returns the smallest value. Places with the same two schemas share it if no rules are around them. */
  private sharedSmallest(place: PlaceSchemas, own: Schema): JsonValue | undefined {
    if (place.words.length > 0) return this.findSmallest(place, own);
    const known = this.shared.get(own) ?? new Map<Schema | undefined, JsonValue | undefined>();
    this.shared.set(own, known);
    if (!known.has(place.other)) known.set(place.other, simplest(this, place) ?? this.findSmallest(place, own));
    return known.get(place.other);
  }

  private findSmallest(place: PlaceSchemas, own: Schema): JsonValue | undefined {
    const other = place.own === undefined ? undefined : place.other;
    let first: JsonValue | undefined;
    for (const limit of [ROUGH, CLOSE]) {
      for (const value of this.values(place, limit)) {
        if (!this.accepts(own, value)) continue;
        if (other === undefined || this.accepts(other, value)) return value;
        first ??= value;
      }
      if (first !== undefined) return first;
    }
    return first;
  }

  values(place: PlaceSchemas, limit: number): readonly JsonValue[] {
    const known = this.listed.get(place) ?? new Map<number, readonly JsonValue[]>();
    this.listed.set(place, known);
    const values = known.get(limit) ?? this.list(place, limit);
    known.set(limit, values);
    return values;
  }

  fits({ own, other }: PlaceSchemas, value: JsonValue): boolean {
    const schema = own ?? other;
    return schema !== undefined && this.accepts(schema, value);
  }

  private list(place: PlaceSchemas, limit: number): readonly JsonValue[] {
    const all = [...this.given(place), ...[...typesOf(place)].flatMap((type) => this.ofType(place, type, limit))];
    const different = new Map(all.map((value) => [keyOf(value), value]));
    const sorted = [...different.values()].sort((a, b) => sizeOf(a) - sizeOf(b));
    return sorted.slice(0, limit);
  }

  /** Returns the values in the schemas and rules themselves. */
  private given(place: PlaceSchemas): readonly JsonValue[] {
    const { facets } = place;
    const types = typesOf(place);
    const words = place.words.filter((word) => isOfType(word, types));
    const named = facets.flatMap(({ enum: members = [], default: fallback }) => [
      ...members,
      ...(fallback === undefined ? [] : [fallback]),
    ]);
    return facets.some(({ nullable }) => nullable === true) ? [...named, ...words, null] : [...named, ...words];
  }

  private ofType(place: PlaceSchemas, type: string, limit: number): readonly JsonValue[] {
    switch (type) {
      case 'string':
        return textsOf(place, limit >= CLOSE);
      case 'integer':
      case 'number':
        return numbersOf(place.facets);
      case 'boolean':
        return [true, false];
      case 'array':
        return listsOf(this, place, below(place, 'each'), limit);
      default:
        return objectsOf(this, place, limit);
    }
  }
}

const isOfType = (word: JsonValue, types: ReadonlySet<string>): boolean =>
  typeof word === 'number' ? types.has('integer') || types.has('number') : types.has(typeof word);

/** Returns the types that values may have; all types if a schema has no type. */
function typesOf({ own, other, facets }: PlaceSchemas): ReadonlySet<string> {
  const named = new Set<string>(facets.flatMap(({ type }) => type ?? []));
  const isOpen = [own, other].some((schema) => schema !== undefined && schema.type === undefined);
  if (facets.some((facet) => facet['x-kubernetes-int-or-string'] === true)) {
    named.add('integer').add('string');
    return named;
  }
  return isOpen || named.size === 0 ? new Set(['boolean', 'integer', 'string', 'object', 'array', ...named]) : named;
}

/** Returns numbers near every limit of the schemas, and some ordinary ones. */
function numbersOf(facets: readonly Schema[]): readonly JsonValue[] {
  const wholes = [0, 1, 2, 3, 10, -1, 100];
  const limits = facets.flatMap(({ minimum, maximum }) => [minimum, maximum].flatMap((limit) => around(limit)));
  const steps = facets.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : multiples(multipleOf, facets)));
  const wide = facets.some(({ format }) => format === 'int32' || format === 'int64')
    ? [2147483647, 2147483648, -2147483648, -2147483649]
    : [];
  const fractions = facets.some(({ type }) => type === 'number') ? [0.5, 1.5, -0.5] : [];
  return [...new Set<JsonValue>([...wholes, ...limits, ...steps, ...fractions, ...wide, ...between(facets)])];
}

function around(limit: number | bigint | undefined): readonly JsonValue[] {
  if (limit === undefined) return [];
  if (typeof limit === 'bigint') return [limit, limit - 1n, limit + 1n];
  return [limit, limit - 1, limit + 1, limit - 0.5, limit + 0.5];
}

/** Returns numbers between each two neighbouring limits. */
function between(facets: readonly Schema[]): readonly JsonValue[] {
  const limits = facets.flatMap(({ minimum, maximum }) => [minimum, maximum].flatMap((each) => each ?? []));
  const sorted = [...new Set(limits.map(Number))].sort((a, b) => a - b);
  return sorted.slice(1).flatMap((limit, at) => {
    const middle = ((sorted[at] ?? limit) + limit) / 2;
    return [Math.floor(middle), middle];
  });
}

/** Returns multiples near zero and near the limits, because another step may not divide them. */
function multiples(step: number, facets: readonly Schema[]): readonly JsonValue[] {
  const limits = facets.flatMap(({ minimum, maximum }) => [minimum, maximum].flatMap((each) => each ?? []).map(Number));
  const near = limits.flatMap((limit) => [Math.ceil(limit / step) * step, Math.floor(limit / step) * step]);
  return [step, 2 * step, 3 * step, 5 * step, 7 * step, -step, ...near, step + 1, step / 2];
}

// Values of places that only require a type and some fields: these values fit without a trial.

/** Keywords that refuse nothing, or no value made here. */
const harmless: ReadonlySet<string> = new Set([
  'type',
  'description',
  'title',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'nullable',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
]);

const scalars: Readonly<Record<string, JsonValue>> = { string: 'a', integer: 1, number: 1, boolean: true, array: [] };

/** Returns the value of a place without further conditions; `undefined` if there are some. */
function simplest(making: Making, place: PlaceSchemas): JsonValue | undefined {
  const { facets } = place;
  const [type, ...others] = new Set(facets.map((facet) => facet.type));
  if (type === undefined || others.length > 0 || !facets.every(isHarmless)) return undefined;
  return type === 'object' ? object(making, place) : scalars[type];
}

const isHarmless = (schema: Schema): boolean => Object.keys(schema).every((key) => harmless.has(key));

function object(making: Making, place: PlaceSchemas): JsonObject | undefined {
  const result: JsonObject = {};
  for (const name of new Set(place.facets.flatMap(({ required = [] }) => required))) {
    const child = below(place, { key: name });
    if (child.facets.some((facet) => facet.default !== undefined)) continue;
    const value = making.smallest(child);
    if (value === undefined || value === null) return undefined;
    setOwn(result, name, value);
  }
  return result;
}
