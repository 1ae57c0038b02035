/** Memory for the bytes of entries: many small values in few large allocations, with bounded waste. */
import type { StoredEntry } from './stored-entry.js';

/** Bytes of one slab. */
const SLAB_BYTES = 256 * 1024;
/** Values from here on get an allocation of their own, so that no slab ends with more than an eighth unused. */
const LARGE_BYTES = SLAB_BYTES / 8;
/** A closed slab with less of itself in use is emptied into the open one: its waste would outgrow what it holds. */
const SPARSE_BYTES = SLAB_BYTES * 0.75;

/** One allocation that values share. */
export class Slab {
  readonly memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
  /** Bytes given out so far; they are never given out twice. */
  used = 0;
  /** Bytes of the values that are still held. */
  live = 0;
  readonly tenants: StoredEntry[] = [];
}

/**
 * Node keeps about 200 bytes of its own for every separate Buffer, two fifths of a small object's memory. Here an
 * entry costs its bytes, a view, and a share of the waste. Readers may hold a view for as long as they like, so room
 * is never reused: a slab whose values are mostly gone has the rest copied out, and goes when its last view does.
 * Copying costs at most three bytes for each byte released.
 */
export class SlabPool {
  #open = new Slab();
  #slabs = 0;
  #large = 0;
  #live = 0;

  /** Bytes of all values held. */
  get liveBytes(): number {
    return this.#live;
  }

  /** Bytes allocated for them. */
  get allocatedBytes(): number {
    return (this.#slabs + 1) * SLAB_BYTES + this.#large;
  }

  /** Gives an entry its bytes: this text in UTF-8. */
  holdText(entry: StoredEntry, text: string): void {
    this.#reserve(entry, Buffer.byteLength(text)).write(text);
  }

  /** Gives an entry a copy of these bytes. */
  holdCopy(entry: StoredEntry, source: Uint8Array): void {
    this.#reserve(entry, source.length).set(source);
  }

  /** Tells that the store needs an entry's bytes no longer. Whoever still reads them may go on. */
  release(entry: StoredEntry): void {
    const { slab } = entry;
    const { length } = entry.bytes;
    this.#live -= length;
    if (!slab) {
      this.#large -= length;
      return;
    }
    entry.slab = undefined;
    slab.live -= length;
    const { tenants } = slab;
    const last = tenants.pop();
    if (last && last !== entry) tenants[tenants.indexOf(entry)] = last;
    if (slab !== this.#open && slab.live < SPARSE_BYTES) this.#empty(slab);
  }

  #reserve(entry: StoredEntry, length: number): Buffer {
    this.#live += length;
    if (length >= LARGE_BYTES) {
      this.#large += length;
      const memory = Buffer.allocUnsafeSlow(length);
      entry.bytes = memory;
      return memory;
    }
    if (this.#open.used + length > SLAB_BYTES) this.#renew();
    const slab = this.#open;
    const bytes = slab.memory.subarray(slab.used, slab.used + length);
    slab.used += length;
    slab.live += length;
    slab.tenants.push(entry);
    entry.bytes = bytes;
    entry.slab = slab;
    return bytes;
  }

  #renew(): void {
    const full = this.#open;
    this.#open = new Slab();
    this.#slabs++;
    if (full.live < SPARSE_BYTES) this.#empty(full);
  }

  #empty(slab: Slab): void {
    this.#slabs--;
    const tenants = slab.tenants.splice(0);
    for (const entry of tenants) {
      const { bytes } = entry;
      this.#live -= bytes.length;
      this.#reserve(entry, bytes.length).set(bytes);
    }
  }
}
