/** Order, ranges and limits of store keys. */
import type { Change, EncodedObject, Failure, Key, RestoredObject, Revision } from '../contract/index.js';
import { requestEntityTooLarge } from '../objects/failures.js';

/** The longest key in bytes that every backend can hold. */
export const MAX_KEY_BYTES = 1500;

/** The keys from `start` up to but not including `end`; without `end`, all keys from `start` on. */
export interface KeyRange {
  readonly start: Key;
  readonly end?: Key;
}

/** Code units that may sort differently in UTF-16 and UTF-8: surrogates and all units above them. */
const UNORDERED = /[\ud800-\uffff]/;

/** Checks whether `<` orders this key and any other by their UTF-8 bytes. */
export function isPlainlyOrdered(key: Key): boolean {
  return !UNORDERED.test(key);
}

/** Compares keys by their UTF-8 bytes. */
export function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates above the other units, as their code points are. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Returns the range of keys that a prefix covers; undefined if it is one whole key. */
export function rangeOf(prefix: string): KeyRange | undefined {
  if (prefix === '') return { start: '' };
  if (!prefix.endsWith('/')) return undefined;
  // '0' follows '/' directly, so this is the first key after all keys with the prefix.
  return { start: prefix, end: `${prefix.slice(0, -1)}0` };
}

/** Returns the part of a key that names its resource, `<group>/<plural>/`; empty if the key (or prefix) is shorter. */
export function resourceOf(key: string): string {
  return key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1);
}

/** Checks whether a key is under a prefix, as `Store.list` understands it. */
export function isUnder(prefix: string, key: Key): boolean {
  return prefix === '' || (prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix);
}

/** Returns why a key cannot be stored; undefined for a valid key. */
export function keyProblem(key: Key): string | undefined {
  if (key === '' || key.endsWith('/')) return 'the key is incomplete';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `the key is longer than ${MAX_KEY_BYTES} bytes`;
  if (/\p{Surrogate}/u.test(key)) return 'the key has half of a surrogate pair, which has no UTF-8 form';
  return undefined;
}

/** Sorts items by their keys, in place. */
export function inKeyOrder<T extends { readonly key: Key }>(items: T[]): readonly T[] {
  const isPlain = items.every(({ key }) => isPlainlyOrdered(key));
  return items.sort(isPlain ? (a, b) => (a.key < b.key ? -1 : 1) : (a, b) => compareKeys(a.key, b.key));
}

// The limit for the size of stored objects. All stores and all writes use only this function.

/** The most bytes that UTF-8 needs for a unit of a JavaScript string. */
const MOST_BYTES_PER_UNIT = 3;
/** The most digits of a revision. */
const REVISION_BYTES = 16;

/**
 * Refuses a change that would store more than `maxBytes`. Never refuses a deletion, or the deletion mark on an object.
 * An object that was stored under another limit may stay as large as it is, and clients can make it smaller step by
 * step. `storedBytes` is the size of the object that the change replaces, or 0.
 */
export function sizeFailure(
  { next, ending }: Change,
  revision: Revision,
  storedBytes: number,
  maxBytes: number,
): Failure | undefined {
  // Most objects are so small that their bytes need not be counted.
  if (!next || ending || next.text.length * MOST_BYTES_PER_UNIT + REVISION_BYTES <= maxBytes) return undefined;
  const bytes = storedSize(next, revision);
  if (bytes <= Math.max(maxBytes, storedBytes)) return undefined;
  return requestEntityTooLarge(`the object has ${bytes} bytes as it would be stored, and the limit is ${maxBytes}`);
}

const storedSize = ({ text }: EncodedObject, revision: Revision): number =>
  Buffer.byteLength(text) + String(revision).length;

/** Passes on the objects of a restore. Throws for a key that cannot be stored, or is not in key order. */
export async function* inRestoredOrder(
  objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>,
): AsyncGenerator<RestoredObject> {
  let last: Key = '';
  for await (const restored of objects) {
    const { key } = restored;
    const problem = keyProblem(key) ?? (compareKeys(last, key) < 0 ? undefined : 'it is not in key order');
    if (problem !== undefined) throw new Error(`${key}: ${problem}`);
    last = key;
    yield restored;
  }
}
