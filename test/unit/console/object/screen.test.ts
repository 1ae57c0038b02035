import { describe, expect, test } from 'vitest';
import { Screen, type ScreenLimits } from '../../../../packages/console/src/object/screen.js';

/** Returns the lines after some texts. */
function linesOf(texts: readonly string[], limits: Partial<ScreenLimits> = {}): readonly string[] {
  const screen = new Screen(limits);
  for (const text of texts) screen.write(text);
  return screen.lines;
}

describe('Screen', () => {
  test.each([
    ['lines; the last one may go on', 'one\ntwo\n\nthr', ['one', 'two', '', 'thr']],
    ['line ends of terminals', 'one\r\ntwo\r\n', ['one', 'two']],
    ['a progress bar', '10 %\r20 %\r100 %\ndone', ['100 %', 'done']],
    ['what was taken back', 'lx\bs\n', ['ls']],
    ['a bell and zeros', 'a\u0007\u0000\u007fb', ['ab']],
    ['tabs', '\ta\tb', ['\ta\tb']],
    ['colours', '\u001b[1;31mred\u001b[0m plain', ['red plain']],
    ['the title of a window', '\u001b]0;root@pod\u0007$ \u001b]2;x\u001b\\ls', ['$ ls']],
    ['a question for the position', '/ # \u001b[6nls', ['/ # ls']],
    ['a cleared end of a line', 'abcdef\r\u001b[2C\u001b[K', ['ab']],
    ['a cleared line', 'abc\u001b[2K\rd', ['d']],
    ['a cleared screen', 'old\nolder\u001b[H\u001b[2Jnew', ['new']],
    ['deleted characters', 'abcdef\u001b[4D\u001b[2P', ['abef']],
    ['a column', 'abc\u001b[2Gx', ['axc']],
    ['a step past the end', 'a\u001b[3Cb', ['a   b']],
    ['other sequences', '\u001b(Ba\u001b=b', ['ab']],
  ])('shows %s', (_, text, lines) => {
    expect(linesOf([text])).toEqual(lines);
    expect(linesOf([...text])).toEqual(lines);
  });

  test('drops a sequence that does not end, and continues', () => {
    expect(linesOf([`a\u001b]0;${'x'.repeat(1_000)}`, '\nb'])).toEqual(['a', 'b']);
  });

  test('keeps a limited number of lines and characters, and reports that it dropped some', () => {
    const screen = new Screen({ lines: 3 });
    screen.write('1\n2\n3\n');
    expect([screen.lines, screen.isCut]).toEqual([['1', '2', '3'], false]);
    screen.write('4\n5');
    expect([screen.lines, screen.isCut]).toEqual([['2', '3', '4', '5'], true]);
    expect(linesOf(['aaaa\nbbbb\ncccc\n', 'dddd\n'], { characters: 9 })).toEqual(['cccc', 'dddd']);
  });

  test('breaks a line without an end, so that it cannot grow forever', () => {
    expect(linesOf(['a'.repeat(25)], { width: 10 })).toEqual(['a'.repeat(10), 'a'.repeat(10), 'a'.repeat(5)]);
    expect(linesOf(['\u001b[999999999Cx'], { width: 10 })).toEqual(['', 'x']);
  });
});
