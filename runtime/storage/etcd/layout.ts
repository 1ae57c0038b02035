/** Where things lie in etcd: the keys under the store's prefix. */
import type { Key } from '../../contract/index.js';

/** The keys of one store. */
export class Layout {
  readonly #objects: string;
  /** All that belongs to the store. */
  readonly start: Buffer;
  /** The first key behind that. */
  readonly end: Buffer;
  /** All objects; a store key follows. */
  readonly objectsStart: Buffer;
  readonly objectsEnd: Buffer;
  /** Written with every transaction, so that its revision is that of the last change to any object; see `HeadValue`. */
  readonly head: Buffer;
  /** Held by the server that compacts, for as long as it lives. */
  readonly leader: Buffer;
  /** When the keyspace was how far, by which compaction and servers that start know where the history begins. */
  readonly marks: Buffer;
  /** The same of the first format. */
  readonly firstMarks: Buffer;
  /** Random bytes that all servers share. */
  readonly secret: Buffer;
  /** The format of the data, and how far revisions have been moved on; written when a restore begins and when it ends. */
  readonly restore: Buffer;

  /** `prefix` begins and ends with a slash, as in `/kindforge/`. */
  constructor(prefix: string) {
    this.#objects = `${prefix}objects/`;
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

  /** Where an object lies. */
  object(key: Key): Buffer {
    return Buffer.from(this.#objects + key);
  }

  /** The store key of what lies here; undefined for what is no object. */
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

/** The first key behind all that begin with a text which ends in a slash. */
function behind(prefix: string): Buffer {
  return Buffer.from(`${prefix.slice(0, -1)}0`);
}
