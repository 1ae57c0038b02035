/** Makes values larger within their bounds: lists and maps of more members, and longer texts. */
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { isObject, setOwn } from '../../../../runtime/objects/guards.js';
import type { Segment } from '../../../../runtime/schema/index.js';
import { differentItems, variant } from './lists.js';
import type { Making } from './making.js';
import { below, type PlaceSchemas } from './place-schemas.js';
import { CLOSE } from './value-maker.js';

/** How a value is to grow. */
export interface Growth {
  /** Members of each list and map, as far as bounds allow. */
  readonly count: number;
  /** Whether texts grow as well, to eight characters for each member. */
  readonly texts: boolean;
  /** Whether lists and maps that the place is in grow as well. */
  readonly around: boolean;
}

/** Items that are made to differ where a number in them does not do it. */
const MAX_DIFFERENT = 60;

/** A copy of a value in which what is at a path, and in it, is larger. */
export function grow(
  making: Making,
  place: PlaceSchemas,
  value: JsonValue,
  path: readonly Segment[],
  growth: Growth,
): JsonValue {
  const isWithin = path.length === 0;
  if (typeof value === 'string') return isWithin && growth.texts ? longer(making, place, value, growth.count) : value;
  if (Array.isArray(value)) return growList(making, place, value, path, growth);
  return isObject(value) ? growObject(making, place, value, path, growth) : value;
}

function growList(
  making: Making,
  place: PlaceSchemas,
  list: readonly JsonValue[],
  path: readonly Segment[],
  growth: Growth,
): JsonValue {
  const items = below(place, 'each');
  const first = list[0] ?? (path.length === 0 ? making.smallest(items) : undefined);
  if (first === undefined) return [...list];
  const grown = grow(making, items, first, path.slice(1), growth);
  if (path.length > 0 && !growth.around) return [grown, ...list.slice(1)];
  const bounds = place.facets.flatMap(({ maxItems }) => maxItems ?? []);
  return several(making, place, grown, Math.min(growth.count, ...bounds.map(Number)));
}

/** Items that differ by a number, where the schema allows such; the same ones over and over where it allows that. */
function several(making: Making, place: PlaceSchemas, item: JsonValue, count: number): JsonValue[] {
  const items = below(place, 'each');
  const keys = place.facets.flatMap((facet) => facet['x-kubernetes-list-map-keys'] ?? []);
  const fits = count > 1 && making.fits(items, variant(item, keys, count));
  if (fits) return [item, ...Array.from({ length: count - 1 }, (_, at) => variant(item, keys, at + 1))];
  const mustDiffer = place.facets.some(
    (facet) => facet.uniqueItems === true || (facet['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic',
  );
  if (!mustDiffer) return Array.from({ length: count }, () => item);
  const different = differentItems(making, place, items, Math.min(count, MAX_DIFFERENT));
  return [...new Map(different.map((each) => [JSON.stringify(each), each])).values()];
}

function growObject(
  making: Making,
  place: PlaceSchemas,
  object: JsonObject,
  path: readonly Segment[],
  growth: Growth,
): JsonObject {
  const [segment, ...rest] = path;
  const copy: JsonObject = {};
  for (const [name, value = null] of Object.entries(object)) {
    const isOnPath = segment === undefined || segment === 'each' || segment.key === name;
    setOwn(copy, name, isOnPath ? grow(making, memberOf(place, name), value, rest, growth) : value);
  }
  const [each] = isMap(place) && (path.length === 0 || (segment === 'each' && growth.around)) ? Object.keys(copy) : [];
  if (each === undefined) return copy;
  const bounds = place.facets.flatMap(({ maxProperties }) => maxProperties ?? []);
  const count = Math.min(growth.count, ...bounds.map(Number));
  for (let at = Object.keys(copy).length; at < count; at++) setOwn(copy, `k${at}`, copy[each] ?? null);
  return copy;
}

const isMap = ({ facets }: PlaceSchemas): boolean =>
  facets.some(({ additionalProperties }) => typeof additionalProperties === 'object');

const memberOf = (place: PlaceSchemas, name: string): PlaceSchemas =>
  isMap(place) ? below(place, 'each') : below(place, { key: name });

/** A longer text that fits the place: one of letters only, or the longest known one that is no longer than asked for. */
function longer(making: Making, place: PlaceSchemas, text: string, count: number): string {
  const bounds = place.facets.flatMap(({ maxLength }) => maxLength ?? []);
  const length = Math.min(8 * count, ...bounds.map(Number));
  if (length <= text.length) return text;
  const plain = text + 'a'.repeat(length - text.length);
  if (making.fits(place, plain)) return plain;
  const known = making.values(place, CLOSE).filter((value) => typeof value === 'string' && value.length <= length);
  const fitting = known.filter((value) => typeof value === 'string' && value.length > text.length);
  const found = fitting.findLast((value) => making.fits(place, value));
  return typeof found === 'string' ? found : text;
}
