/** Values as the tables store them: the text of objects, encrypted if the store encrypts. */
import type { EncodedObject, Key, Revision } from '../../contract/index.js';
import { type MaybePromise, mapSync, thenSync } from '../../objects/turns.js';
import type { Encryption } from '../encryption/encryption.js';
import { type Unlocked, unlock } from '../shared/decryption.js';

export class Values {
  constructor(readonly encryption: Encryption | undefined) {}

  /** Returns the value that the tables store for an object. */
  stored(key: Key, text: Buffer): Uint8Array {
    return this.encryption?.encrypt(key, text) ?? text;
  }

  /** Decrypts a value. Returns a promise only if it must ask a key service. */
  plain(key: Key, revision: Revision, value: Buffer): MaybePromise<Unlocked> {
    return unlock(this.encryption, key, value, revision);
  }

  /** Decrypts the values of many items, in their order. */
  all<T extends { readonly key: Key; readonly revision: Revision; readonly value: Buffer }>(
    items: readonly T[],
  ): MaybePromise<readonly (T & Unlocked)[]> {
    if (!this.encryption) return items;
    return mapSync(items, (item) =>
      thenSync(this.plain(item.key, item.revision, item.value), (plain) => ({ ...item, ...plain })),
    );
  }
}

export const textOf = ({ text }: EncodedObject): Buffer => Buffer.from(text);
