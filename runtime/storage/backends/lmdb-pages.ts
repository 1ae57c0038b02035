/** Reads single pages of an LMDB file that nobody has mapped. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { HEADER_BYTES, META_BYTES, type Meta, type PageHeader, readHeader, readMeta } from './lmdb-layout.js';

export class LmdbPages {
  readonly #file: number;
  readonly #bytes: number;
  #pageSize = 0;
  #open = true;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.#bytes = fstatSync(this.#file).size;
  }

  /** Whole pages that the file has. */
  get count(): number {
    return Math.floor(this.#bytes / this.#pageSize);
  }

  /**
   * Returns the two meta pages, each undefined if it is not one. From here on pages have the size that the first gives.
   */
  metas(): readonly [Meta | undefined, Meta | undefined] {
    const first = readMeta(this.#read(0, META_BYTES), 0);
    this.#pageSize = first?.pageSize ?? 0;
    return [first, first && readMeta(this.#read(first.pageSize, META_BYTES), 1)];
  }

  /** Returns a page's bytes; zeros if the file ends before. */
  page(number: number): Buffer {
    return this.#read(number * this.#pageSize, this.#pageSize);
  }

  /** Returns a page's header, for pages that are needed for nothing else. */
  header(number: number): PageHeader {
    return readHeader(this.#read(number * this.#pageSize, HEADER_BYTES));
  }

  /** Returns the header of a long value, with the number of its pages. */
  longHeader(number: number): PageHeader & { readonly pages: number } {
    const bytes = this.#read(number * this.#pageSize, HEADER_BYTES);
    return { ...readHeader(bytes), pages: bytes.readUInt32LE(20) };
  }

  /** Returns the given number of bytes of a long value. */
  longValue(number: number, length: number): Buffer {
    return this.#read(number * this.#pageSize + HEADER_BYTES, length);
  }

  close(): void {
    if (this.#open) closeSync(this.#file);
    this.#open = false;
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    const there = readSync(this.#file, bytes, 0, length, position);
    return there < length ? bytes.fill(0, there) : bytes;
  }
}

/**
 * More file pages than this, in bytes, are worth opening the file again to be rid of them: while it is read as a
 * whole.
 */
export const READING_LIMIT_BYTES = 8 * 1024 * 1024;
/** The same while it is written, which touches few new pages. */
export const WRITING_LIMIT_BYTES = 2 * 1024 * 1024;
/** The number of calls that one look answers; a look takes about 15 µs. */
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

  /** Checks whether there are more bytes of them than at `reset` and a limit together. */
  areMany(limitBytes: number): boolean {
    if (++this.#questions % LOOK_EVERY !== 0) return false;
    return (filePages() - this.#base) * PAGE_BYTES > limitBytes;
  }

  /** Starts counting from 0. */
  reset(): void {
    this.#base = filePages();
  }
}

/** Returns the bytes of files in this process's memory; 0 on systems without /proc. */
function filePages(): number {
  try {
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[2]);
  } catch {
    return 0;
  }
}
