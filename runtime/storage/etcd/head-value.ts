/** The value of the head: how many changes its transaction was of, and the last states of objects that it deletes. */
import type { Key } from '../../contract/index.js';

export interface HeadValue {
  /** Positions that the transaction has taken up, those of changes that lost included; at least 1. */
  readonly size: number;
  /** The last states as watchers are to get them, where they are not the stored ones. */
  readonly last: ReadonlyMap<Key, Buffer>;
}

export interface LastState {
  readonly key: Key;
  readonly value: Buffer;
}

const NEWLINE = 0x0a;
const NONE: ReadonlyMap<Key, Buffer> = new Map();

/** A line of JSON that says what follows it: the last states, one right behind the other. */
export function encodeHead(size: number, last: readonly LastState[]): Buffer {
  const lengths = last.map(({ key, value }) => [key, value.length]);
  const line = JSON.stringify(lengths.length === 0 ? { size } : { size, last: lengths });
  return Buffer.concat([Buffer.from(`${line}\n`), ...last.map(({ value }) => value)]);
}

/** Reads what `encodeHead` made. Anything else, as of another program or of the first format, says nothing. */
export function decodeHead(value: Buffer = Buffer.alloc(0)): HeadValue {
  const end = value.indexOf(NEWLINE);
  try {
    const line: unknown = JSON.parse(value.toString('utf8', 0, Math.max(0, end)));
    if (isLine(line)) return { size: line.size, last: line.last ? slices(value, end + 1, line.last) : NONE };
  } catch {}
  return { size: 1, last: NONE };
}

function slices(value: Buffer, start: number, lengths: readonly (readonly [Key, number])[]): ReadonlyMap<Key, Buffer> {
  let at = start;
  return new Map(
    lengths.map(([key, length]) => {
      at += length;
      return [key, value.subarray(at - length, at)];
    }),
  );
}

interface Line {
  readonly size: number;
  readonly last?: readonly (readonly [Key, number])[];
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  const { size, last = [] }: { readonly size?: unknown; readonly last?: unknown } = value;
  return Number.isSafeInteger(size) && Number(size) >= 1 && Array.isArray(last) && last.every(isLength);
}

function isLength(value: unknown): value is readonly [Key, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isSafeInteger(value[1]) && value[1] >= 0;
}
