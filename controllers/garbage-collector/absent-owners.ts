/** Remembers absent owners, so that ten thousand dependents of one owner cost one request. */
import { groupOf, type Identity } from './graph.js';

/** The most owners that are remembered. The least recently used one is dropped first. */
const most = 500;

export class AbsentOwners {
  /** In the order of last use. */
  readonly #known = new Set<string>();

  add(owner: Identity): void {
    this.#touch(keyOf(owner));
    const [oldest] = this.#known;
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
  }

  has(owner: Identity): boolean {
    const key = keyOf(owner);
    if (!this.#known.has(key)) return false;
    this.#touch(key);
    return true;
  }

  #touch(key: string): void {
    this.#known.delete(key);
    this.#known.add(key);
  }
}

/** Returns the key of an owner with its namespace: an owner that is absent in one namespace may exist in another. */
const keyOf = ({ apiVersion, kind, namespace = '', name, uid }: Identity): string =>
  [uid, groupOf(apiVersion), kind, namespace, name].join('/');
