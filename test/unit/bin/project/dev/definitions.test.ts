import { expect, it } from 'vitest';
import { codeFrame } from '../../../../../bin/project/dev/definitions.js';

const text = Array.from({ length: 12 }, (_, index) => `line: ${index + 1}`).join('\r\n');

it('shows two lines before, and marks the column', () => {
  expect(codeFrame(text, 10, 7)).toBe(
    ['   8 | line: 8', '   9 | line: 9', '  10 | line: 10', '     |       ^'].join('\n'),
  );
  expect(codeFrame(text, 1, 1)).toBe(['  1 | line: 1', '    | ^'].join('\n'));
});

it('counts characters, treats a tab as a blank, and leaves out control characters', () => {
  expect(codeFrame('a: "😀\u001b[31m" x', 1, 6)).toBe(['  1 | a: "😀[31m" x', '    |       ^'].join('\n'));
  expect(codeFrame('\ta: b', 1, 5)).toBe(['  1 |  a: b', '    |     ^'].join('\n'));
});

it('shows nothing for lines that do not exist', () => {
  expect(codeFrame('a', 3, 1)).toBe('');
  expect(codeFrame('', 1, 1)).toBe('');
});
