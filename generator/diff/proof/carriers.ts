/** Makes objects that carry a value at a place, with nothing else that their definition does not require. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isObject, setOwn } from '../../../runtime/objects/guards.js';
import type { Segment } from '../../../runtime/schema/index.js';
import { differentItems } from './values/lists.js';
import type { Making } from './values/making.js';
import { basesOf, leastOf } from './values/objects.js';
import { below, namesIn, type PlaceSchemas } from './values/place-schemas.js';
import { CLOSE } from './values/value-maker.js';
import { keyOf } from './values/value-text.js';

/** Makes an object with a value at the place, or without one. */
export type Carrier = (value: JsonValue | undefined) => JsonObject;

/** Maximum number of carriers to try. */
const MAX_CARRIERS = 40;

/** Maximum number of fitting carriers for each part of the path. */
const MAX_FITTING = 4;

/** Maximum number of values to try in each carrier, because rules of its parents may restrict the value. */
const MAX_SAMPLES = 16;

/** Maximum number of values of other fields to try, for rules that depend on them. */
const MAX_KINDS = 40;

type Wrap = (value: JsonValue | undefined) => JsonValue | undefined;

/** Returns carriers of values at a path from the root, the smallest first. */
export function carriersOf(making: Making, root: PlaceSchemas, path: readonly Segment[]): readonly Carrier[] {
  return wrapsOf(making, root, path).map((wrap): Carrier => {
    return (value) => {
      const made = wrap(value);
      return isObject(made) ? made : {};
    };
  });
}

/**
 * Returns carriers of values at a path, if each part must fit its own schema: for places in objects that only have the
 * field if other fields have certain values. Compiles a schema for each part of the path with rules or choices.
 */
export function fittingCarriers(making: Making, root: PlaceSchemas, path: readonly Segment[]): readonly Carrier[] {
  const place = path.reduce(below, root);
  const samples = making.values(place, CLOSE).filter((value) => making.fits(place, value));
  return fittingWraps(making, root, path, samples.slice(0, MAX_SAMPLES)).map((wrap): Carrier => {
    return (value) => {
      const made = wrap(value);
      return isObject(made) ? made : {};
    };
  });
}

function fittingWraps(
  making: Making,
  place: PlaceSchemas,
  path: readonly Segment[],
  samples: readonly JsonValue[],
): readonly Wrap[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [(value) => value];
  const inner = fittingWraps(making, below(place, segment), rest, samples);
  const wraps = segment === 'each' ? eachWraps(making, place) : kindWraps(making, place, segment.key);
  const fitting: Wrap[] = [];
  for (const outer of wraps) {
    for (const one of inner) {
      if (fitting.length >= MAX_FITTING) return fitting;
      const wrap: Wrap = (value) => outer(one(value));
      const isFitting = (sample: JsonValue): boolean => making.fits(place, wrap(sample) ?? null);
      if (!isConditional(place) || samples.some(isFitting)) fitting.push(wrap);
    }
  }
  return fitting;
}

/** Returns the ways to have a field, with every value of each field that has only a few values. */
function kindWraps(making: Making, place: PlaceSchemas, name: string): readonly Wrap[] {
  const plain = fieldWraps(making, place, name);
  if (!isConditional(place)) return plain;
  const fields = namesIn(place).filter((field) => field !== name);
  const kinds = [...fields.flatMap((field) => enumOf(place, field)), ...fields.flatMap((field) => asked(place, field))];
  const least = leastOf(making, place);
  const some = kinds.slice(0, MAX_KINDS).map((kind): Wrap => {
    return (value) => ({ ...least, ...kind, ...(value === undefined ? {} : { [name]: value }) });
  });
  return [...plain, ...some];
}

const enumOf = (place: PlaceSchemas, field: string): readonly JsonObject[] =>
  (below(place, { key: field }).own?.enum ?? []).map((value) => ({ [field]: value }));

/** Returns a field that takes any text, with the texts in rules. */
function asked(place: PlaceSchemas, field: string): readonly JsonObject[] {
  const { own } = below(place, { key: field });
  const isText = own?.enum === undefined && (own?.type === 'string' || own?.['x-kubernetes-int-or-string'] === true);
  const isNamed = place.rules.some((rule) => rule.includes(field));
  const texts = isText && isNamed ? place.words.filter((word) => typeof word === 'string') : [];
  return texts.slice(0, MAX_WORDS).map((text) => ({ [field]: text }));
}

/** Maximum number of texts of rules to try in a field. */
const MAX_WORDS = 8;

/** Returns whether a schema requires more of an object than some fields and their types. */
const isConditional = ({ facets }: PlaceSchemas): boolean =>
  facets.length > 2 ||
  facets.some(
    ({ maxProperties, minProperties, 'x-kubernetes-validations': rules = [] }) =>
      rules.length > 0 || maxProperties !== undefined || minProperties !== undefined,
  );

function wrapsOf(making: Making, place: PlaceSchemas, path: readonly Segment[]): readonly Wrap[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [(value) => value];
  const inner = wrapsOf(making, below(place, segment), rest);
  const wraps = segment === 'each' ? eachWraps(making, place) : fieldWraps(making, place, segment.key);
  return wraps
    .flatMap((wrap) =>
      inner.map(
        (one): Wrap =>
          (value) =>
            wrap(one(value)),
      ),
    )
    .slice(0, MAX_CARRIERS);
}

function fieldWraps(making: Making, place: PlaceSchemas, name: string): readonly Wrap[] {
  // If an object may have only few fields, the last carrier only has the required ones.
  const isBounded = place.facets.some(({ maxProperties }) => maxProperties !== undefined);
  const all = [...basesOf(making, place), ...(isBounded ? [leastOf(making, place)] : [])];
  const bases = new Map(all.map((base) => [keyOf(base), base]));
  const isEmbedded = place.facets.some((facet) => facet['x-kubernetes-embedded-resource'] === true);
  const head = isEmbedded ? { apiVersion: 'v1', kind: 'Any' } : {};
  return [...bases.values()].map((base): Wrap => {
    return (value) => {
      const { [name]: _, ...others } = base;
      const object: JsonObject = { ...head, ...others };
      if (value !== undefined) setOwn(object, name, value);
      return object;
    };
  });
}

function eachWraps(making: Making, place: PlaceSchemas): readonly Wrap[] {
  const isList = place.facets.some(({ items, type }) => items !== undefined || type === 'array');
  const needed = Math.max(
    0,
    ...place.facets.map((facet) => Number((isList ? facet.minItems : facet.minProperties) ?? 0)),
  );
  const others =
    needed > 1 ? differentItems(making, place, below(place, 'each'), Math.min(needed, 1_000)).slice(1) : [];
  if (isList) return [(value) => (value === undefined ? others.slice() : [value, ...others])];
  return [
    (value) => ({
      ...Object.fromEntries(others.map((other, at) => [`k${at}`, other])),
      ...(value === undefined ? {} : { a: value }),
    }),
  ];
}
