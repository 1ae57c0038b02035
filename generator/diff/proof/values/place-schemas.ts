/** Finds the schemas of one value: of both definitions, and of the conditions in them. */
import type { JsonValue, Schema } from '../../../../runtime/contract/index.js';
import type { Segment } from '../../../../runtime/schema/index.js';
import { childOf } from '../place.js';

/** The schemas of one value. */
export interface PlaceSchemas {
  /** In the definition that objects are made for. */
  readonly own: Schema | undefined;
  /** In the other definition. */
  readonly other: Schema | undefined;
  /** Both, and all schemas in their `allOf`, `anyOf`, `oneOf` and `not`: values at all of their limits are tried. */
  readonly facets: readonly Schema[];
  /** Texts and numbers in rules around the value. */
  readonly words: readonly JsonValue[];
  /** Sizes of texts, lists and maps in these rules, and the sizes next to them. */
  readonly sizes: readonly number[];
  /** Patterns that these rules match texts with. */
  readonly patterns: readonly string[];
  /** The rules of the value and of all values around it. */
  readonly rules: readonly string[];
  /** The known places below, by field; the empty name is each item or value. */
  readonly children: Map<string, PlaceSchemas>;
}

/** Returns the schemas of a whole object. */
export function rootSchemas(own: Schema | undefined, other: Schema | undefined): PlaceSchemas {
  return schemasOf(own, other, [], { words: [], sizes: [], patterns: [], rules: [] });
}

function schemasOf(
  own: Schema | undefined,
  other: Schema | undefined,
  more: readonly Schema[],
  around: Pick<PlaceSchemas, 'words' | 'sizes' | 'patterns' | 'rules'>,
): PlaceSchemas {
  const facets = [...new Set([own, other, ...more].flatMap(flatten))];
  const found = facets.flatMap((facet) => (facet['x-kubernetes-validations'] ?? []).map(({ rule }) => rule));
  const rules = found.length === 0 ? around.rules : [...new Set([...around.rules, ...found])];
  const words = found.length === 0 ? around.words : [...new Set([...around.words, ...found.flatMap(literalsOf)])];
  const sizes = found.length === 0 ? around.sizes : [...new Set([...around.sizes, ...found.flatMap(sizesOf)])];
  const patterns =
    found.length === 0 ? around.patterns : [...new Set([...found.flatMap(patternsOf), ...around.patterns])];
  return { own, other, facets, words, sizes, patterns, rules, children: new Map() };
}

/** Returns the schemas of a field, of each item or of each value of a map; the same object for the same place. */
export function below(place: PlaceSchemas, segment: Segment): PlaceSchemas {
  const key = segment === 'each' ? '' : `.${segment.key}`;
  const known = place.children.get(key);
  if (known !== undefined) return known;
  const { own, other, facets } = place;
  const children = facets.flatMap((facet) => childOf(facet, segment) ?? []);
  const made = schemasOf(childOf(own, segment), childOf(other, segment), children, place);
  place.children.set(key, made);
  return made;
}

/**
 * Returns the names of all fields in the schemas of a place. Leaves out fields that only the other definition knows,
 * unless the own definition preserves unknown fields: no object has them.
 */
export function namesIn({ own, other, facets }: PlaceSchemas): readonly string[] {
  const isOpen = own === undefined || own['x-kubernetes-preserve-unknown-fields'] === true || !own.properties;
  const known = isOpen ? facets : facets.filter((facet) => facet !== other);
  return [...new Set(known.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function flatten(schema: Schema | undefined): readonly Schema[] {
  if (schema === undefined) return [];
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf, ...(not === undefined ? [] : [not])].flatMap(flatten)];
}

/** Returns texts and whole numbers in an expression, and the numbers next to these, because rules compare with them. */
function literalsOf(rule: string): readonly JsonValue[] {
  const texts = [...rule.matchAll(/"((?:[^"\\]|\\.)*)"?|'((?:[^'\\]|\\.)*)'?/g)].map(
    ([, double, single]) => double ?? single ?? '',
  );
  return [...texts, ...numbersOf(rule).flatMap((number) => [number, number - 1, number + 1])].slice(0, 24);
}

/** Returns the whole numbers of an expression, in their order. */
const numbersOf = (rule: string): readonly number[] =>
  [...rule.replaceAll(/"[^"]*"|'[^']*'/g, '').matchAll(/(?<![\w.])-?\d{1,15}(?![\w.])/g)].map(Number);

/** Returns the patterns that a rule contains as literals. */
const patternsOf = (rule: string): readonly string[] =>
  [...rule.matchAll(/\bmatches\(\s*([rR]?)(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(
    ([, raw, single, double]) => (raw === '' ? unescaped(single ?? double ?? '') : (single ?? double ?? '')),
  );

/** Returns a text of an expression without escapes. */
const unescaped = (text: string): string => text.replaceAll(/\\([\\'"?`])/g, '$1');

/** Returns the sizes in a rule, if it has any. */
function sizesOf(rule: string): readonly number[] {
  if (!/\bsize\(/.test(rule)) return [];
  const near = numbersOf(rule).flatMap((number) => [number, number + 1, number - 1]);
  return near.filter((size) => size > 0).slice(0, 9);
}
