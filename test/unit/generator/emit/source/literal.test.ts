/** Printed literals are JavaScript that yields the value they were made from. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_WIDTH, printLiteral, quote, toLiteral } from '../../../../../generator/emit/source/literal.js';

const evaluate = (text: string): unknown => new Function(`return (${text});`)();

describe('printLiteral', () => {
  it('yields any JSON value again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(evaluate(printLiteral(toLiteral(value)))).toEqual(value);
      }),
    );
  });

  it('yields wide integers and a key that would set the prototype', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}');
    expect(evaluate(printLiteral(toLiteral(2n ** 63n - 1n)))).toBe(9223372036854775807n);
    const printed = evaluate(printLiteral(toLiteral(value)));
    expect(Object.getPrototypeOf(printed)).toBe(Object.prototype);
    expect(Object.keys(printed as object)).toEqual(['__proto__']);
  });

  it('keeps to one line what fits, and breaks what does not', () => {
    expect(printLiteral(toLiteral({ a: [1, 'x'], 'b-c': null }))).toBe("{ a: [1, 'x'], 'b-c': null }");
    const long = printLiteral(toLiteral({ list: Array.from({ length: 30 }, (_, index) => `item-${index}`), a: true }));
    expect(long.split('\n').slice(0, 3)).toEqual(['{', '  list: [', "    'item-0',"]);
    expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThanOrEqual(LINE_WIDTH);
  });

  it('counts what stands before it on the line', () => {
    const value = toLiteral({ text: 'x'.repeat(80) });
    expect(printLiteral(value, 20)).not.toContain('\n');
    expect(printLiteral(value, 40)).toContain('\n');
  });

  it('spreads, names and shortens', () => {
    expect(printLiteral({ spread: 'base', entries: [['a', 1]] })).toBe('{ ...base, a: 1 }');
    expect(printLiteral({ entries: [['schema', { code: 'schema' }]] })).toBe('{ schema }');
    expect(printLiteral({ entries: [['a', { code: 'schema' }]] })).toBe('{ a: schema }');
  });
});

describe('quote', () => {
  it('uses the quotes that need no escapes', () => {
    expect(quote("it's")).toBe(`"it's"`);
    expect(quote('say "it\'s"')).toBe(`'say "it\\'s"'`);
  });

  it('escapes what must not stand in a source file', () => {
    expect(quote('\u2028\u0000\ud800\n')).toBe("'\\u2028\\u0000\\ud800\\n'");
  });
});
