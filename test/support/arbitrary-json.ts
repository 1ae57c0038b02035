/** Pieces of arbitrary JSON texts, with numbers in every form that people may write: `1e3`, `1.0`, `-0`, beyond 2⁵³. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';

const MARK = 'raw number ';

/** Marks a number to print with exactly these digits. */
export const raw = (digits: string): string => MARK + digits;

/** Prints a value as JSON, with its raw numbers as they are written. */
export const printRaw = (value: JsonValue): string =>
  JSON.stringify(value, null, 1).replace(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1');

/** A part of an object. The part may be missing. */
export type Part = fc.Arbitrary<JsonValue | undefined>;

/** Picks one of these values. */
export const oneOf = (...values: readonly JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);

/** Makes a value now and then; the greater `rarity` is, the rarer. */
export const rare = (arbitrary: fc.Arbitrary<JsonValue>, rarity = 6): Part =>
  fc.oneof({ weight: rarity, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** A part that is always missing. */
export const never: Part = fc.constant(undefined);

/** Removes the missing parts. */
export const present = (parts: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

/** Makes an object of these parts. */
export const record = (parts: Readonly<Record<string, Part>>): fc.Arbitrary<JsonObject> =>
  fc.record(parts).map(present);

/** A placeholder in a template. */
export const placeholder = `$${'{x}'}`;
