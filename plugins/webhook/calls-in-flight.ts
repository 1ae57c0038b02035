/** Lets those who ask the same at the same time wait for one answer. */

/** Calls that have begun and not ended, by what they ask. */
export class CallsInFlight<T> {
  readonly #calls = new Map<string, Promise<T>>();

  get size(): number {
    return this.#calls.size;
  }

  /** Returns the answer of the call in flight for this key, or makes the call. A call is forgotten however it ends. */
  share(key: string, call: () => Promise<T>): Promise<T> {
    const known = this.#calls.get(key);
    if (known) return known;
    const made = call().finally(() => this.#calls.delete(key));
    this.#calls.set(key, made);
    return made;
  }
}
