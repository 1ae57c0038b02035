/** Gives deleted pods the moment that real ones take to end. */

/**
 * Milliseconds. A client that waits for the end of a pod reads it and then watches; where another one of the same name has
 * come in between, kubectl waits for ever.
 */
const endingMs = 100;

/** The pods that are ending, by their keys. */
export class PodEnds {
  readonly #ending = new Map<string, { readonly uid: string; isOver: boolean }>();

  /** Whether a pod has had its moment; `again` is called once it has, by real time whatever clock others have. */
  isOver(key: string, uid: string, again: () => void): boolean {
    const known = this.#ending.get(key);
    if (known?.uid === uid) return known.isOver;
    const ending = { uid, isOver: false };
    this.#ending.set(key, ending);
    setTimeout(() => {
      ending.isOver = true;
      again();
    }, endingMs).unref();
    return false;
  }

  /** Called when there is no such pod any more. */
  release(key: string): void {
    this.#ending.delete(key);
  }
}
