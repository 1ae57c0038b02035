/** The order of a growing set of keys, compared in the fastest way that is exact for all of them. */
import type { Key } from '../../contract/index.js';
import { compareKeys, isPlainlyOrdered } from '../keys.js';

export class KeyOrder {
  /** Whether every key so far compares by `<`; the exact comparison is several times slower. */
  #plain = true;

  /** Takes note of a key before it is compared. */
  admit(key: Key): void {
    if (this.#plain && !isPlainlyOrdered(key)) this.#plain = false;
  }

  /** Whether one key comes before another, at least one of which has been admitted. */
  precedes(a: Key, b: Key): boolean {
    return this.#plain ? a < b : compareKeys(a, b) < 0;
  }
}
