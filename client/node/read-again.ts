/** Reads files that other programs replace: tokens and certificates that are renewed. */
import { readFileSync } from 'node:fs';

/** The content of a file, read again when it is older than a limit. If the file is gone, the last content stays. */
export class ReadAgain {
  readonly #path: string;
  readonly #maxAgeMs: number;
  #text: string;
  #read = Date.now();

  /** Throws if the file cannot be read. */
  constructor(path: string, maxAgeMs: number) {
    this.#path = path;
    this.#maxAgeMs = maxAgeMs;
    this.#text = readFileSync(path, 'utf8');
  }

  /** Returns the content. With `now`, reads the file in any case. */
  text(now = false): string {
    if (now || Date.now() - this.#read >= this.#maxAgeMs) {
      this.#read = Date.now();
      try {
        this.#text = readFileSync(this.#path, 'utf8');
      } catch {
        // A file may be missing for a moment while it is replaced.
      }
    }
    return this.#text;
  }
}
