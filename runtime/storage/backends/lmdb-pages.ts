/** Reads single pages of an LMDB file that is not mapped. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
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

  /** The number of whole pages in the file. */
  get count(): number {
    return Math.floor(this.#bytes / this.#pageSize);
  }

  /**
   * Returns the two meta pages; each is undefined if it is not a meta page. Later calls use the page size of the first.
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

  /** Returns a page's header, for pages that are not read otherwise. */
  header(number: number): PageHeader {
    return readHeader(this.#read(number * this.#pageSize, HEADER_BYTES));
  }

  /** Returns the header of a long value. It has the number of the value's pages. */
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
