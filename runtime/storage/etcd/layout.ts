/** The layout in etcd: the keys under the store's prefix. */
import type { Key } from '../../contract/index.js';

/** The keys of one store. */
export class Layout {
  readonly #objects: string;
  readonly #fences: string;
  /** All keys of the store. */
  readonly start: Buffer;
  /** The first key after all keys of the store. */
  readonly end: Buffer;
  /** All objects; a store key follows. */
  readonly objectsStart: Buffer;
  readonly objectsEnd: Buffer;
  /**
   * Every transaction writes this key, so its revision is the revision of the last change to any object. See
   * `HeadValue`.
   */
  readonly head: Buffer;
  /** The server that compacts holds this key for as long as it lives. */
  readonly leader: Buffer;
  /** Revisions of the keyspace by time. Compaction and starting servers read from them where history begins. */
  readonly marks: Buffer;
  /** The marks of the first format. */
  readonly firstMarks: Buffer;
  /** Random bytes that all servers share. */
  readonly secret: Buffer;
  /**
   * The format of the data, and the number that is added to its revisions. Written when a restore begins and when it
   * ends.
   */
  readonly restore: Buffer;

  /** `prefix` begins and ends with a slash, as in `/kindforge/`. */
  constructor(prefix: string) {
    this.#objects = `${prefix}objects/`;
    this.#fences = `${prefix}fences/`;
    this.start = Buffer.from(prefix);
    this.end = behind(prefix);
    this.objectsStart = Buffer.from(this.#objects);
    this.objectsEnd = behind(this.#objects);
    this.head = Buffer.from(`${prefix}head`);
    this.leader = Buffer.from(`${prefix}leader`);
    this.marks = Buffer.from(`${prefix}history`);
    this.firstMarks = Buffer.from(`${prefix}marks`);
    this.secret = Buffer.from(`${prefix}secret`);
    this.restore = Buffer.from(`${prefix}restore`);
  }

  /** Returns the etcd key of an object. */
  object(key: Key): Buffer {
    return Buffer.from(this.#objects + key);
  }

  /** Returns a key of a server's fence, see `Fence`. Most servers never write one. */
  fence(name: string): Buffer {
    return Buffer.from(this.#fences + name);
  }

  /** Returns the store key of an etcd key; undefined if the etcd key is not an object's. */
  keyOf(place: Buffer): Key | undefined {
    const length = this.objectsStart.length;
    if (place.length <= length || place.compare(this.objectsStart, 0, length, 0, length) !== 0) return undefined;
    return place.toString('utf8', length);
  }

  isHead(place: Buffer): boolean {
    return place.equals(this.head);
  }

  isRestore(place: Buffer): boolean {
    return place.equals(this.restore);
  }
}

/** Returns the first key after all keys that begin with a text. The text ends in a slash. */
function behind(prefix: string): Buffer {
  return Buffer.from(`${prefix.slice(0, -1)}0`);
}

// The value of the head: the writer and the size of its transaction, and the last states of objects.

interface HeadValue {
  /** The number of positions that the transaction used, including changes that were not made; at least 1. */
  readonly size: number;
  /** The server that made the transaction, by its own name; undefined if the value does not have it. */
  readonly writer: string | undefined;
  /** The last states that watchers must get, if they are not the stored ones. */
  readonly last: ReadonlyMap<Key, Buffer>;
}

interface LastState {
  readonly key: Key;
  readonly value: Uint8Array;
}

const NEWLINE = 0x0a;
const NONE: ReadonlyMap<Key, Buffer> = new Map();

/** Encodes a line of JSON that describes the bytes after it. These are the last states, without separators. */
export function encodeHead(size: number, last: readonly LastState[], writer?: string): Buffer {
  const lengths = last.map(({ key, value }) => [key, value.length]);
  const line = JSON.stringify({ size, writer, last: lengths.length === 0 ? undefined : lengths });
  return Buffer.concat([Buffer.from(`${line}\n`), ...last.map(({ value }) => value)]);
}

/** Decodes the result of `encodeHead`. Any other value, of another program or of the first format, has no content. */
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
