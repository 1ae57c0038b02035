/** Reads files that others replace: tokens and certificates that are renewed. */
import { readFileSync } from 'node:fs';

/** The content of a file, read again when it is older than a while. One that is gone meanwhile leaves what was read last. */
export class ReadAgain {
  readonly #path: string;
  readonly #maxAgeMs: number;
  #text: string;
  #read = Date.now();

  /** Throws where the file cannot be read. */
  constructor(path: string, maxAgeMs: number) {
    this.#path = path;
    this.#maxAgeMs = maxAgeMs;
    this.#text = readFileSync(path, 'utf8');
  }

  /** `now` for what is in the file at this moment. */
  text(now = false): string {
    if (now || Date.now() - this.#read >= this.#maxAgeMs) {
      this.#read = Date.now();
      try {
        this.#text = readFileSync(this.#path, 'utf8');
      } catch {
        // A file that is replaced may be gone for a moment.
      }
    }
    return this.#text;
  }
}
