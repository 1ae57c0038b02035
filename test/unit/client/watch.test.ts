import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../client/watch.js';

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

const collect = async (lines: AsyncIterable<readonly string[]>): Promise<string[]> => {
  const all: string[] = [];
  for await (const some of lines) all.push(...some);
  return all;
};

describe('readLines', () => {
  it('returns the same lines however the bytes are cut', async () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ')),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(7)), async (texts, sizes) => {
        const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(''));
        expect(await collect(readLines(chunksOf(bytes, sizes)))).toEqual(texts.map((text) => text.toWellFormed()));
      }),
    );
  });

  it('returns a last line without an end', async () => {
    const bytes = new TextEncoder().encode('a\nb');
    expect(await collect(readLines(chunksOf(bytes, [])))).toEqual(['a', 'b']);
  });
});
