/** One allocation for the bytes of many entries. */

/** A value whose bytes lie in a slab. */
export interface SlabTenant {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Undefined until it is placed. */
  readonly slab: Slab | undefined;
  /** Tells it where its bytes are; they are the same wherever it is placed. */
  place(slab: Slab, start: number, size: number): void;
}

/** One allocation that values share, or that a large one has to itself. */
export class Slab {
  readonly memory: Buffer;
  /** Bytes given out so far; they are never given out twice. */
  used = 0;
  /** Bytes of the values that are still held. */
  live = 0;
  /** Whether it takes in no more. */
  closed = false;
  readonly tenants: SlabTenant[] = [];

  constructor(bytes: number) {
    this.memory = Buffer.allocUnsafeSlow(bytes);
  }
}
