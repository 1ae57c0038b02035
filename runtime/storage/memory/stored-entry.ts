/** An entry as the store holds it, and the slabs of memory for its bytes. */
import type {
  AttributeReader,
  Attributes,
  Entry,
  JsonObject,
  JsonValue,
  Key,
  Revision,
  StoreEvent,
} from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';

const NONE = Buffer.alloc(0);

/** Reads the attributes of entries that were loaded without them. */
export abstract class LaterAttributes {
  abstract read(entry: Entry): Attributes;
}

/**
 * Holds the position of its bytes instead of a view of them, which would take 104 bytes of the heap for each object.
 * Only `SlabPool` moves it, and the content stays the same.
 */
export class StoredEntry implements Entry, SlabTenant {
  readonly key: Key;
  readonly revision: Revision;
  /** Private, so that comparing or printing entries ignores the position of their bytes. */
  #attributes: Attributes | LaterAttributes;
  #slab: Slab | undefined = undefined;
  #start = 0;
  #size = 0;

  constructor(key: Key, revision: Revision, attributes: Attributes | LaterAttributes) {
    this.key = key;
    this.revision = revision;
    this.#attributes = attributes;
  }

  /** Read with the first call if the entry was loaded without them. */
  get attributes(): Attributes {
    const attributes = this.#attributes;
    if (!(attributes instanceof LaterAttributes)) return attributes;
    const read = attributes.read(this);
    this.#attributes = read;
    return read;
  }

  /** Only entries that are not outdated may be loaded without their attributes. */
  get outdated(): true | undefined {
    const attributes = this.#attributes;
    return attributes instanceof LaterAttributes ? undefined : attributes.outdated;
  }

  /** A new view with every call, which takes about 0.1 µs. It stays valid even after the entry is dropped. */
  get bytes(): Buffer {
    return this.#slab?.memory.subarray(this.#start, this.#start + this.#size) ?? NONE;
  }

  /** The number of bytes, without a view of them. */
  get size(): number {
    return this.#size;
  }

  /** The slab with the bytes; undefined until the entry is placed. */
  get slab(): Slab | undefined {
    return this.#slab;
  }

  place(slab: Slab, start: number, size: number): void {
    this.#slab = slab;
    this.#start = start;
    this.#size = size;
  }
}

/** Reads the attributes of an object that was stored earlier; undefined if the bytes are not a JSON object. */
export function attributesOf(key: Key, bytes: Uint8Array, read: AttributeReader): Attributes | undefined {
  const object = parse(bytes);
  return object && read(key, object);
}

function parse(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An event of entries that the store holds. */
export interface StoredEvent extends StoreEvent {
  readonly entry: StoredEntry;
  readonly previous?: StoredEntry;
}

/** Returns the event for a version of a key, compared with the version before it. */
export function toEvent(entry: StoredEntry, deleted: boolean, previous: StoredEntry | undefined): StoredEvent {
  const { revision } = entry;
  if (!previous) return { type: deleted ? 'DELETED' : 'ADDED', revision, entry };
  return { type: deleted ? 'DELETED' : 'MODIFIED', revision, entry, previous };
}

const SLAB_BYTES = 256 * 1024;
/** Values of this size or more get their own allocation, so that no slab ends with more than an eighth unused. */
const LARGE_BYTES = SLAB_BYTES / 8;
/** The largest share of the slabs for released values. */
const WASTE_SHARE = 0.125;
/** The number of groups of closed slabs, by the share that is in use. */
const STEPS = 16;

/**
 * Packs values into slabs. Node needs about 200 bytes of its own for every separate Buffer, two fifths of a small
 * object's memory. In a slab, an entry costs its bytes and a share of the waste. Readers may hold a view for as long as
 * they like, so released space is never reused. If too much of it is released, the pool copies the live values of the
 * emptiest slab elsewhere; the slab is freed with its last view. This copies about three bytes for each released byte,
 * and fewer if neighbours are released together.
 */
export class SlabPool {
  #open = new Slab(SLAB_BYTES);
  /** The closed slabs, the emptiest first. */
  readonly #closed = Array.from({ length: STEPS + 1 }, () => new Set<Slab>());
  #slabs = 1;
  #large = 0;
  #live = 0;

  /** Bytes of all values held. */
  get liveBytes(): number {
    return this.#live;
  }

  /** Bytes allocated for them. */
  get allocatedBytes(): number {
    return this.#slabs * SLAB_BYTES + this.#large;
  }

  /** Stores a text as the bytes of an entry, in UTF-8. The text comes in pieces. */
  holdText(entry: SlabTenant, pieces: readonly string[]): void {
    let length = 0;
    for (const piece of pieces) length += Buffer.byteLength(piece);
    const { memory, used } = this.#reserve(entry, length);
    let at = used - length;
    for (const piece of pieces) at += memory.write(piece, at);
  }

  /** Stores a copy of these bytes as the bytes of an entry. */
  holdCopy(entry: SlabTenant, source: Uint8Array): void {
    const { memory, used } = this.#reserve(entry, source.length);
    memory.set(source, used - source.length);
  }

  /** Notes that the store no longer needs an entry's bytes. Current readers may still use them. */
  release(entry: SlabTenant): void {
    const { slab, size } = entry;
    if (!slab) return;
    this.#live -= size;
    if (size >= LARGE_BYTES) {
      this.#large -= size;
      return;
    }
    const { tenants } = slab;
    const last = tenants.pop();
    if (last && last !== entry) tenants[tenants.indexOf(entry)] = last;
    this.#shrink(slab, size);
    while (this.#isWasteful()) this.#emptySparsest();
  }

  /** Gives an entry the space before `used` of the returned slab. */
  #reserve(entry: SlabTenant, size: number): Slab {
    this.#live += size;
    const slab = size >= LARGE_BYTES ? this.#newLarge(size) : this.#openFor(size);
    slab.tenants.push(entry);
    entry.place(slab, slab.used, size);
    slab.used += size;
    slab.live += size;
    return slab;
  }

  #newLarge(size: number): Slab {
    this.#large += size;
    return new Slab(size);
  }

  /** Returns a slab with this much space: the open one, or a new one in its place. */
  #openFor(size: number): Slab {
    if (this.#open.used + size > SLAB_BYTES) this.#renew();
    return this.#open;
  }

  #renew(): void {
    this.#open.closed = true;
    this.#closed[stepOf(this.#open)]?.add(this.#open);
    this.#open = new Slab(SLAB_BYTES);
    this.#slabs++;
  }

  #shrink(slab: Slab, length: number): void {
    const before = stepOf(slab);
    slab.live -= length;
    const after = stepOf(slab);
    if (!slab.closed || before === after) return;
    this.#closed[before]?.delete(slab);
    this.#closed[after]?.add(slab);
  }

  #isWasteful(): boolean {
    const closedBytes = (this.#slabs - 1) * SLAB_BYTES;
    const live = this.#live - this.#large - this.#open.live;
    return closedBytes - live > SLAB_BYTES + closedBytes * WASTE_SHARE;
  }

  #emptySparsest(): void {
    for (const slabs of this.#closed) {
      for (const slab of slabs) {
        slabs.delete(slab);
        this.#empty(slab);
        return;
      }
    }
  }

  #empty(slab: Slab): void {
    this.#slabs--;
    for (const entry of slab.tenants.splice(0)) {
      this.#live -= entry.size;
      this.holdCopy(entry, entry.bytes);
    }
  }
}

/** Returns the group of a slab by its use. */
function stepOf({ live }: Slab): number {
  return Math.floor((live / SLAB_BYTES) * STEPS);
}

/** A value with its bytes in a slab. */
interface SlabTenant {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Undefined until it is placed. */
  readonly slab: Slab | undefined;
  /** Sets the position of its bytes. The bytes are the same everywhere. */
  place(slab: Slab, start: number, size: number): void;
}

/** One allocation for many values, or for one large value. */
class Slab {
  readonly memory: Buffer;
  /** Bytes reserved so far. They are never reserved twice. */
  used = 0;
  /** Bytes of the values that are still in use. */
  live = 0;
  /** True if it takes no more values. */
  closed = false;
  readonly tenants: SlabTenant[] = [];

  constructor(bytes: number) {
    this.memory = Buffer.allocUnsafeSlow(bytes);
  }
}
