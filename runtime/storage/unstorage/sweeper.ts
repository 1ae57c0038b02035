/** Removes what is no longer needed, behind the commits and not in their way. */
import type { Items } from './items.js';

/** Removals that are asked of a driver at a time. */
const AT_A_TIME = 16;

export class Sweeper {
  readonly #items: Items;
  readonly #litter = new Set<string>();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(items: Items) {
    this.#items = items;
  }

  /** Has a key removed by the next sweep, unless it is unmarked before. */
  mark(key: string): void {
    this.#litter.add(key);
  }

  unmark(key: string): void {
    this.#litter.delete(key);
  }

  /** Begins to remove these, and what has been marked. What cannot be removed is tried again by the next sweep. */
  sweep(keys: readonly string[]): void {
    for (const key of keys) this.#litter.add(key);
    const all = [...this.#litter];
    this.#litter.clear();
    this.#sweeping = this.#sweeping.then(() => this.#remove(all));
  }

  /** Resolves when nothing is being removed. */
  idle(): Promise<void> {
    return this.#sweeping;
  }

  async #remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += AT_A_TIME) {
      await Promise.all(
        keys.slice(at, at + AT_A_TIME).map(async (key) => {
          await this.#items.remove(key).catch(() => this.mark(key));
        }),
      );
    }
  }
}
