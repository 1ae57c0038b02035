/** Takes objects in pieces, and yields them one by one. */
export class ObjectStream<T> implements AsyncIterable<T> {
  readonly #pieces: (readonly T[])[] = [];
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  /** Adds objects. An empty piece means that there are no more. */
  push(objects: readonly T[]): void {
    this.#pieces.push(objects);
    this.#wake?.();
  }

  /** Makes the reader's next step reject. */
  fail(error: Error): void {
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#pieces.length === 0 && !this.#error) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#error) throw this.#error;
      const piece = this.#pieces.shift() ?? [];
      if (piece.length === 0) return;
      yield* piece;
    }
  }
}
