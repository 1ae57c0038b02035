/** Lines of generated code that are too long are split, and mean the same. */
import { describe, expect, it } from 'vitest';
import { splitLine } from '../../../../../runtime/schema/emit/split-line.js';

describe('a line of code', () => {
  it.each<[string, string, readonly string[]]>([
    ['that fits stays', 'f(a, b);', ['f(a, b);']],
    [
      'gets a line for each argument',
      '  return f(aaaa, bbbb, cccc);',
      ['  return f(', '    aaaa,', '    bbbb,', '    cccc,', '  );'],
    ],
    [
      'is split at the last call',
      '  f(aaaa) && g(bbbb, cccccc);',
      ['  f(aaaa) && g(', '    bbbb,', '    cccccc,', '  );'],
    ],
    [
      'is split again within an argument',
      'errors.push(invalid(aaaaaaaa, bbbbbbbb));',
      ['errors.push(', '  invalid(', '    aaaaaaaa,', '    bbbbbbbb,', '  ),', ');'],
    ],
    [
      'is split at the parts of a condition',
      'if (aaaaaaa && (b || c) && d) {',
      ['if (', '  aaaaaaa &&', '  (b || c) &&', '  d', ') {'],
    ],
    [
      'is split at || before &&',
      'if (aaaa && bbbb || cccc && d) {',
      ['if (', '  aaaa && bbbb ||', '  cccc && d', ') {'],
    ],
    [
      'is split at the members of an object',
      'const a = { b: cccccc, d: [e] };',
      ['const a = {', '  b: cccccc,', '  d: [e],', '};'],
    ],
    ['is split at the items of a list', 'const a = [bbbbbbb, cccc];', ['const a = [', '  bbbbbbb,', '  cccc,', '];']],
    [
      'is split at the parameters of a function',
      'function f(aaa: A, bbb: B): void {',
      ['function f(', '  aaa: A,', '  bbb: B,', '): void {'],
    ],
  ])('%s', (_what, line, lines) => {
    expect(splitLine(line, 22)).toEqual(lines);
  });

  it.each([
    ['a text', "const a = 'one, two, (three, four';"],
    ['a loop', 'for (let i = 0; i < value.length; i++) {'],
    ['a regular expression', 'f(/a, b/, cccccccccccccccc);'],
    ['parentheses around a value', 'const aaaaaaaaa = (bbbbbbb ?? ccccccc);'],
    ['a member by its key', 'const a = value[aaaaaaaa];'],
    ['a condition of one part', 'if (aaaaaaaaaaaaaaaaaaaaa) {'],
  ])('that is %s stays', (_what, line) => {
    expect(splitLine(line, 22)).toEqual([line]);
  });

  it('keeps texts whole within a call', () => {
    const line = 'f(`(a`, \'b, c\', "d, e", "it\'s");';
    expect(splitLine(line, 22)).toEqual(['f(', '  `(a`,', "  'b, c',", '  "d, e",', `  "it's",`, ');']);
  });
});
