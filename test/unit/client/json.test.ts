import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../../client/json.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Returns the value of a JSON text with this integer. */
const asRead = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

const { values } = fc.letrec((tie) => ({
  values: fc.oneof(
    { maxDepth: 4 },
    int64.map(asRead),
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('values')),
    fc.dictionary(fc.string(), tie('values'), { noNullPrototype: true }),
  ),
}));

describe('parseJson', () => {
  it('reads the same as JSON.parse, also beside a wide integer', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n\t'), (text, space) => {
        // JSON.parse reads the wide integers among the numbers differently.
        fc.pre(!/[[,:]-?\d{16,}[\],}]/.test(`[${text}]`));
        const read = parseJson(`[${space}${text}${space},${space}9223372036854775807]`);
        expect(read).toEqual([JSON.parse(text), 9223372036854775807n]);
      }),
    );
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807', 9223372036854775807n],
    ['12345678901234567.5', Number('12345678901234567.5')],
    ['1234567890123456e3', 1234567890123456e3],
    ['"1234567890123456789"', '1234567890123456789'],
    ['":1234567890123456789"', ':1234567890123456789'],
    ['"\\\\\\":12345678901234567890"', '\\":12345678901234567890'],
  ])('reads %s exactly', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`{"a":${text}}`)).toEqual({ a: value });
    expect(parseJson(`[${text},98765432109876543210]`)).toEqual([value, 98765432109876543210n]);
  });

  it('keeps the last of repeated keys, and __proto__ a key', () => {
    expect(parseJson('{"a":12345678901234567890,"a":1}')).toEqual({ a: 1 });
    const read = parseJson<object>('{"__proto__":{"wide":12345678901234567890}}');
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it.each(['', '{"a":12345678901234567890', '[12345678901234567890]]', '{a:12345678901234567890}'])(
    'refuses %s',
    (text) => expect(() => parseJson(text)).toThrow(SyntaxError),
  );
});

describe('stringifyJson', () => {
  it('writes a text that parseJson reads back', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(parseJson(stringifyJson({ value }))).toEqual({ value });
      }),
    );
  });

  it('writes like JSON.stringify, also beside a wide integer', () => {
    const plain = {
      time: new Date(0),
      left: undefined,
      method: () => 0,
      list: [undefined, Number.NaN, 'ü"\n'],
      own: { toJSON: (key: string) => `of ${key}` },
    };
    const text = JSON.stringify(plain);
    expect(stringifyJson(plain)).toBe(text);
    expect(stringifyJson({ ...plain, wide: 2n ** 60n })).toBe(`${text.slice(0, -1)},"wide":1152921504606846976}`);
    expect(stringifyJson(undefined)).toBe('null');
  });

  it('writes values that are nested too deeply for the stack, and reads them back', () => {
    const text = `${'{"a":['.repeat(5000)}9007199254740993${']}'.repeat(5000)}`;
    expect(stringifyJson(parseJson(text)) === text).toBe(true);
    const plain = `${'{"a":['.repeat(5000)}${']}'.repeat(5000)}`;
    expect(stringifyJson(parseJson(plain)) === plain).toBe(true);
  });

  it('refuses an object that contains itself', () => {
    const circle: { wide: bigint; self?: unknown } = { wide: 2n ** 60n };
    circle.self = circle;
    expect(() => stringifyJson(circle)).toThrow(TypeError);
  });
});
