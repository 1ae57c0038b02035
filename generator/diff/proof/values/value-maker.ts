/** Values of a place that two definitions may answer differently: at every limit of either, the smallest first. */
import type { JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { listsOf } from './lists.js';
import { type Making, ROUGH } from './making.js';
import { numbersOf } from './numbers.js';
import { objectsOf } from './objects.js';
import { below, type PlaceSchemas } from './place-schemas.js';
import { simplest } from './simplest.js';
import { textsOf } from './texts.js';
import { keyOf, sizeOf } from './value-text.js';

/** Whether a definition accepts a value at a place of its own, all else left aside. */
export type Accepts = (schema: Schema, value: JsonValue) => boolean;

/** Values at which a place is looked at in every way; those within it are looked at less closely. */
export const CLOSE = 240;

/** Makes values; keeps what it found for places that come up again. */
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

  /** Places of the same two schemas have the same smallest value, where nothing around them has a say. */
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

  /** Values that the schemas and rules themselves name. */
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

/** The types that values may have; all types where a schema names none. */
function typesOf({ own, other, facets }: PlaceSchemas): ReadonlySet<string> {
  const named = new Set<string>(facets.flatMap(({ type }) => type ?? []));
  const isOpen = [own, other].some((schema) => schema !== undefined && schema.type === undefined);
  if (facets.some((facet) => facet['x-kubernetes-int-or-string'] === true)) {
    named.add('integer').add('string');
    return named;
  }
  return isOpen || named.size === 0 ? new Set(['boolean', 'integer', 'string', 'object', 'array', ...named]) : named;
}
