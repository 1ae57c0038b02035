/** Printed literals are JavaScript that evaluates to the original value. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_WIDTH, printLiteral, quote, toLiteral } from '../../../../../generator/emit/source/literal.js';

const evaluate = (text: string): unknown => new Function(`return (${text});`)();

describe('printLiteral', () => {
  it('prints code that evaluates to the same JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(evaluate(printLiteral(toLiteral(value)))).toEqual(value);
      }),
    );
  });

  it('keeps bigints, and a key that would set the prototype', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}');
    expect(evaluate(printLiteral(toLiteral(2n ** 63n - 1n)))).toBe(9223372036854775807n);
    const printed = evaluate(printLiteral(toLiteral(value)));
    expect(Object.getPrototypeOf(printed)).toBe(Object.prototype);
    expect(Object.keys(printed as object)).toEqual(['__proto__']);
  });

  it('prints on one line if it fits', () => {
    expect(printLiteral(toLiteral({ a: [1, 'x'], 'b-c': null }))).toBe("{ a: [1, 'x'], 'b-c': null }");
  });

  it('prints short values side by side, and objects with nested members on lines of their own', () => {
    const value = { a: 1, b: 'x'.repeat(100), c: [2, 3], d: { e: 4 }, f: { g: 5 }, h: 6, i: 7 };
    expect(printLiteral(toLiteral(value)).split('\n')).toEqual([
      '{',
      `  a: 1, b: '${'x'.repeat(100)}',`,
      '  c: [2, 3],',
      '  d: { e: 4 },',
      '  f: { g: 5 },',
      '  h: 6, i: 7,',
      '}',
    ]);
  });

  it('prints no line wider than the limit', () => {
    const items = fc.array(fc.string({ maxLength: 40 }), { minLength: 10, maxLength: 40 });
    fc.assert(
      fc.property(items, (list) => {
        const lines = printLiteral(toLiteral({ list, more: { list } })).split('\n');
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(LINE_WIDTH);
      }),
    );
  });

  it('counts the columns before it on the line', () => {
    const value = toLiteral({ text: 'x'.repeat(80) });
    expect(printLiteral(value, 20)).not.toContain('\n');
    expect(printLiteral(value, 40)).toContain('\n');
  });

  it('prints spreads, constants and the short form of `{ a: a }`', () => {
    expect(printLiteral({ spread: 'base', entries: [['a', 1]] })).toBe('{ ...base, a: 1 }');
    expect(printLiteral({ entries: [['schema', { code: 'schema' }]] })).toBe('{ schema }');
    expect(printLiteral({ entries: [['a', { code: 'schema' }]] })).toBe('{ a: schema }');
  });
});

describe('quote', () => {
  it('chooses the quotes that need no escapes', () => {
    expect(quote("it's")).toBe(`"it's"`);
    expect(quote('say "it\'s"')).toBe(`'say "it\\'s"'`);
  });

  it('escapes characters that a source file must not contain', () => {
    expect(quote('\u2028\u0000\ud800\n')).toBe("'\\u2028\\u0000\\ud800\\n'");
  });
});
