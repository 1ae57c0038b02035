/** Equality of values, and their order. */
import { Later, recursionLevels } from '../../objects/from-below.js';
import { fail } from './error.js';
import { entryOf } from './maps.js';
import { compareText } from './text.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  Double,
  Duration,
  isInt,
  isList,
  itemsOf,
  KeyedList,
  CelMap as MapBase,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
} from './value.js';

/** A part that is not written yet: a text, or a value. */
type Part = { readonly text: string } | { readonly value: CelValue };

/**
 * Returns a text that is the same for equal values. A few unequal values share a text too: large numbers that round to
 * the same double, and all values of one opaque type. So callers must also use `equal`.
 */
export function signatureOf(value: CelValue): string {
  let text = '';
  // Values may nest deeper than the stack allows.
  const waiting: Part[] = [{ value }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if ('text' in part) text += part.text;
    else {
      const written = scalarText(part.value);
      if (written !== undefined) text += written;
      else for (const each of partsOf(part.value).reverse()) waiting.push(each);
    }
  }
  return text;
}

/** Returns the text of a scalar. Numbers of all types have the same text if they are the same double. */
function scalarText(value: CelValue): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isInt(value)) return numberText(value);
  if (value instanceof Double || value instanceof Uint) return numberText(value.value);
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Uint8Array) return `b(${value.join()})`;
  if (value instanceof TypeValue) return `type ${value.name}`;
  return value instanceof Opaque ? value.typeName : undefined;
}

/** Returns the text of a number; both zeros are the same. */
const numberText = (value: number | bigint): string => String(Number(value) + 0);

function partsOf(value: CelValue): Part[] {
  if (value instanceof KeyedList) return sorted(value.items);
  if (isList(value))
    return between(
      '[',
      itemsOf(value).map((item): Part[] => [{ value: item }]),
      ']',
    );
  if (value instanceof CelMap) return between('{', mapParts(value), '}');
  if (value instanceof StructValue) return between('s{', memberParts(value.members()), '}');
  const inner = value instanceof Optional ? value.value : undefined;
  return inner === undefined ? [{ text: 'none' }] : [{ text: 'of ' }, { value: inner }];
}

/** Sorts the items of a list, if its order does not count. Such lists nest no deeper than schemas. */
const sorted = (items: readonly CelValue[]): Part[] => [
  { text: `[${items.map(signatureOf).sort(compareText).join()}]` },
];

function mapParts(map: CelMap): Part[][] {
  const entries = map.keys().map((key) => [key, scalarText(key) ?? ''] as const);
  entries.sort(([, a], [, b]) => compareText(a, b));
  return entries.map(([key, text]): Part[] => [{ text: `${text}:` }, { value: entryOf(map, key) ?? null }]);
}

function memberParts(members: Iterable<readonly [string, CelValue]>): Part[][] {
  return [...members]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]): Part[] => [{ text: `${JSON.stringify(name)}:` }, { value }]);
}

const between = (open: string, members: readonly Part[][], close: string): Part[] => [
  { text: open },
  ...members.flatMap((parts, i) => (i === 0 ? parts : [{ text: ',' }, ...parts])),
  { text: close },
];

/** Finds items of a set by their value, or items of a keyed list by the values of their keys. */
export class ItemIndex {
  /** The items in the order of their first occurrence. */
  readonly items: CelValue[] = [];
  /** Positions of items by signature. A few unequal items may have the same signature. */
  readonly #positions = new Map<string, number[]>();

  /**
   * @param keys the fields that identify items; absent for a set
   * @param equal the equality of values
   */
  constructor(
    private readonly keys: readonly string[] | undefined,
    private readonly equal: (a: CelValue, b: CelValue) => boolean,
  ) {}

  /** Returns the equal item, or `undefined` if there is none. */
  find(item: CelValue): CelValue | undefined {
    const found = this.#positions.get(this.#text(item));
    const at = found?.find((position) => this.#isSame(position, item));
    return at === undefined ? undefined : this.items[at];
  }

  /** Adds an item, or replaces the equal item. */
  set(item: CelValue): void {
    const text = this.#text(item);
    const found = this.#positions.get(text) ?? [];
    const at = found.find((position) => this.#isSame(position, item));
    if (at !== undefined) this.items[at] = item;
    else if (found.push(this.items.push(item) - 1) === 1) this.#positions.set(text, found);
  }

  #text(item: CelValue): string {
    return this.#parts(item)
      .map((part) => (part === undefined ? '' : signatureOf(part)))
      .join();
  }

  #isSame(position: number, item: CelValue): boolean {
    const others = this.#parts(this.items[position] ?? null);
    return this.#parts(item).every((part, i) => {
      const other = others[i];
      return part === undefined || other === undefined ? part === other : this.equal(part, other);
    });
  }

  /** Returns the parts that identify an item: its key fields, or its value if it has no fields. */
  #parts(item: CelValue): readonly (CelValue | undefined)[] {
    if (this.keys !== undefined && (item instanceof StructValue || item instanceof CelMap))
      return this.keys.map((key) => item.get(key));
    return [item];
  }
}

/**
 * Returns whether two values are equal. Numbers of different types are equal if their values are. Other values of
 * different types are never equal.
 */
export const equal = (a: CelValue, b: CelValue): boolean => equalAt(a, b, 0);

/** Compares two values. Each comparison defers its own deep parts, because sets need the result for an item at once. */
function equalAt(a: CelValue, b: CelValue, level: number, later?: Later): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (level === recursionLevels) return deferred(a, b, later ?? new Later());
  if (isList(a)) return isList(b) && equalLists(a, b, level + 1, later);
  if (a instanceof MapBase) return b instanceof MapBase && equalMaps(a, b, level + 1, later);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b, level + 1, later);
  if (a instanceof StructValue || a instanceof Opaque) return a.equals(b);
  return false;
}

const deferred = (a: CelValue, b: CelValue, later: Later): boolean => later.all(() => equalAt(a, b, 0, later));

export type Numeric = number | bigint | Double | Uint;

export function isNumeric(value: CelValue): value is Numeric {
  return isInt(value) || value instanceof Double || value instanceof Uint;
}

/**
 * Compares numbers. Returns a negative number, 0 or a positive number; NaN if one is NaN. Compares ints and uints
 * exactly, but rounds them if the other number is a double.
 */
export function compareNumbers(a: Numeric, b: Numeric): number {
  const rounded = a instanceof Double || b instanceof Double;
  const x = exactNumber(a, rounded);
  const y = exactNumber(b, rounded);
  if (x < y) return -1;
  if (x > y) return 1;
  return Number.isNaN(Number(x)) || Number.isNaN(Number(y)) ? Number.NaN : 0;
}

function exactNumber(value: Numeric, rounded: boolean): number | bigint {
  const number = value instanceof Double || value instanceof Uint ? value.value : value;
  return rounded ? Number(number) : number;
}

/** Compares lists by the rules of the left list: as a sequence, as a set, or by keys. */
function equalLists(a: CelList, b: CelList, level: number, later?: Later): boolean {
  const left = itemsOf(a);
  const right = itemsOf(b);
  if (left.length !== right.length) return false;
  if (!(a instanceof KeyedList)) return left.every((item, i) => equalAt(item, right[i] ?? null, level, later));
  const index = indexOf(a);
  return right.every((item) => {
    const counterpart = index.find(item);
    return counterpart !== undefined && (a.keys === undefined || equalAt(counterpart, item, level, later));
  });
}

/** Indexes the items of a list by identity. The last of several equal items counts. */
export function indexOf({ items, keys }: KeyedList): ItemIndex {
  const index = new ItemIndex(keys, equal);
  for (const item of items) index.set(item);
  return index;
}

function equalMaps(a: CelMap, b: CelMap, level: number, later?: Later): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const [left, right] = [entryOf(a, key), entryOf(b, key)];
    if (left === undefined || right === undefined || !equalAt(left, right, level, later)) return false;
  }
  return true;
}

function equalOptionals(a: Optional, b: Optional, level: number, later?: Later): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalAt(a.value, b.value, level, later);
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares two values. Returns NaN if one is not a number, and throws an error if the types have no order. */
export function compare(a: CelValue, b: CelValue): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return sign(a.nanos - b.nanos);
  if (a instanceof Duration && b instanceof Duration) return sign(a.nanos - b.nanos);
  return fail('no such overload');
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}
