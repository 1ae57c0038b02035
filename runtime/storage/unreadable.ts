/** Keeps the list of objects that are stored and cannot be read. */
import type { Damage, Key } from '../contract/index.js';

/** The damage of objects by key. It is small: most stores have none. */
export class Unreadable {
  readonly #found = new Map<Key, Damage>();

  /** @param found damage with a key and a revision. For a key with several, the newest counts. */
  constructor(found: readonly Damage[] = []) {
    for (const damage of found) {
      const { revision = 0 } = this.#found.get(damage.key) ?? {};
      if ((damage.revision ?? 0) > revision) this.#found.set(damage.key, damage);
    }
  }

  /** The objects that cannot be decrypted. */
  get locked(): readonly Damage[] {
    return [...this.#found.values()].filter(({ locked }) => locked);
  }

  at(key: Key): Damage | undefined {
    return this.#found.get(key);
  }

  below(prefix: string): readonly Damage[] {
    return damageBelow(prefix, [...this.#found.values()]);
  }

  /** Notes that an object was removed or written again. */
  noteGone(key: Key): void {
    this.#found.delete(key);
  }
}

/** Returns the damage of objects with keys that begin with a prefix. */
export const damageBelow = (prefix: string, damage: readonly Damage[]): readonly Damage[] =>
  damage.filter(({ key }) => key.startsWith(prefix));
