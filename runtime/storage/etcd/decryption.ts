/** Decrypts what comes from etcd, before anything else looks at it. */
import type { Key } from '../../contract/index.js';
import { type MaybePromise, mapSync, thenSync } from '../../objects/turns.js';
import type { Encryption } from '../encryption/encryption.js';
import type { ObjectChange, RevisionChanges } from './changes.js';
import { decodeHead, type Layout } from './layout.js';
import type { KeyValue } from './messages.js';
import { type EtcdRevision, type Numbering, POSITIONS } from './numbering.js';

/** Returns its arguments as they are without an encryption, and promises only while a key service is asked. */
export class Decryption {
  readonly #encryption: Encryption | undefined;
  readonly #layout: Layout;
  readonly #numbering: Numbering;

  constructor(encryption: Encryption | undefined, layout: Layout, numbering: Numbering) {
    this.#encryption = encryption;
    this.#layout = layout;
    this.#numbering = numbering;
  }

  /** Decrypts objects. One that cannot be decrypted is `locked`, and keeps its value. */
  objects(kvs: readonly KeyValue[]): MaybePromise<readonly KeyValue[]> {
    if (!this.#encryption) return kvs;
    return mapSync(kvs, (kv) => {
      const key = kv.key && this.#layout.keyOf(kv.key);
      if (key === undefined || !kv.value) return kv;
      return this.#value(key, kv.modRevision ?? 0, { ...kv, value: kv.value });
    });
  }

  /** Decrypts changes, and the last states of deleted objects among them. */
  changes(revisions: readonly RevisionChanges[]): MaybePromise<readonly RevisionChanges[]> {
    if (!this.#encryption) return revisions;
    return mapSync(revisions, (changes) => this.#changesOf(changes));
  }

  #changesOf(changes: RevisionChanges): MaybePromise<RevisionChanges> {
    const { revision, head } = changes;
    const decrypt = ({ key, value }: ObjectChange): MaybePromise<ObjectChange> =>
      value ? this.#value(key, revision, { key, value }) : { key };
    const last = [...decodeHead(head).last].map(([key, value]) => ({ key, value }));
    return thenSync(mapSync(changes.objects, decrypt), (objects) =>
      thenSync(mapSync(last, decrypt), (states) => ({ ...changes, objects, last: readable(states) })),
    );
  }

  #value<T extends { readonly value: Buffer }>(key: Key, at: EtcdRevision, holder: T): MaybePromise<T & Lock> {
    // The position within the transaction is not known yet.
    const revision = this.#numbering.toStore(at, POSITIONS - 1);
    const found = this.#encryption?.decrypt(key, holder.value, revision) ?? { ok: true, bytes: holder.value };
    return thenSync(found, (decrypted) => {
      if (!decrypted.ok) return { ...holder, locked: decrypted.problem };
      return {
        ...holder,
        value: Buffer.from(decrypted.bytes.buffer, decrypted.bytes.byteOffset, decrypted.bytes.length),
      };
    });
  }
}

interface Lock {
  /** The reason if the value cannot be decrypted. */
  readonly locked?: string;
}

function readable(states: readonly ObjectChange[]): ReadonlyMap<Key, Buffer> {
  return new Map(states.flatMap(({ key, value, locked }) => (value && locked === undefined ? [[key, value]] : [])));
}

/** Takes values in the order in which they come, although some come as promises. */
export class InOrder<T> {
  #waiting: Promise<void> | undefined;

  constructor(
    private readonly take: (value: T) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  add(value: MaybePromise<T>): void {
    if (!this.#waiting && !(value instanceof Promise)) {
      this.take(value);
      return;
    }
    const mine = this.#takeAfter(this.#waiting, value).then(() => {
      if (this.#waiting === mine) this.#waiting = undefined;
    });
    this.#waiting = mine;
  }

  /** Takes a value after the one before it. Never rejects. */
  async #takeAfter(before: Promise<void> | undefined, value: MaybePromise<T>): Promise<void> {
    const settled = Promise.allSettled([value]);
    await before;
    const [result] = await settled;
    try {
      if (result.status === 'fulfilled') this.take(result.value);
      else this.fail(result.reason);
    } catch (error) {
      this.fail(error);
    }
  }
}
