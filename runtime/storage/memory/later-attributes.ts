/** Reads the attributes of entries that were loaded without them, step by step, after the store has opened. */
import type { StoredEntry } from './stored-entry.js';

/** The length of one turn while no caller waits, in milliseconds. Other work then has four times as long. */
const TURN_MS = 2;
/** The length of one turn while a caller waits, in milliseconds. Other work then has its turn at once. */
const WAITED_TURN_MS = 40;
/** The entries between two checks of the clock. */
const STRIDE = 64;

/**
 * Takes at most a fifth of the time while no caller waits. Once a caller waits, it reads in every turn of the event
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

  /** Resolves once all attributes have been read, or `stop` was called. Returns undefined if that is already so. */
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
