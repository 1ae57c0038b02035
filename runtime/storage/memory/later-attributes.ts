/** Reads the attributes of entries that were loaded without them, little by little, once the store is open. */
import type { StoredEntry } from './stored-entry.js';

/** How long it reads at a time, and how long others then have the processor for themselves; milliseconds. */
const TURN_MS = 8;
/** Entries between two looks at the clock. */
const STRIDE = 64;

/** Nobody waits for it at first; from when somebody does, it reads in every turn, and others have theirs in between. */
export class LaterReading {
  #entries: readonly StoredEntry[];
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(entries: readonly StoredEntry[]) {
    this.#entries = entries;
    if (entries.length > 0) this.#goOn();
  }

  /** Resolves once all have been read, or it was stopped; undefined where that is so already. */
  done(): Promise<void> | undefined {
    if (this.#next >= this.#entries.length) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#goOn();
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#entries = [];
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #goOn(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), this.#waiting.length > 0 ? 0 : TURN_MS).unref();
  }

  #read(): void {
    const end = Date.now() + TURN_MS;
    do {
      const last = Math.min(this.#entries.length, this.#next + STRIDE);
      while (this.#next < last) this.#entries[this.#next++]?.attributes;
    } while (this.#next < this.#entries.length && Date.now() < end);
    if (this.#next >= this.#entries.length) this.stop();
    else this.#goOn();
  }
}
