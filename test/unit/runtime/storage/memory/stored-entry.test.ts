import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlabPool, StoredEntry } from '../../../../../runtime/storage/memory/stored-entry.js';

function hold(pool: SlabPool, text: string): StoredEntry {
  const entry = new StoredEntry('g/things/a', 1, { labels: {}, fields: {} });
  pool.holdText(entry, [text]);
  return entry;
}

function textOf(entry: StoredEntry): string {
  return Buffer.from(entry.bytes).toString();
}

describe('slabs', () => {
  it('contain text in UTF-8, and copies of bytes', () => {
    const pool = new SlabPool();
    const entry = hold(pool, 'q"ü𝄞');
    expect(textOf(entry)).toBe('q"ü𝄞');
    const source = Buffer.from('bytes');
    const copy = new StoredEntry('g/things/b', 2, { labels: {}, fields: {} });
    pool.holdCopy(copy, source);
    source.fill('x');
    expect(textOf(copy)).toBe('bytes');
    expect(pool.liveBytes).toBe(Buffer.byteLength('q"ü𝄞') + 5);
  });

  it('never change bytes that a reader still holds', () => {
    const pool = new SlabPool();
    const entries = Array.from({ length: 2000 }, (_, index) => hold(pool, `${index}:`.padEnd(1000, 'x')));
    const kept = entries.map((entry) => entry.bytes);
    for (const [index, entry] of entries.entries()) if (index % 10 !== 0) pool.release(entry);
    for (let index = 0; index < 2000; index++) hold(pool, 'y'.repeat(1000));
    for (const [index, bytes] of kept.entries()) {
      expect(Buffer.from(bytes).toString()).toBe(`${index}:`.padEnd(1000, 'x'));
    }
  });

  it('waste little, whatever is added and removed', () => {
    const size = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 9000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 40_000 }) },
    );
    const rounds = fc.array(fc.record({ sizes: fc.array(size, { maxLength: 300, size: 'max' }), keep: fc.nat(9) }), {
      maxLength: 12,
      size: 'max',
    });
    fc.assert(
      fc.property(rounds, (sequence) => {
        const pool = new SlabPool();
        let held: { readonly entry: StoredEntry; readonly text: string }[] = [];
        for (const { sizes, keep } of sequence) {
          for (const [index, length] of sizes.entries()) {
            const text = `${index} `.repeat(length / 2).slice(0, length);
            held.push({ entry: hold(pool, text), text });
          }
          const gone = held.filter((_, index) => index % 10 > keep);
          held = held.filter((_, index) => index % 10 <= keep);
          for (const { entry } of gone) pool.release(entry);
          for (const { entry, text } of held) expect(textOf(entry)).toBe(text);
          const live = held.reduce((sum, { text }) => sum + text.length, 0);
          expect(pool.liveBytes).toBe(live);
          // An eighth may be waste, besides the open slab and one more.
          expect(pool.allocatedBytes).toBeLessThanOrEqual((live + 2 * 256 * 1024) / 0.875 + 256 * 1024);
        }
      }),
      { numRuns: 20 },
    );
  });
});
