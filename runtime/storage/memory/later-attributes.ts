/** Reads the attributes of entries that were loaded without them, little by little, once the store is open. */
import type { StoredEntry } from './stored-entry.js';

/** The time of one turn while nobody waits for it, in milliseconds; others then have four times as long. */
const TURN_MS = 2;
/** The time of one turn while somebody waits, in milliseconds. Others then have their turn at once. */
const WAITED_TURN_MS = 40;
/** Entries between two looks at the clock. */
const STRIDE = 64;

/**
 * Takes at most a fifth of the time while nobody waits for it. Once somebody does, it reads in every turn of the event
 * loop.
 */
export class LaterReading {
  #entries: readonly StoredEntry[];
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #waiting: (() => void)[] = [];

  constructor(entries: readonly StoredEntry[]) {
    this.#entries = entries;
    if (entries.length > 0) this.#goOn();
  }

  /** Resolves once all have been read, or it was stopped; undefined if that is already so. */
  done(): Promise<void> | undefined {
    if (this.#next >= this.#entries.length) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#goOn();
    });
  }

  stop(): void {
    this.#callOff();
    this.#entries = [];
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #goOn(): void {
    this.#callOff();
    if (this.#waiting.length > 0) this.#immediate = setImmediate(() => this.#read(WAITED_TURN_MS));
    else this.#timer = setTimeout(() => this.#read(TURN_MS), 4 * TURN_MS).unref();
  }

  #callOff(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #read(ms: number): void {
    const end = Date.now() + ms;
    do {
      const last = Math.min(this.#entries.length, this.#next + STRIDE);
      while (this.#next < last) this.#entries[this.#next++]?.attributes;
    } while (this.#next < this.#entries.length && Date.now() < end);
    if (this.#next >= this.#entries.length) this.stop();
    else this.#goOn();
  }
}
