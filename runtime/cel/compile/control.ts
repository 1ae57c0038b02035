/** The operators and loops of compiled expressions, which handle errors and absent values. */
import { Meter } from '../check/range.js';
import { EvaluationError, fail } from '../values/error.js';
import { EntryMap, entryOf } from '../values/maps.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  isList,
  itemsOf,
  none,
  Optional,
  StructValue,
  TypeValue,
} from '../values/value.js';
import { type Data, isData, isRecord, namesIn } from './readers.js';

export { EntryMap, fail, itemsOf, Meter, none };

/** Returns a type as a value. */
export function typeValue(name: string): TypeValue {
  return new TypeValue(name);
}

/** Throws the error of an absent field. */
export function noSuchKey(name: string): Data {
  return absent(name);
}

function absent(name: string): never {
  return fail(`no such key: ${name}`);
}

export function noSuchOverload(): never {
  return fail('no such overload');
}

/** Checks an operand of a logical operator if its type is only known at run time. */
export function truth(value: CelValue): boolean {
  return typeof value === 'boolean' ? value : fail('no such overload');
}

/** Computes `left && right`: false if one operand is false, even if the other fails. */
export function and(left: () => boolean, right: () => boolean): boolean {
  return absorb(left, right, false);
}

/** Computes `left || right`: true if one operand is true, even if the other fails. */
export function or(left: () => boolean, right: () => boolean): boolean {
  return absorb(left, right, true);
}

function absorb(left: () => boolean, right: () => boolean, decisive: boolean): boolean {
  let value: boolean;
  try {
    value = left();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (yields(right, decisive)) return decisive;
    throw error;
  }
  return value === decisive ? decisive : right();
}

function yields(test: () => boolean, wanted: boolean): boolean {
  try {
    return test() === wanted;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return false;
  }
}

/** The cost of a loop's condition for each item. It is charged once more if the loop ends before its last item. */
const allCondition = 2;
const existsCondition = 3;

type Test<T> = (item: T, index: number) => boolean;

/** Returns whether all items pass. Ignores errors if an item does not pass. Charges the cost of the loop itself. */
export function all<T>(items: readonly T[], meter: Meter, test: Test<T>): boolean {
  return quantify(items, meter, test, false, allCondition);
}

/** Returns whether any item passes. Ignores errors of other items if one passes. */
export function exists<T>(items: readonly T[], meter: Meter, test: Test<T>): boolean {
  return quantify(items, meter, test, true, existsCondition);
}

function quantify<T>(items: readonly T[], meter: Meter, test: Test<T>, decisive: boolean, condition: number): boolean {
  let first: EvaluationError | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item === undefined) continue;
    meter.charge(condition + 1);
    try {
      if (test(item, i) === decisive) {
        if (i + 1 < items.length) meter.charge(condition);
        return decisive;
      }
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      first ??= error;
    }
  }
  if (first !== undefined) throw first;
  return !decisive;
}

/** Returns whether exactly one item passes. */
export function existsOne<T>(items: readonly T[], meter: Meter, test: Test<T>): boolean {
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item === undefined) continue;
    if (!test(item, i)) continue;
    meter.charge(2);
    count++;
  }
  return count === 1;
}

/** Returns the values of the items that pass the test; of all items without a test. */
export function collect<T>(
  items: readonly T[],
  meter: Meter,
  value: (item: T, index: number) => CelValue,
  test?: Test<T>,
): CelList {
  const values: CelValue[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item === undefined) continue;
    if (test !== undefined && !test(item, i)) continue;
    meter.charge(12);
    values.push(value(item, i));
  }
  return values;
}

/**
 * Returns the map of a loop's entries. Each item gives a value for its key, or a map of entries if `keyOf` is absent.
 */
export function collectMap<T>(
  items: readonly T[],
  meter: Meter,
  value: (item: T, index: number) => CelValue,
  test: Test<T> | undefined,
  keyOf: ((item: T, index: number) => CelValue) | undefined,
): CelMap {
  const entries = new EntryMap();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item === undefined) continue;
    if (test !== undefined && !test(item, i)) continue;
    meter.charge(keyOf === undefined ? 2 : 3);
    const made = value(item, i);
    if (keyOf !== undefined) entries.insert(keyOf(item, i), made);
    else if (made instanceof CelMap) for (const key of made.keys()) entries.insert(key, entryOf(made, key) ?? null);
    else fail('no such overload');
  }
  return entries;
}

/** Returns the range of a loop over a value: the items of a list, the keys of a map. */
export function rangeOf(value: CelValue): readonly CelValue[] {
  if (isList(value)) return itemsOf(value);
  return value instanceof CelMap ? value.keys() : fail('no such overload');
}

/** Returns the pairs of a loop with two variables: index or key, and value. */
export function pairsOf(value: CelValue): readonly (readonly [CelValue, CelValue])[] {
  if (isList(value)) return itemsOf(value).map((item, i) => [i, item]);
  return value instanceof CelMap
    ? value.keys().map((key) => [key, entryOf(value, key) ?? null])
    : fail('no such overload');
}

/** Returns a field of a value that may be an object or a map. */
export function selectField(value: CelValue, name: string): CelValue {
  if (value instanceof StructValue) return value.get(name) ?? absent(name);
  if (value instanceof CelMap) return value.get(name) ?? absent(name);
  if (value instanceof Optional) return selectOptional(value, name);
  return fail('no such overload');
}

export function hasField(value: CelValue, name: string): boolean {
  if (value instanceof StructValue) return value.has(name);
  if (value instanceof CelMap) return value.get(name) !== undefined;
  if (value instanceof Optional) return value.value !== undefined && hasField(value.value, name);
  return fail('no such overload');
}

/** Returns `a.?b`: absent if the field or `a` is absent. */
export function selectOptional(value: CelValue, name: string): Optional {
  const inner = value instanceof Optional ? value.value : value;
  if (inner === undefined) return none;
  if (!(inner instanceof StructValue) && !(inner instanceof CelMap)) return fail('no such overload');
  const field = hasField(inner, name) ? inner.get(name) : undefined;
  return field === undefined ? none : new Optional(field);
}

/** Returns the value of an optional entry in a literal, or `undefined` if it is absent. */
export function entryValue(value: CelValue): CelValue | undefined {
  return value instanceof Optional ? value.value : fail('no such overload');
}

/** Returns a field of an object in decoded JSON. Null counts as absent. */
export function jsonField(json: unknown, property: string, name: string): Data {
  if (!isData(json)) return fail('no such overload');
  return (Object.hasOwn(json, property) ? json[property] : undefined) ?? noSuchKey(name);
}

export function hasJsonField(json: unknown, property: string): boolean {
  if (!isRecord(json)) return fail('no such overload');
  return Object.hasOwn(json, property) && json[property] !== undefined && json[property] !== null;
}

/** Returns an entry of a map in decoded JSON. */
export function jsonEntry(json: unknown, key: string): Data {
  const value = isData(json) && Object.hasOwn(json, key) ? json[key] : undefined;
  return value === undefined ? noSuchKey(key) : value;
}

export function hasJsonEntry(json: unknown, key: string): boolean {
  return isRecord(json) && Object.hasOwn(json, key) && json[key] !== undefined;
}

/** Returns the items of decoded JSON. */
export function jsonItems(json: unknown): readonly Data[] {
  return Array.isArray(json) ? json : fail('no such overload');
}

export function jsonKeys(json: unknown): readonly string[] {
  return isRecord(json) ? namesIn(json) : fail('no such overload');
}

export function jsonIndex(json: unknown, index: CelValue): Data {
  const items = jsonItems(json);
  const item = typeof index === 'number' ? items[index] : undefined;
  return item === undefined ? fail(`index out of bounds: ${String(index)}`) : item;
}

/** Works like `selectOptional`, and charges for a present field. */
export function selectPaid(meter: Meter, value: CelValue, name: string): Optional {
  const field = selectOptional(value, name);
  if (field.value !== undefined) meter.charge(1);
  return field;
}

/** Computes `first.or(second)`. */
export function orOptional(first: CelValue, second: () => CelValue): CelValue {
  if (!(first instanceof Optional)) return fail('no such overload');
  return first.value === undefined ? second() : first;
}

/** Computes `first.orValue(second)`. */
export function orValue(first: CelValue, second: () => CelValue): CelValue {
  if (!(first instanceof Optional)) return fail('no such overload');
  return first.value === undefined ? second() : first.value;
}

/**
 * Computes `target.optMap(…)` and `target.optFlatMap(…)`. A present target is charged twice, because the macro's
 * expansion names it twice.
 */
export function chain(
  meter: Meter,
  target: CelValue,
  body: (value: CelValue) => CelValue,
  flat: boolean,
  targetCost: number,
): CelValue {
  if (!(target instanceof Optional)) return fail('no such overload');
  meter.charge(target.value === undefined ? 1 : targetCost + (flat ? 1 : 2));
  if (target.value === undefined) return none;
  const value = body(target.value);
  return flat ? value : new Optional(value);
}
