/** Bounds how many lists are made at a time while they are sent. */
import { getHeapStatistics } from 'node:v8';

/** Heap for each list in the making: its entries, and a piece of it that its client has not taken yet. */
const heapPerList = 2 * 1024 * 1024;

/** The lists of a server that are being made. */
export class ListsInMaking {
  readonly #most: number;
  readonly #making = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  /** `most` is as many as the heap has room for, where it is not given. */
  constructor(most = Math.max(1, Math.floor(getHeapStatistics().heap_size_limit / heapPerList))) {
    this.#most = most;
  }

  /** Whether a further list has to wait. */
  get isFull(): boolean {
    return this.#making.size >= this.#most;
  }

  /**
   * Has a list made, now or once there is room: an answer may begin after others have taken the room that it saw. Returns
   * what to call when it has ended.
   */
  begin(make: () => void): () => void {
    (this.isFull ? this.#waiting : this.#making).add(make);
    if (this.#making.has(make)) make();
    return () => {
      this.#waiting.delete(make);
      if (this.#making.delete(make)) this.#makeNext();
    };
  }

  #makeNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    this.#making.add(next);
    next();
  }
}
