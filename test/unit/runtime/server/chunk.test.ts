/** Tests the framing of chunks. */
import { expect, test } from 'vitest';
import { chunkOf, lastChunk } from '../../../../runtime/server/chunk.js';

test('a chunk is its length in hexadecimal, and the bytes', () => {
  expect(chunkOf(Buffer.from('a frame of 29 bytes in all, é')).toString()).toBe(
    '1e\r\na frame of 29 bytes in all, é\r\n',
  );
  expect(lastChunk.toString()).toBe('0\r\n\r\n');
});

test('the same bytes are framed once', () => {
  const bytes = Buffer.from('one');
  expect(chunkOf(bytes)).toBe(chunkOf(bytes));
  const first = chunkOf(bytes);
  expect(chunkOf(Buffer.from('two')).toString()).toBe('3\r\ntwo\r\n');
  expect(chunkOf(bytes)).toEqual(first);
});
