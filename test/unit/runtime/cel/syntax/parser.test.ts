/** Mistakes in expressions are found at their places. */
import { describe, expect, it } from 'vitest';
import type { MacroGroup } from '../../../../../runtime/cel/syntax/macros.js';
import { parse } from '../../../../../runtime/cel/syntax/parser.js';
import { describeIssues, locate } from '../../../../../runtime/cel/syntax/source.js';

const macros: ReadonlySet<MacroGroup> = new Set(['standard', 'twoVariables', 'bindings', 'optionals', 'math']);

/** Returns each mistake as `line:column message`. */
function mistakes(text: string, optionalSyntax = true): string[] {
  const parsed = parse(text, { macros, optionalSyntax, escapedNames: false });
  return parsed.ok
    ? []
    : locate(text, parsed.issues).map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('parse', () => {
  it.each([
    ['(1', "1:3 Syntax error: missing ')' at '<EOF>'"],
    ['1)', "1:2 Syntax error: extraneous input ')' expecting <EOF>"],
    ['1 2 3', "1:3 Syntax error: mismatched input '2' expecting <EOF>"],
    ['[1, 2', "1:6 Syntax error: mismatched input '<EOF>' expecting {']', ','}"],
    ['a..b', "1:3 Syntax error: extraneous input '.' expecting IDENTIFIER"],
    ['a.in', "1:3 Syntax error: mismatched input 'in' expecting IDENTIFIER"],
    ['{1}', "1:3 Syntax error: mismatched input '}' expecting ':'"],
    ['99999999999999999999', '1:1 invalid int literal'],
    ['-1u', '1:1 invalid uint literal'],
    ['1e999', '1:1 invalid double literal'],
    [`'\\ud800'`, '1:1 invalid unicode code point'],
    [`b'\\u0041'`, '1:1 unable to unescape string'],
    ['while', '1:1 reserved identifier: while'],
    ['has(a)', '1:4 invalid argument to has() macro'],
    ['a.all(1, true)', '1:7 argument must be a simple name'],
    ['a.map(b.c, true)', '1:8 argument is not an identifier'],
    ['a.all(x, x, true)', '1:10 duplicate variable name: x'],
    ['cel.bind(a.b, 1, 2)', '1:11 cel.bind() variable names must be simple identifiers'],
    ['math.greatest()', '1:1 math.greatest() requires at least one argument'],
    [`math.least('a')`, '1:12 math.least() simple literal arguments must be numeric'],
    ['a.filter(__result__, true)', '1:10 iteration variable overwrites accumulator variable'],
    ['a.`b`', "1:3 unsupported syntax: '`'"],
  ])('refuses %s', (text, mistake) => {
    expect(mistakes(text)).toContain(mistake);
  });

  it('refuses optional syntax if it is switched off', () => {
    expect(mistakes('a.?b', false)).toEqual(["1:3 Syntax error: extraneous input '?' expecting IDENTIFIER"]);
    expect(mistakes('[?a]', false)).toEqual(["1:2 unsupported syntax '?'"]);
    expect(mistakes('a.?b[?0] == {?c: d}')).toEqual([]);
  });

  it('counts columns in code points, and lines', () => {
    expect(mistakes(`'😀' + #`)).toContain("1:7 Syntax error: token recognition error at: '#'");
    expect(mistakes('true &&\n  while')).toEqual(['2:3 reserved identifier: while']);
  });

  it('reports more than one mistake', () => {
    expect(mistakes('while + for')).toEqual(['1:1 reserved identifier: while', '1:9 reserved identifier: for']);
  });

  it('marks the place of a mistake below its line', () => {
    const text = 'true &&\n  self.a ==';
    const parsed = parse(text, { macros, optionalSyntax: false, escapedNames: false });
    const issues = parsed.ok ? [] : locate(text, parsed.issues);
    expect(describeIssues(text, issues).split('\n').slice(1)).toEqual([' |   self.a ==', ' | ...........^']);
  });
});
