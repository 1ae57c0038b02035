/** The value of the head: the writer of its transaction, how many changes that was of, and last states of objects. */
import type { Key } from '../../contract/index.js';

export interface HeadValue {
  /** Positions that the transaction has taken up, those of changes that lost included; at least 1. */
  readonly size: number;
  /** The server that made the transaction, as it names itself; undefined where the value does not say. */
  readonly writer: string | undefined;
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
export function encodeHead(size: number, last: readonly LastState[], writer?: string): Buffer {
  const lengths = last.map(({ key, value }) => [key, value.length]);
  const line = JSON.stringify({ size, writer, last: lengths.length === 0 ? undefined : lengths });
  return Buffer.concat([Buffer.from(`${line}\n`), ...last.map(({ value }) => value)]);
}

/** Reads what `encodeHead` made. Anything else, as of another program or of the first format, says nothing. */
export function decodeHead(value: Buffer = Buffer.alloc(0)): HeadValue {
  const end = value.indexOf(NEWLINE);
  try {
    const line: unknown = JSON.parse(value.toString('utf8', 0, Math.max(0, end)));
    if (isLine(line)) {
      const { size, writer, last } = line;
      return { size, writer, last: last ? slices(value, end + 1, last) : NONE };
    }
  } catch {}
  return { size: 1, writer: undefined, last: NONE };
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
  readonly writer: string | undefined;
  readonly last?: readonly (readonly [Key, number])[];
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  const { size, writer = '', last = [] }: { readonly [name in keyof Line]?: unknown } = value;
  const isSound = Number.isSafeInteger(size) && Number(size) >= 1 && typeof writer === 'string';
  return isSound && Array.isArray(last) && last.every(isLength);
}

function isLength(value: unknown): value is readonly [Key, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isSafeInteger(value[1]) && value[1] >= 0;
}
