/** An entry as the store itself holds it. */
import type { Attributes, Entry, Key, Revision } from '../contract/index.js';
import type { Slab } from './slabs.js';

const NONE = new Uint8Array(0);

/** Only `SlabPool` changes `bytes` and `slab`, and only so that the content stays the same. */
export class StoredEntry implements Entry {
  bytes: Uint8Array = NONE;
  /** Private, so that entries look the same to whoever compares or prints them wherever their bytes lie. */
  #slab: Slab | undefined = undefined;

  constructor(
    readonly key: Key,
    readonly revision: Revision,
    readonly attributes: Attributes,
  ) {}

  /** Where the bytes lie; undefined for those with an allocation of their own. */
  get slab(): Slab | undefined {
    return this.#slab;
  }

  set slab(slab: Slab | undefined) {
    this.#slab = slab;
  }
}
