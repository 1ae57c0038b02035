/** An entry as the store itself holds it. */
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
import type { Slab, SlabTenant } from './slabs.js';

const NONE = Buffer.alloc(0);

/** Reads the attributes of entries that were loaded without. */
export abstract class LaterAttributes {
  abstract read(entry: Entry): Attributes;
}

/**
 * Knows where its bytes lie instead of holding a view of them, which would take 104 bytes of the heap for each object.
 * Only `SlabPool` places it, and only so that the content stays the same.
 */
export class StoredEntry implements Entry, SlabTenant {
  readonly key: Key;
  readonly revision: Revision;
  /** Private, so that entries look the same to whoever compares or prints them wherever their bytes lie. */
  #attributes: Attributes | LaterAttributes;
  #slab: Slab | undefined = undefined;
  #start = 0;
  #size = 0;

  constructor(key: Key, revision: Revision, attributes: Attributes | LaterAttributes) {
    this.key = key;
    this.revision = revision;
    this.#attributes = attributes;
  }

  /** Read with the first call where the entry was loaded without them. */
  get attributes(): Attributes {
    const attributes = this.#attributes;
    if (!(attributes instanceof LaterAttributes)) return attributes;
    const read = attributes.read(this);
    this.#attributes = read;
    return read;
  }

  /** Only entries that are not outdated are loaded without their attributes. */
  get outdated(): true | undefined {
    const attributes = this.#attributes;
    return attributes instanceof LaterAttributes ? undefined : attributes.outdated;
  }

  /** A new view with every call, about 0.1 µs; it stays good whatever becomes of the entry. */
  get bytes(): Buffer {
    return this.#slab?.memory.subarray(this.#start, this.#start + this.#size) ?? NONE;
  }

  /** The number of bytes, without a view of them. */
  get size(): number {
    return this.#size;
  }

  /** The slab with the bytes; undefined until it is placed. */
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

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An event of entries that the store holds. */
export interface StoredEvent extends StoreEvent {
  readonly entry: StoredEntry;
  readonly previous?: StoredEntry;
}

/** Returns the change that a version makes to the version before it. */
export function toEvent(entry: StoredEntry, deleted: boolean, previous: StoredEntry | undefined): StoredEvent {
  const { revision } = entry;
  if (!previous) return { type: deleted ? 'DELETED' : 'ADDED', revision, entry };
  return { type: deleted ? 'DELETED' : 'MODIFIED', revision, entry, previous };
}
