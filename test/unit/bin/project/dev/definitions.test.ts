import { expect, it } from 'vitest';
import { codeFrame } from '../../../../../bin/project/dev/definitions.js';

const text = Array.from({ length: 12 }, (_, index) => `line: ${index + 1}`).join('\r\n');

it('shows two lines before, and marks the column', () => {
  expect(codeFrame(text, 10, 7)).toBe(
    ['   8 | line: 8', '   9 | line: 9', '  10 | line: 10', '     |       ^'].join('\n'),
  );
  expect(codeFrame(text, 1, 1)).toBe(['  1 | line: 1', '    | ^'].join('\n'));
});

it('counts characters, takes a tab for a blank, and leaves out what controls terminals', () => {
  expect(codeFrame('a: "😀\u001b[31m" x', 1, 6)).toBe(['  1 | a: "😀[31m" x', '    |       ^'].join('\n'));
  expect(codeFrame('\ta: b', 1, 5)).toBe(['  1 |  a: b', '    |     ^'].join('\n'));
});

it('shows nothing of lines that are not there', () => {
  expect(codeFrame('a', 3, 1)).toBe('');
  expect(codeFrame('', 1, 1)).toBe('');
});
