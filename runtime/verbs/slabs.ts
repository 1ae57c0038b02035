/** Gathers many small pieces of bytes in few large ones, so that the socket gets large writes. */

/** Size of a slab in bytes. Larger ones gain nothing, smaller ones cost a system call each. */
const slabSize = 256 * 1024;

/** A growing sequence of bytes. */
export class Slabs {
  readonly #chunks: Uint8Array[] = [];
  #slab = Buffer.allocUnsafeSlow(slabSize);
  #used = 0;

  /** Appends a copy of a piece; a piece larger than a slab is taken as it is. */
  add(piece: Uint8Array): void {
    if (piece.length > slabSize - this.#used) {
      this.#close();
      if (piece.length > slabSize) {
        this.#chunks.push(piece);
        return;
      }
    }
    this.#slab.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** Everything added so far, in order. The slabs must not be used after this. */
  chunks(): readonly Uint8Array[] {
    if (this.#used > 0) this.#chunks.push(this.#slab.subarray(0, this.#used));
    this.#used = 0;
    return this.#chunks;
  }

  #close(): void {
    if (this.#used === 0) return;
    this.#chunks.push(this.#slab.subarray(0, this.#used));
    this.#slab = Buffer.allocUnsafeSlow(slabSize);
    this.#used = 0;
  }
}
