/** Makes texts at and around the limits of schemas. */
import type { Schema } from '../../../../runtime/contract/index.js';
import { pattern as compile } from '../../../../runtime/schema/engine/pattern.js';
import { textsMatching } from './patterns.js';
import type { PlaceSchemas } from './place-schemas.js';

/** Texts that fit many patterns of names, versions, sizes and durations. */
const PLAIN: readonly string[] = [
  'a',
  'b',
  '',
  'a-b',
  'A',
  '1',
  '10',
  '1h',
  '10%',
  'v1',
  '1.2.3',
  'a/b',
  'a b',
  'a.b',
  '_',
  '-',
];

/** A text with a line break, which `.` does not match. */
const TWO_LINES = 'a\nb';

/** Maximum length of a text. */
const MAX_LENGTH = 200_000;

/** Maximum number of patterns of rules to make texts for. */
const MAX_RULED = 4;

/** The part of a place that affects its texts. */
type Texts = Pick<PlaceSchemas, 'facets'> & Partial<Pick<PlaceSchemas, 'sizes' | 'patterns'>>;

/**
 * Returns texts to try for some schemas, and for rules with these sizes. With `deep`, also makes texts that take long.
 */
export function textsOf({ facets, sizes = [], patterns: ruled = [] }: Texts, deep: boolean): readonly string[] {
  const patterns = [...new Set(facets.flatMap(({ pattern }) => pattern ?? []))];
  const hasFormat = facets.some(({ format }) => format !== undefined);
  const special = patterns.length > 0 ? [TWO_LINES] : [];
  const plain = [...PLAIN, ...special, ...(hasFormat || patterns.length > 0 ? formatSamples() : [])];
  const fitting = [...patterns, ...ruled.slice(0, MAX_RULED)].flatMap((source) => fittingTexts(source, plain, deep));
  const short = [...new Set([...plain, ...fitting])];
  return [...short, ...(short.length > 0 ? ofLengths(facets, short, patterns, sizes) : [])];
}

/**
 * Returns texts that match a pattern: ready texts if some match, and made texts if none matches or the search is deep.
 */
function fittingTexts(source: string, plain: readonly string[], deep: boolean): readonly string[] {
  const { matches } = compile(source);
  const ready = plain.filter(matches);
  return deep || ready.length === 0 ? textsMatching(source) : ready;
}

/** Returns texts with lengths at the limits of the schemas. */
function ofLengths(
  facets: readonly Schema[],
  short: readonly string[],
  patterns: readonly string[],
  sizes: readonly number[],
): readonly string[] {
  const limits = facets.flatMap(({ minLength, maxLength }) => [minLength, maxLength].flatMap((each) => each ?? []));
  const lengths = [...new Set([...limits.map(Number).flatMap((limit) => [limit, limit - 1, limit + 1]), ...sizes])];
  return lengths
    .filter((length) => length > 0 && length <= MAX_LENGTH)
    .flatMap((length) => ofLength(length, short, patterns));
}

function ofLength(length: number, short: readonly string[], patterns: readonly string[]): readonly string[] {
  const plain = 'a'.repeat(length);
  if (patterns.length === 0) return [plain];
  const grown = short.flatMap((text) => grow(text, length)).slice(0, 200);
  const matchers = patterns.map(compile);
  const fits = grown.filter((text) => matchers.some(({ matches }) => matches(text))).slice(0, 6);
  return [plain, ...fits];
}

/** Returns the text grown to a length: repeats the whole, its first, its middle or its last character. */
function grow(text: string, length: number): readonly string[] {
  if (text === '' || text.length > length) return [];
  const missing = length - text.length;
  const middle = Math.floor(text.length / 2);
  const at = (index: number): string =>
    text.slice(0, index + 1) + (text[index] ?? '').repeat(missing) + text.slice(index + 1);
  const whole = text.repeat(Math.ceil(length / text.length)).slice(0, length);
  return [...new Set([at(0), at(middle), at(text.length - 1), whole])];
}

// Texts that fit string formats, each in several forms, because similar formats differ in some of them.

const SAMPLES: readonly string[] = [
  '2001-02-03',
  '2001-02-03T04:05:06Z',
  '2001-02-03T04:05:06.123456+01:00',
  '10.0.0.1',
  '10.0.0.0/8',
  '::1',
  'fd00::/64',
  'a.example.com',
  'http://a.example.com/b',
  'a@example.com',
  '1h',
  '1h30m',
  '24h0m0s',
  '3 days',
  'YQ==',
  '123e4567-e89b-12d3-a456-426614174000',
  '123e4567-e89b-32d3-a456-426614174000',
  '123e4567-e89b-42d3-a456-426614174000',
  '123e4567-e89b-52d3-a456-426614174000',
  '00:00:5e:00:53:01',
  '#ffffff',
  'rgb(1,2,3)',
  '0123456789abcdef01234567',
  '4111111111111111',
  '0306406152',
  '9780306406157',
  '123-45-6789',
  '250m',
  '3Gi',
  '2001-02-03T04:05:06.000007Z',
];

/** Returns texts of all formats. */
const formatSamples = (): readonly string[] => SAMPLES;
