/** Searches for objects so large that a rule exceeds the cost limit of the server. */
import {
  callCostLimit,
  compileRules,
  laterEnvironment,
  laterReading,
  objectCostLimit,
} from '../../../runtime/cel/index.js';
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject, setOwn } from '../../../runtime/objects/guards.js';
import { MAX_OBJECT_BYTES } from '../../../runtime/objects/size-limit.js';
import type { Segment } from '../../../runtime/schema/index.js';
import type { Trial } from './effects.js';
import type { PlacedDifference } from './place.js';
import { asTrials, type TrialSource } from './trials.js';
import { differentItems, variant } from './values/lists.js';
import type { Making } from './values/making.js';
import { below, type PlaceSchemas } from './values/place-schemas.js';
import { CLOSE } from './values/value-maker.js';

/** Returns whether the estimated cost of rules may exceed the limit of one rule, or of all rules of an object. */
export function mayExceedBudget(schema: Schema): boolean {
  const costs = compileRules(schema, laterEnvironment, laterReading).map(({ cost, message }) => [
    cost,
    message?.cost ?? 0,
  ]);
  const all = costs.flat();
  return all.some((cost) => cost > callCostLimit) || all.reduce((sum, cost) => sum + cost, 0) > objectCostLimit;
}

/** Returns whether a difference lets rules cost more than before. */
export const addsCost = ({ keyword, new: later }: PlacedDifference): boolean =>
  keyword === 'x-kubernetes-validations' && later !== undefined;

/** Ways to grow, the simplest first. */
const WAYS: readonly Omit<Growth, 'count'>[] = [
  { texts: false, around: false },
  { texts: false, around: true },
  { texts: true, around: false },
  { texts: true, around: true },
];

/** Maximum number of objects to grow. */
const MAX_BASES = 3;

/** Maximum sum of the sizes of objects that are tried for one difference. It limits the time. */
const MAX_BYTES_TRIED = 8 * 1024 * 1024;

const FIRST_COUNT = 16;

/** The outcome of a trial of a large object: whether the old definition accepts it, and whether the new one affects it. */
export interface LargeAnswer {
  readonly counted: boolean;
  readonly isFelt: boolean;
}

/** The result of growing objects. */
export interface Grown {
  /** One of the smallest objects that the new definition refuses. */
  readonly trial?: Trial;
  readonly tried: number;
  /** Bytes of the largest object that was tried. */
  readonly largest: number;
}

/** Grows objects until the new definition affects one, or until the limit of the server or a bound of the schema. */
export function growUntilFelt(source: TrialSource, bases: readonly Trial[], ask: (trial: Trial) => LargeAnswer): Grown {
  let [tried, largest, sum] = [0, 0, 0];
  const attempt = (trial: Trial | undefined): LargeAnswer | undefined => {
    const bytes = trial === undefined ? 0 : Buffer.byteLength(JSON.stringify(trial.object, exact));
    if (trial === undefined || bytes > MAX_OBJECT_BYTES || sum > MAX_BYTES_TRIED) return undefined;
    sum += bytes;
    const answer = ask(trial);
    if (answer.counted) [tried, largest] = [tried + 1, Math.max(largest, bytes)];
    return answer.counted ? answer : undefined;
  };
  for (const way of WAYS) {
    for (const base of bases.slice(0, MAX_BASES)) {
      const make = (count: number): Trial | undefined => grownTrial(source, base, { ...way, count });
      let below = 0;
      let last = '';
      for (let count = FIRST_COUNT; ; count = Math.ceil(1.5 * count)) {
        const trial = make(count);
        const text = trial === undefined ? last : JSON.stringify(trial.object, exact);
        // Bounds of the schema stop the growth.
        if (text === last) break;
        last = text;
        const answer = attempt(trial);
        if (answer === undefined) break;
        if (answer.isFelt) {
          const smallest = bisect(below, count, (each) => attempt(make(each))?.isFelt === true);
          return { ...given(make(smallest)), tried, largest };
        }
        below = count;
      }
    }
  }
  return { tried, largest };
}

const given = (trial: Trial | undefined): Pick<Grown, 'trial'> => (trial === undefined ? {} : { trial });

/** Each trial takes long: a number is small enough if a number a sixteenth smaller does not work. */
const PRECISION = 16;

/** Finds a small number above `low`, and at most `high`, with a property that all numbers above it have. */
function bisect(low: number, high: number, holds: (count: number) => boolean): number {
  let [below, above] = [low, high];
  while (above - below > 1 && above - below > above / PRECISION) {
    const middle = (below + above) >> 1;
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

function grownTrial({ maker, root, path, statusParts }: TrialSource, base: Trial, growth: Growth): Trial | undefined {
  const { apiVersion, kind, metadata, ...body } = base.object;
  const grown = grow(maker, root, body, path, growth);
  if (!isObject(grown)) return undefined;
  const object: JsonObject = { apiVersion, kind, metadata, ...grown };
  return asTrials(object, statusParts)[0];
}

const exact = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** How to enlarge a value. */
interface Growth {
  /** Members of each list and map, as far as bounds allow. */
  readonly count: number;
  /** Whether to enlarge texts as well, to eight characters for each member. */
  readonly texts: boolean;
  /** Whether to enlarge lists and maps around the place as well. */
  readonly around: boolean;
}

/** Maximum number of different items if a number alone cannot make them differ. */
const MAX_DIFFERENT = 60;

/** Returns a copy of a value with a larger value at a path. */
function grow(
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

/** Returns items that differ by a number if the schema allows it; otherwise equal items, if it allows these. */
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

/** Returns a longer text that fits the place: a text of letters only, or the longest known text within the limit. */
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
