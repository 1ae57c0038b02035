/** The CEL packages of npm to compare the engine with, and their values in one plain form. */
import { Environment as OtherEnvironment } from '@marcbachmann/cel-js';
import { evaluate as evaluateText, parse as parseText } from 'cel-js';
import { entryOf } from '../../../runtime/cel/values/maps.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isList,
  itemsOf,
  KeyedList,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
} from '../../../runtime/cel/values/value.js';

/** A value with all numbers as doubles, because one of the packages has no others, and with maps as entries. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** A value or an error. An error may also mean that the package does not know the function or the syntax. */
export type Answer = { readonly value: Plain } | 'error';

export interface CelPackage {
  readonly name: 'cel-js' | '@marcbachmann/cel-js';
  evaluate(text: string, variables: Readonly<Record<string, CelValue>>): Answer;
}

const celJs: CelPackage = {
  name: 'cel-js',
  evaluate: (text, variables) =>
    answer(() => {
      const parsed = parseText(text);
      if (!parsed.isSuccess) throw new Error(parsed.errors.join('; '));
      return evaluateText(parsed.cst, given(variables, Number));
    }),
};

const marcbachmann: CelPackage = {
  name: '@marcbachmann/cel-js',
  evaluate: (text, variables) =>
    answer(() => {
      const options = { unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false, enableOptionalTypes: true };
      return new OtherEnvironment(options).evaluate(text, given(variables, BigInt));
    }),
};

export const celPackages: readonly CelPackage[] = [celJs, marcbachmann];

function answer(evaluate: () => unknown): Answer {
  try {
    return { value: plainOf(evaluate()) };
  } catch {
    return 'error';
  }
}

const given = (
  variables: Readonly<Record<string, CelValue>>,
  int: (value: number | bigint) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, givenOf(value, int)]));

/** Returns a value in the form of the packages. */
function givenOf(value: CelValue, int: (value: number | bigint) => unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return int(value);
  if (value instanceof Double) return value.value;
  if (value instanceof Uint)
    return int === BigInt ? new OtherEnvironment().evaluate(`${value.value}u`) : Number(value.value);
  if (value instanceof Timestamp) return new Date(Number(value.nanos / 1_000_000n));
  if (isList(value)) return itemsOf(value).map((item) => givenOf(item, int));
  if (value instanceof StructValue)
    return Object.fromEntries([...value.members()].map(([name, item]) => [name, givenOf(item, int)]));
  if (!(value instanceof CelMap)) return value;
  const entries = value.keys().map((key) => [key, givenOf(entryOf(value, key) ?? null, int)] as const);
  const areTexts = entries.every(([key]) => typeof key === 'string');
  return areTexts ? Object.fromEntries(entries) : new Map(entries.map(([key, item]) => [givenOf(key, int), item]));
}

/** Returns the plain form of a value of the engine or of a package. */
export function plainOf(value: unknown): Plain {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return numberOf(Number(value));
  if (value instanceof Double || value instanceof Uint) return numberOf(Number(value.value));
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (value instanceof Timestamp) return { at: Number(value.nanos / 1_000_000n) };
  if (value instanceof Date) return { at: value.getTime() };
  if (value instanceof Duration) return { lasts: Number(value.nanos) / 1e9 };
  if (value instanceof TypeValue) return { type: value.name };
  if (Array.isArray(value)) return value.map(plainOf);
  if (value instanceof KeyedList) return itemsOf(value).map(plainOf);
  if (value instanceof CelMap) return entriesOf(value.keys().map((key) => [key, entryOf(value, key)]));
  if (value instanceof StructValue) return entriesOf([...value.members()]);
  if (value instanceof Map) return entriesOf([...value]);
  return typeof value === 'object' ? objectOf(value) : { unknown: String(value) };
}

const numberOf = (value: number): Plain => (Number.isFinite(value) ? value + 0 : String(value));

function objectOf(value: object): Plain {
  if (value.constructor.name === 'UnsignedInt') return numberOf(Number(value));
  if ('seconds' in value && 'nanos' in value) return { lasts: Number(value.seconds) + Number(value.nanos) / 1e9 };
  if ('name' in value && Object.getPrototypeOf(value) !== Object.prototype) return { type: String(value.name) };
  return entriesOf(Object.entries(value));
}

const entriesOf = (entries: readonly (readonly [unknown, unknown])[]): Plain => {
  const plain = entries.map(([key, item]) => [String(plainOf(key)), plainOf(item)] as const);
  return { map: Object.fromEntries(plain.sort(([a], [b]) => (a < b ? -1 : 1))) };
};
