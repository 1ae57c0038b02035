import { expect, test } from 'vitest';
import { decodeText } from '../../../../generator/load/decode-text.js';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

test('reads UTF-8, with or without a byte order mark', () => {
  expect(decodeText(bytes('Größe 😀'))).toEqual({ text: 'Größe 😀' });
  expect(decodeText(bytes([0xef, 0xbb, 0xbf], 'a: 1'))).toEqual({ text: 'a: 1' });
  expect(decodeText(bytes())).toEqual({ text: '' });
});

test('names the first invalid byte', () => {
  const { text, problem } = decodeText(bytes('a: é\nb: ', [0xe9], 'x'));
  expect(problem).toMatchObject({ code: 'KF1002', offset: 8, message: 'the file is not UTF-8: byte 0xe9 at offset 9' });
  expect(text).toBe('a: é\nb: ');
  const marked = decodeText(bytes([0xef, 0xbb, 0xbf], 'a', [0xff]));
  expect(marked.problem).toMatchObject({ offset: 1, message: 'the file is not UTF-8: byte 0xff at offset 4' });
});

test.each([
  ['an overlong form', [0xc0, 0x80]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a character cut off', [0xe2, 0x82]],
  ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
])('%s is not UTF-8', (_, wrong) => {
  expect(decodeText(bytes('ab', wrong)).problem?.code).toBe('KF1002');
});

test('names UTF-16', () => {
  expect(decodeText(bytes([0xff, 0xfe], 'a\0')).problem?.message).toContain('UTF-16');
  expect(decodeText(bytes([0xfe, 0xff], '\0a')).problem?.message).toContain('UTF-16');
});
