/** Memory for the segments of journals in tests. It outlives the journals. */
import type { RecordName, Segment, SegmentStore } from '../../runtime/storage/backends/segment.js';

export class MemorySegments implements SegmentStore {
  readonly name = 'memory segments';
  readonly durability = 'process';
  readonly segments = new Map<number, Buffer>();
  /** Bytes of all segments that were ever stored. */
  written = 0;
  /** Metadata of segments that do not exist. */
  readonly remembered = new Map<number, readonly RecordName[]>();
  /** Makes writes fail without any change. */
  failing = false;
  /** Makes the next write do only so many of its removals, like a crash of a store without transactions. */
  removalsUntilCrash = Number.POSITIVE_INFINITY;

  async open(): Promise<readonly number[]> {
    return [...this.segments.keys()].sort((a, b) => a - b);
  }

  async read(id: number): Promise<Uint8Array | undefined> {
    return this.segments.get(id);
  }

  recall(id: number): readonly RecordName[] {
    return this.remembered.get(id) ?? [];
  }

  async write(put: readonly Segment[], remove: readonly number[]): Promise<void> {
    if (this.failing) throw new Error('the write failed');
    for (const { id, bytes } of put) {
      this.segments.set(id, Buffer.from(bytes));
      this.written += bytes.length;
    }
    for (const id of remove.slice(0, this.removalsUntilCrash)) this.segments.delete(id);
    this.removalsUntilCrash = Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {}

  get bytes(): number {
    return [...this.segments.values()].reduce((sum, { length }) => sum + length, 0);
  }
}
