/** Items sorted by their keys. */
import type { Key } from '../../contract/index.js';
import { KeyOrder } from './key-order.js';
import { SortedChunks } from './sorted-chunks.js';

export class OrderedIndex<T extends { readonly key: Key }> extends SortedChunks<T, Key> {
  readonly #order = new KeyOrder();

  override put(item: T): T | undefined {
    this.#order.admit(item.key);
    return super.put(item);
  }

  override append(items: readonly T[]): void {
    for (const { key } of items) this.#order.admit(key);
    super.append(items);
  }

  protected override placeOf(item: T): Key {
    return item.key;
  }

  protected override precedes(a: Key, b: Key): boolean {
    return this.#order.precedes(a, b);
  }
}
