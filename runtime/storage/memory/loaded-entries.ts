/** Makes entries from the objects that a store has when it opens. */
import type { AttributeReader, Attributes, Entry, Key, Revision } from '../../contract/index.js';
import type { Replica } from './replica.js';
import { attributesOf, LaterAttributes, StoredEntry } from './stored-entry.js';

/** Makes an entry with a copy of the bytes. Returns undefined if they are not an object. */
export type EntryMaker = (key: Key, revision: Revision, bytes: Uint8Array) => StoredEntry | undefined;

export function entryMaker(replica: Replica, readAttributes: AttributeReader): EntryMaker {
  const later = new LoadedLater(replica, readAttributes);
  return (key, revision, bytes) => {
    const canWait = readAttributes.isCurrent?.(key, bytes) === true;
    const attributes = canWait ? undefined : attributesOf(key, bytes, readAttributes);
    if (!canWait && !attributes) return undefined;
    const entry = new StoredEntry(key, revision, attributes ? replica.attributes.share(attributes) : later);
    replica.slabs.holdCopy(entry, bytes);
    return entry;
  };
}

/** Parsing all objects takes most of the start of a large store, and few starts need all attributes. */
class LoadedLater extends LaterAttributes {
  readonly #replica: Replica;
  readonly #readAttributes: AttributeReader;

  constructor(replica: Replica, readAttributes: AttributeReader) {
    super();
    this.#replica = replica;
    this.#readAttributes = readAttributes;
  }

  read({ key, bytes }: Entry): Attributes {
    const cut = this.#readAttributes.cutOut?.(key, bytes);
    const found = cut ?? attributesOf(key, bytes, this.#readAttributes);
    return this.#replica.attributes.share(found ?? { labels: {}, fields: {} });
  }
}
