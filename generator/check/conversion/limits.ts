/** Finds values near the limits of a schema, and values in its rules. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { extentOf, isWithinBounds } from '../../model/extent.js';

/** Values to try in another version of the same kind. */
export interface Limits {
  readonly numbers: readonly (number | bigint)[];
  readonly texts: readonly string[];
  /** Numbers of items and of entries. */
  readonly sizes: readonly number[];
}

/** Maximum length of a text or list made for a limit. */
const LONGEST = { text: 2_000, list: 40 };

/** Finds the limits of a schema at all of its places. Returns none for a schema that is too large. */
export function limitsOf(schema: Schema): Limits {
  const found = { numbers: new Set<number | bigint>(), texts: new Set<string>(), sizes: new Set<number>() };
  const seen = new Set<Schema>();
  const add = (part: Schema): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const { minimum, maximum, minLength, maxLength } = part;
    if (minimum !== undefined) for (const number of near(minimum)) found.numbers.add(number);
    if (maximum !== undefined) for (const number of near(maximum)) found.numbers.add(number);
    for (const length of around(minLength, maxLength)) if (length <= LONGEST.text) found.texts.add('a'.repeat(length));
    const sizes = [...around(part.minItems, part.maxItems), ...around(part.minProperties, part.maxProperties)];
    for (const size of sizes) if (size <= LONGEST.list) found.sizes.add(size);
    for (const { rule } of part['x-kubernetes-validations'] ?? []) {
      for (const [, , text = ''] of rule.matchAll(/(["'])([^"'\\]*)\1/g)) found.texts.add(text);
      for (const [number] of rule.matchAll(/\b\d{1,15}\b/g))
        for (const each of near(Number(number))) found.numbers.add(each);
    }
    for (const child of childrenOf(part)) add(child);
  };
  if (isWithinBounds(extentOf(schema))) add(schema);
  return { numbers: [...found.numbers], texts: [...found.texts], sizes: [...found.sizes] };
}

function near(bound: number | bigint): readonly (number | bigint)[] {
  return typeof bound === 'bigint' ? [bound - 1n, bound, bound + 1n] : [bound - 1, bound, bound + 1];
}

type Bound = number | bigint | undefined;

/** Returns the sizes that are just too small and just too large. */
const around = (least: Bound, most: Bound): readonly number[] => [
  ...(least === undefined || least < 1 ? [] : [Number(least) - 1]),
  ...(most === undefined ? [] : [Number(most) + 1]),
];

function childrenOf({ properties = {}, items, additionalProperties }: Schema): readonly Schema[] {
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(properties), ...(items ? [items] : []), ...values];
}

/** Returns whether two schemas have different rules or limits on entries, which depend on all fields below. */
export function differsAbove(own: Schema, other: Schema | undefined): boolean {
  const said = (schema: Schema): JsonValue => [
    (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule),
    schema.minProperties ?? null,
    schema.maxProperties ?? null,
  ];
  return other !== undefined && JSON.stringify(said(own)) !== JSON.stringify(said(other));
}
