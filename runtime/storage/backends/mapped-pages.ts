/** Watches how much of a mapped file counts as this process's memory. */
import { readFileSync } from 'node:fs';

/**
 * More file pages than this, in bytes, are worth opening the file again to be rid of them: while it is read as a
 * whole.
 */
export const READING_LIMIT_BYTES = 8 * 1024 * 1024;
/** The same while it is written, which touches few new pages. */
export const WRITING_LIMIT_BYTES = 2 * 1024 * 1024;
/** How many questions are answered by one look, which takes about 15 µs. */
const LOOK_EVERY = 8;
const PAGE_BYTES = 4096;

/**
 * The kernel maps 64 KiB around every page that LMDB touches, and keeps them mapped: after a while the whole file
 * counts as memory of the process, beside the store's own copy. Opening a file again takes about a millisecond and
 * undoes that.
 */
export class MappedPages {
  #base = filePages();
  #questions = 0;

  /** Whether there are more bytes of them than at `reset` and a limit together. */
  areMany(limitBytes: number): boolean {
    if (++this.#questions % LOOK_EVERY !== 0) return false;
    return (filePages() - this.#base) * PAGE_BYTES > limitBytes;
  }

  /** Starts counting from 0. */
  reset(): void {
    this.#base = filePages();
  }
}

/** Pages of files in this process's memory; 0 on systems without /proc. */
function filePages(): number {
  try {
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[2]);
  } catch {
    return 0;
  }
}
