import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson, fieldOffsets, jsonTypeOf } from '../../../../runtime/codec/json.js';
import { findJsonProblem } from '../../../../runtime/codec/json-errors.js';
import { parseExact } from '../../../../runtime/codec/json-exact.js';
import {
  excerpt,
  mismatched,
  notAnObject,
  strictRemarks,
  syntaxProblem,
  unknownFieldRemark,
  unreadable,
  unrecognized,
} from '../../../../runtime/codec/undecodable.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { recordings, recordingsAbsent, tableRows, tablesAbsent } from '../objects/shared-data.js';

function value(text: string): JsonValue {
  const decoded = decodeJson(text);
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}

function problem(text: string | Uint8Array): string | undefined {
  const decoded = decodeJson(text);
  return decoded.ok ? undefined : decoded.problem;
}

function duplicates(text: string): readonly string[] {
  const decoded = decodeJson(text);
  return decoded.ok ? decoded.duplicates : [];
}

describe('decodeJson', () => {
  it('reads bytes and text alike', () => {
    const text = '{"a":[1,"\u00e9\u{1f642}",null,true,{"b":{}}]}';
    const padded = Buffer.from(`xx${text}`);
    expect(decodeJson(padded.subarray(2))).toEqual(decodeJson(text));
    expect(value(text)).toEqual({ a: [1, '\u00e9\u{1f642}', null, true, { b: {} }] });
  });

  it('agrees with JSON.parse on every value that JSON.parse can represent', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), undefined, space);
        // JSON.parse cannot represent integers beyond 2^53.
        fc.pre(!/\d{16}/.test(text));
        expect(equal(value(text), JSON.parse(text))).toBe(true);
        expect(duplicates(text)).toEqual([]);
        expect(equal(parseExact(text).value, JSON.parse(text))).toBe(true);
      }),
    );
  });

  it.each<[string, readonly string[]]>([
    ['{"a":1,"a":2}', ['a']],
    ['{"spec":{"list":[{"x":1},{"y":1,"y":2,"y":3}]}}', ['spec.list[1].y']],
    ['{"a":{"b":1,"b":2},"a":{"c":1,"c":2}}', ['a.b', 'a', 'a.c']],
    ['{"a":"\\"a\\":1,","b":":"}', []],
    ['{"":1,"":2}', ['']],
    ['{"\\u0061":1,"a":2}', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"constructor":1}', []],
    ['[[{"a":1}],[{"a":1,"a":1}]]', ['[1][0].a']],
  ])('finds the repeated keys of %s', (text, expected) => {
    expect(duplicates(text)).toEqual(expected);
  });

  it.each([
    ['a colon apart from its key', '{"a" : 1, "b": 2, "a": 3}', 'a'],
    ['colons and quotes within texts', '{"a":":\\":","b":"\\\\","a":"::"}', 'a'],
    ['keys that are long', `{"${'k'.repeat(40)}":1,"b":"${'x'.repeat(80)}","${'k'.repeat(40)}":2}`, 'k'.repeat(40)],
    [
      'keys of 31 and 32 characters',
      `{"${'k'.repeat(31)}":1,"${'k'.repeat(32)}":1,"${'k'.repeat(32)}":2}`,
      'k'.repeat(32),
    ],
  ])('finds repeated keys among %s', (_, text, duplicate) => {
    expect(decodeJson(text)).toMatchObject({ duplicates: [duplicate] });
  });

  it('finds any key that is written twice', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const text = `{${keys.map((one, index) => `"${one}":${index}`).join(',')}}`;
        expect(duplicates(text)).toEqual([...new Set(keys.filter((one, index) => keys.indexOf(one) < index))]);
      }),
    );
  });

  it('takes the last of repeated keys, or merges them on request', () => {
    const text = '{"a":{"x":1,"l":[1]},"b":0,"a":{"y":{"z":2},"l":[2]}}';
    expect(value(text)).toEqual({ a: { y: { z: 2 }, l: [2] }, b: 0 });
    expect(decodeJson(text, { repeated: 'merge' })).toMatchObject({
      value: { a: { x: 1, y: { z: 2 }, l: [2] }, b: 0 },
    });
    expect(decodeJson('{"a":{"x":1},"a":null}', { repeated: 'merge' })).toMatchObject({ value: { a: null } });
  });

  it('reports at most 100 repeated keys', () => {
    const text = `{${Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',')}}`;
    expect(duplicates(text)).toHaveLength(100);
  });

  it('keeps a key called __proto__ as a key', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":12345678901234567890}}']) {
      const object = value(text);
      expect(Object.keys(Object(object))).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    }
  });

  it.each<[string, JsonValue]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 2 ** 63],
    ['-9223372036854775809', -(2 ** 63)],
    ['1000000000000000000000000000000', 1e30],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['0.1234567890123456789', 0.12345678901234568],
  ])('reads the number %s', (text, expected) => {
    expect(value(text)).toBe(expected);
    expect(value(`[ {"a" : ${text} } ]`)).toEqual([{ a: expected }]);
  });

  it('keeps every 64-bit integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (wide) => {
        expect(String(value(String(wide)))).toBe(String(wide));
        expect(encodeJson([value(String(wide))])).toBe(`[${wide}]`);
      }),
    );
  });

  it('reports numbers that are not written in their printed form', () => {
    const decoded = decodeJson('{"a":2.0,"b":[1e2,1.5,3,9007199254740993],"c":"2.0","d":1e-3}');
    expect(decoded.ok && decoded.decimals).toEqual([
      { path: 'a', text: '2.0' },
      { path: 'b[0]', text: '1e2' },
      { path: 'd', text: '1e-3' },
    ]);
  });

  it('refuses numbers that no type can represent', () => {
    expect(problem('{"a":1e400}')).toBe('json: cannot unmarshal number 1e400 into Go value of type float64');
    expect(decodeJson('[1e400]')).toMatchObject({ ok: false, offset: 1 });
  });

  it('replaces halves of surrogate pairs and keeps whole ones', () => {
    expect(value('"\\ud83d"')).toBe('\ufffd');
    expect(value('{"a":"x\\ude42y"}')).toEqual({ a: 'x\ufffdy' });
    expect(value('"\\ud83d\\ude42"')).toBe('\u{1f642}');
    expect(value('"\\\\ud83d"')).toBe('\\ud83d');
  });

  it.each([
    ['a byte that begins no sequence', [0x61, 0xff, 0x62], 'a\ufffdb'],
    ['a byte that continues none', [0x80], '\ufffd'],
    ['a sequence that another character cuts', [0xe2, 0x82, 0x61], '\ufffd\ufffda'],
    ['a sequence that the end of the text cuts', [0xf0, 0x9f, 0x99], '\ufffd\ufffd\ufffd'],
    ['half of a surrogate pair', [0xed, 0xa0, 0xbd], '\ufffd\ufffd\ufffd'],
    ['a sequence that is too long', [0xc0, 0xaf], '\ufffd\ufffd'],
    ['whole sequences beside it', [0xc3, 0xa9, 0xff, 0xef, 0xbf, 0xbd], 'é\ufffd\ufffd'],
  ])('replaces each byte of %s by U+FFFD', (_, bytes, text) => {
    expect(decodeJson(Buffer.from([0x22, ...bytes, 0x22]))).toMatchObject({ ok: true, value: text });
    expect(decodeJson(Buffer.from([...bytes]))).toMatchObject({ ok: false });
  });

  it('limits the depth', () => {
    const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(problem(nested(10_000))).toBeUndefined();
    expect(decodeJson(nested(10_002))).toMatchObject({
      ok: false,
      problem: "invalid character '[' exceeded max depth",
      offset: 30_000,
    });
    expect(decodeJson(nested(4), { maxDepth: 3 })).toMatchObject({ ok: false, offset: 7 });
    expect(decodeJson('[[],{},"]}\\"",[[]]]', { maxDepth: 2 })).toMatchObject({ ok: false, offset: 15 });
    expect(problem(nested(2_000_000))).toContain('exceeded max depth');
    expect(problem('[{"a":"[[[["}]')).toBeUndefined();
  });

  it.each([998, 1000, 1002, 9998])('loses and hides nothing %d levels down', (depth) => {
    const nested = (inner: string): string => `${'{"a":['.repeat(depth / 2 - 1)}${inner}${']}'.repeat(depth / 2 - 1)}`;
    const repeated = decodeJson(nested('{"b":1,"b":9007199254740993,"c":1.0}'));
    if (!repeated.ok) throw new Error(repeated.problem);
    expect([repeated.duplicates.length, repeated.decimals.length]).toEqual([1, 1]);
    expect(repeated.duplicates[0]?.endsWith('.b')).toBe(true);
    expect(encodeJson(repeated.value)).toBe(nested('{"b":9007199254740993,"c":1}'));
    expect(decodeJson(nested('1e999')).ok).toBe(false);
    expect(decodeJson(nested('[1')).ok).toBe(false);
    expect(encodeJson(JSON.parse(nested('{"d":2}')))).toBe(nested('{"d":2}'));
  });

  it('merges repeated keys of a deep body at every level', () => {
    const chain = (key: string): string => `${'{"a":'.repeat(9000)}{"${key}":1}${'}'.repeat(9000)}`;
    const decoded = decodeJson(`{"x":${chain('b')},"x":${chain('c')}}`, { repeated: 'merge' });
    if (!decoded.ok) throw new Error(decoded.problem);
    expect(encodeJson(decoded.value)).toBe(`{"x":${chain('b').replace('"b":1', '"b":1,"c":1')}}`);
  });

  it.each([0, 30, 31, 32, 33, 34, 100, 5000])('finds keys after a string of %d characters', (length) => {
    const plain = 'x'.repeat(length);
    for (const text of [plain, `${plain}é`, `${plain}\\"`, `${plain}\\\\`]) {
      expect(duplicates(`{"${text}":"${text}","b":{"c":1,"c":2}}`)).toEqual(['b.c']);
      expect(value(`{"a":"${text}","b":9007199254740993}`)).toMatchObject({ b: 9007199254740993n });
      expect(value(`["${text}",{"${text}k":"}"}]`)).toEqual(JSON.parse(`["${text}",{"${text}k":"}"}]`));
    }
  });
});

describe('findJsonProblem', () => {
  it.each([
    ['', 'unexpected end of JSON input', 0],
    [' ', 'unexpected end of JSON input', 1],
    ['{', 'unexpected end of JSON input', 1],
    ['{"a":"b', 'unexpected end of JSON input', 7],
    ['tru', 'unexpected end of JSON input', 3],
    ['not', "invalid character 'o' in literal null (expecting 'u')", 1],
    ['{"a" 1}', "invalid character '1' after object key", 5],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair", 7],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 7],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string", 1],
    ['[1,]', "invalid character ']' looking for beginning of value", 3],
    ['[1 2]', "invalid character '2' after array element", 3],
    ['{} x', "invalid character 'x' after top-level value", 3],
    ['"\\q"', "invalid character 'q' in string escape code", 2],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape", 5],
    ['"a\tb"', "invalid character '\\t' in string literal", 2],
    ['+2', "invalid character '+' looking for beginning of value", 0],
    ['-x', "invalid character 'x' in numeric literal", 1],
    ['1.x', "invalid character 'x' after decimal point in numeric literal", 2],
    ['1ex', "invalid character 'x' in exponent of numeric literal", 2],
    ['02', "invalid character '2' after top-level value", 1],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value", 0],
  ])('reports the mistake in %j', (text, message, offset) => {
    expect(findJsonProblem(text)).toEqual({ message, offset });
    expect(problem(text)).toBe(message);
  });

  it('finds a problem exactly if JSON.parse does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0123e.-+ntrl \n') }), (text) => {
        const parses = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        expect(findJsonProblem(text) === undefined).toBe(parses);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('encodeJson', () => {
  it('reads back what it has written, including wide integers', () => {
    const object = { b: 9223372036854775807n, a: ['x', null, { c: undefined, d: true }], e: {}, f: [] };
    expect(encodeJson(object)).toBe('{"b":9223372036854775807,"a":["x",null,{"d":true}],"e":{},"f":[]}');
    expect(encodeJson(object, true)).toBe(
      '{\n  "b": 9223372036854775807,\n  "a": [\n    "x",\n    null,\n    {\n      "d": true\n    }\n  ],\n  "e": {},\n  "f": []\n}',
    );
  });

  it('indents the same with and without wide integers', () => {
    const object = { a: [1, { b: 'x' }], c: {} };
    const exact = encodeJson({ ...object, z: 2n ** 60n }, true);
    expect(exact.replace(/,\n {2}"z": \d+/, '')).toBe(encodeJson(object, true));
  });
});

describe('fieldOffsets', () => {
  const text = '{"b":{"x":1},"a":[{"y":2},{"y":3}],"10":0,"c.d[0]":{"e":1},"b":{"x":2}}';

  it('finds fields at their offsets, repeated ones at the last one', () => {
    const paths = ['a[0].y', '10', 'b.x', 'c.d[0].e', 'c.d[0]', 'a'];
    expect(Object.fromEntries(fieldOffsets(text, paths))).toEqual({
      'a[0].y': text.indexOf('"y"'),
      '10': text.indexOf('"10"'),
      'b.x': text.lastIndexOf('"x"'),
      'c.d[0].e': text.indexOf('"e"'),
      'c.d[0]': text.indexOf('"c.d'),
      a: text.indexOf('"a"'),
    });
  });

  it('finds nothing else', () => {
    expect([...fieldOffsets(text, [])]).toEqual([]);
    expect([...fieldOffsets(text, ['b.y', 'a[2].y', 'a.y', 'd'])]).toEqual([]);
  });

  it('does not keep the paths of skipped values', () => {
    const wide = Array.from({ length: 100_000 }, (_, at) => `"k${at}":${at}`).join(',');
    const deep = `{"first":${'{"a":'.repeat(9000)}{${wide}}${'}'.repeat(9000)},"last":1}`;
    // The paths of the keys at the end would have two billion characters.
    expect([...fieldOffsets(deep, ['last', 'first'])]).toEqual([
      ['first', 1],
      ['last', deep.lastIndexOf('"last"')],
    ]);
  });
});

describe('undecodable bodies', () => {
  it('list repeated fields before unknown ones', () => {
    const decoded = decodeJson('{"a":1,"a":2}');
    if (!decoded.ok) throw new Error(decoded.problem);
    expect(strictRemarks(decoded, ['unknown field "b"'])).toEqual(['duplicate field "a"', 'unknown field "b"']);
    const plain = decodeJson('{}');
    expect(plain.ok && strictRemarks(plain, [])).toEqual([]);
  });

  it('name the format that was read', () => {
    const body = Buffer.from('{');
    const decoded = decodeJson(body);
    expect(decoded.ok ? '' : unreadable('Kind', decoded, body).message).toBe(
      "the object provided is unrecognized (must be of type Kind): couldn't get version/kind; json parse error: unexpected end of JSON input ({)",
    );
  });

  it('are shown by their first 30 bytes', () => {
    expect(excerpt(Buffer.from(''))).toBe('<empty>');
    expect(excerpt(Buffer.from('{'.padEnd(31, 'x')))).toBe(`{${'x'.repeat(29)} ...`);
    expect(excerpt(Buffer.from('[]'))).toBe('5b5d');
  });

  it('differ by the kind of mistake', () => {
    expect(unrecognized('Kind', 'p', Buffer.from('{')).message).toBe(
      'the object provided is unrecognized (must be of type Kind): p ({)',
    );
    expect(mismatched({ kind: 'A', version: 'v1' }, 'B', 'p').message).toBe(
      'A in version "v1" cannot be handled as a B: p',
    );
    expect(unknownFieldRemark('a"b')).toBe('unknown field "a\\"b"');
    expect([null, [], {}, '', 1n, 1, true].map(jsonTypeOf)).toEqual([
      'null',
      'array',
      'object',
      'string',
      'number',
      'number',
      'bool',
    ]);
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it('TestEvaluateTypes', () => {
    const rows = tableRows('apimachinery_pkg_util_json', 'TestEvaluateTypes');
    for (const row of rows) {
      const { In, Out, Err } = Object(row.case);
      const decoded = decodeJson(String(In));
      expect([In, decoded.ok]).toEqual([In, !Err]);
      // A negative zero becomes a plain one here; APIs treat both the same.
      if (decoded.ok) expect([In, encodeJson(decoded.value)]).toEqual([In, Out === '-0' ? '0' : Out]);
    }
    expect(rows.length).toBeGreaterThan(30);
  });
});

describe.skipIf(recordingsAbsent)('recorded bodies', () => {
  it('are refused in the recorded words', () => {
    let compared = 0;
    for (const { request, body } of recordings()) {
      const { rawBody, headers = {} } = request;
      const message = String(Object(body).message);
      const match = /^the object provided is unrecognized \(must be of type (\w+)\): couldn't get version\/kind/.exec(
        message,
      );
      if (rawBody === undefined || match === null || headers['content-type']?.includes('yaml')) continue;
      const bytes = Buffer.from(rawBody);
      const decoded = decodeJson(bytes);
      const words = decoded.ok ? notAnObject(decoded.value) : syntaxProblem(decoded.problem);
      expect(unrecognized(match[1] ?? '', words, bytes).message).toBe(message);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });
});
