/** Decrypts the data that a driver returns, before other code reads it. */
import type { Key, Revision } from '../../contract/index.js';
import { type MaybePromise, thenSync } from '../../objects/turns.js';
import type { Encryption } from '../encryption/encryption.js';

/** A decrypted value; or, with the reason in `locked`, a value that cannot be decrypted. */
export interface Unlocked {
  readonly value: Buffer;
  readonly locked?: string;
}

/** Decrypts a value that was stored at a revision. Returns a promise only if it must ask a key service. */
export function unlock(
  encryption: Encryption | undefined,
  key: Key,
  value: Buffer,
  revision: Revision,
): MaybePromise<Unlocked> {
  if (!encryption) return { value };
  return thenSync(encryption.decrypt(key, value, revision), (decrypted) => {
    if (!decrypted.ok) return { value, locked: decrypted.problem };
    const { buffer, byteOffset, length } = decrypted.bytes;
    return { value: Buffer.from(buffer, byteOffset, length) };
  });
}

/** Takes values in the order of their arrival, although some arrive as promises. */
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

  /** Takes a value after the previous one. Never rejects. */
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
