/** Tests the framing of chunks. */
import { expect, test } from 'vitest';
import { chunkOf, lastChunk } from '../../../../runtime/http/chunk.js';

test('a chunk is its length in hexadecimal, and the bytes of its parts', () => {
  expect(chunkOf([Buffer.from('a frame of 29 bytes in all, é')]).toString()).toBe(
    '1e\r\na frame of 29 bytes in all, é\r\n',
  );
  expect(chunkOf([Buffer.from('one'), Buffer.from('and two')]).toString()).toBe('a\r\noneand two\r\n');
  expect(lastChunk.toString()).toBe('0\r\n\r\n');
});

test('the same parts are framed once', () => {
  const [one, two] = [Buffer.from('one'), Buffer.from('two')];
  const first = chunkOf([one, two]);
  expect(chunkOf([one, two])).toBe(first);
  expect(chunkOf([one]).toString()).toBe('3\r\none\r\n');
  expect(chunkOf([two]).toString()).toBe('3\r\ntwo\r\n');
  expect(chunkOf([two, one]).toString()).toBe('6\r\ntwoone\r\n');
  expect(chunkOf([one, two])).toEqual(first);
});
