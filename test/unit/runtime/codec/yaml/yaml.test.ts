import fc from 'fast-check';
import { CORE_SCHEMA, defineScalarTag, intCoreTag, load, NOT_RESOLVED } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { strictRemarks, unreadable } from '../../../../../runtime/codec/undecodable.js';
import { encodeYaml } from '../../../../../runtime/codec/yaml/encode.js';
import { compareKeys } from '../../../../../runtime/codec/yaml/styles.js';
import { decodeYaml } from '../../../../../runtime/codec/yaml/yaml.js';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { equal } from '../../../../../runtime/objects/equality.js';
import { recordings, recordingsAbsent } from '../../objects/shared-data.js';

function value(text: string): JsonValue {
  const decoded = decodeYaml(text);
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}

function problem(text: string | Uint8Array): string | undefined {
  const decoded = decodeYaml(text);
  return decoded.ok ? undefined : decoded.problem;
}

const keysOfFloats = { '1000': 'a', '1e+06': 'b', '1e-05': 'c', '0.1': 'd', '1.6777218e+07': 'e', '-0': 'f' };

describe('decodeYaml', () => {
  it.each<[string, JsonValue]>([
    ['', null],
    ['# only a comment\n', null],
    ['a: b', { a: 'b' }],
    ['- a\n- {b: [c, "d"]}', ['a', { b: ['c', 'd'] }]],
    ['{"a": {"b": null}}', { a: { b: null } }],
    ['---\na: 1\n---\nb: ]', { a: 1 }],
    ['b: 1\na: 2', { b: 1, a: 2 }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y', { a: 'x\ny\n', b: 'x y' }],
    ['config: \'{\n  x\n}\'\nb: "c\nd"', { config: '{ x }', b: 'c d' }],
    ['base: &b {x: 1}\ncopy: *b', { base: { x: 1 }, copy: { x: 1 } }],
    ['y: 1\nn: 2', { true: 1, false: 2 }],
    ['a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    ['m: {<<: {a: b}, c: d}', { m: { a: 'b', c: 'd' } }],
    ['m: {<<: [{a: 1}, {a: 2, b: 2}]}', { m: { a: 1, b: 2 } }],
    ['"<<": a', { '<<': 'a' }],
    ['1: a\ntrue: b\n1.5: c', { '1': 'a', true: 'b', '1.5': 'c' }],
    ['a: !!binary aGVsbG8=', { a: 'hello' }],
    ['a: !!str 5\nb: !!int "5"\nc: !!float 5\nd: !own x', { a: '5', b: 5, c: 5, d: 'x' }],
    ['\ufeffa: b', { a: 'b' }],
    ['a:\r\n  b: c\r\n', { a: { b: 'c' } }],
    ['[fd00::, 1.2.3.4, fd01::]', ['fd00::', '1.2.3.4', 'fd01::']],
    ['{a: b:, c: [it\'s:], "[d:]": {e:}}', { a: 'b:', c: ["it's:"], '[d:]': { 'e:': null } }],
    ['["a":, b: c]', [{ a: null }, { b: 'c' }]],
    ['a: [\nb,\n{c:\nd\n}, # e\n"f\ng"\n]', { a: ['b', { c: 'd' }, 'f g'] }],
    ['a: \t{b: \tc}', { a: { b: 'c' } }],
    ['a: |\n  b', { a: 'b' }],
    ['|2\n   a\n', ' a\n'],
    ['[a] b', ['a']],
    ['  a: b\nc: d', { a: 'b' }],
    ['a: &x 1\nb: &z [*x]\nc: &x 2\nd: *z', { a: 1, b: [1], c: 2, d: [1] }],
    ['a: {b: "x" }#c\nd: [e]#f\ng: "h"#i\nj: k#l', { a: { b: 'x' }, d: ['e'], g: 'h', j: 'k#l' }],
    ['[-, {a: -}, -b]', ['-', { a: '-' }, '-b']],
    ['{.inf: a, -.Inf: b, .NaN: c}', { '.inf': 'a', '-.inf': 'b', '.nan': 'c' }],
    ['{1e3: a, 1e6: b, 0.00001: c, 0.1: d, 16777217.5: e, -0.0: f}', keysOfFloats],
    ['[!a,b c]', ['c']],
    ['%YAML 1.1\n---\na: b', { a: 'b' }],
    ['a: "[b:]" # [c:]\nd: |\n  [e:]\nf: [g: h]', { a: '[b:]', d: '[e:]\n', f: [{ g: 'h' }] }],
  ])('%j', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  it.each<[string, JsonValue]>([
    ['yes', true],
    ['!!bool yes', true],
    ['!!null ~', null],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740991', -9007199254740991],
    ['-9007199254740992', -9007199254740992n],
    ['On', true],
    ['n', false],
    ['OFF', false],
    ['~', null],
    ['Null', null],
    ['null!', 'null!'],
    ['017', 15],
    ['0o17', 15],
    ['0x1F', 31],
    ['-0x1F', -31],
    ['0b101', 5],
    ['1_000', 1000],
    ['+5', 5],
    ['08', 8],
    ['1e3', 1000],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['1.', 1],
    ['1:30', '1:30'],
    ['2001-02-03', '2001-02-03'],
    ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06Z'],
    ['1.2.3', '1.2.3'],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615', 2 ** 64],
    ['1e400', '1e400'],
    ['"yes"', 'yes'],
    ["'1'", '1'],
  ])('reads the scalar %s', (text, expected) => {
    expect(value(`a: ${text}`)).toEqual({ a: expected });
  });

  it('sorts keys and keeps __proto__ a key', () => {
    const object = value('b: 1\na: 2\n__proto__: {c: 3}');
    expect(Object.keys(Object(object))).toEqual(['__proto__', 'a', 'b']);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });

  it('reports repeated keys with their lines, and takes the last', () => {
    const decoded = decodeYaml('a:\n  b: 1\n  b: 2\n  c: {d: 1, d: 2}\na:\n- {e: 1,\n   e: 2}\n');
    if (!decoded.ok) throw new Error(decoded.problem);
    expect(decoded.value).toEqual({ a: [{ e: 2 }] });
    expect(decoded.duplicates).toEqual(['a.b', 'a.c.d', 'a', 'a[0].e']);
    expect(decoded.remarks).toEqual([
      'line 3: key "b" already set in map',
      'line 4: key "d" already set in map',
      'line 6: key "a" already set in map',
      'line 7: key "e" already set in map',
    ]);
    expect(strictRemarks(decoded, ['unknown field "x"'])[0]).toMatch(
      /^yaml: unmarshal errors:\n {2}line 3: .*\n {2}line 4: /,
    );
  });

  it('reports keys that a merge repeats, and keys that are not strings', () => {
    const decoded = decodeYaml('a: &a {b: 1}\nc:\n  b: 2\n  <<: *a\n  1: x\n  1: z\n');
    expect(decoded).toMatchObject({ value: { c: { b: 1, '1': 'z' } }, duplicates: ['c.b', 'c.1'] });
    expect(decoded).toMatchObject({
      remarks: ['line 1: key "b" already set in map', 'line 6: key 1 already set in map'],
    });
  });

  it.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['x: 1\na: b: c', 'yaml: line 2: mapping values are not allowed in this context'],
    ['\tx: 1', 'yaml: found character that cannot start any token'],
    ['a: @x', 'yaml: found character that cannot start any token'],
    ['{', 'yaml: line 1: did not find expected node content'],
    ['a: b\nc: [d]]\ne: f', 'yaml: line 1: did not find expected key'],
    ['a: b\nc: d]\ne: ]', 'yaml: line 2: did not find expected node content'],
    ['a: a: a: b', 'yaml: mapping values are not allowed in this context'],
    ['a: [b', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: {b: c', "yaml: line 1: did not find expected ',' or '}'"],
    ['a: "\\q"', 'yaml: found unknown escape character'],
    ['a: "b', 'yaml: found unexpected end of stream'],
    ['a: {{ x }}', 'yaml: invalid map key: map[interface {}]interface {}{"x":interface {}(nil)}'],
    ['? [a]\n: b', 'yaml: invalid map key: []interface {}{"a"}'],
    ['~: b', 'yaml: a map key must not be null'],
    ['a: *b', "yaml: unknown anchor 'b' referenced"],
    ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['<<: 5', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: .inf', 'yaml: unsupported value: +Inf'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: !!binary x', 'yaml: !!binary value contains invalid base64 data'],
    ['a: &b.c d', 'yaml: did not find expected alphabetic or numeric character'],
    ['{"a": "\\/"}', 'yaml: found unknown escape character'],
    ['a: 1\nb: "\\ud83d\\ude00"', 'yaml: line 2: found invalid Unicode character escape code'],
    ['a: &b [{c: d}]\n<<: *b', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: \x01', 'yaml: control characters are not allowed'],
  ])('refuses %j', (text, words) => {
    expect(problem(text)).toBe(words);
  });

  it('reports that the text was YAML', () => {
    expect([decodeYaml('a: b').syntax, decodeYaml('a: [').syntax]).toEqual(['yaml', 'yaml']);
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = (...end: number[]): Uint8Array => Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0xa9, ...end]);
    expect(problem(bytes(0xff))).toBe('yaml: invalid leading UTF-8 octet');
    expect(problem(bytes(0xe2, 0x82))).toBe('yaml: incomplete UTF-8 octet sequence');
    expect(problem(bytes(0xe2, 0x22, 0x82))).toBe('yaml: invalid trailing UTF-8 octet');
    expect(problem(bytes(0xc0, 0xaf))).toBe('yaml: invalid length of a UTF-8 sequence');
    expect(problem(bytes(0xed, 0xa0, 0xbd))).toBe('yaml: invalid Unicode character');
    expect(problem(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('yaml: invalid leading UTF-8 octet');
  });

  it('reads UTF-16 that begins with its byte order mark', () => {
    const littleEnd = Buffer.from('\ufeffa: \u{1f642}', 'utf16le');
    expect(decodeYaml(littleEnd)).toMatchObject({ ok: true, value: { a: '\u{1f642}' } });
    expect(decodeYaml(Buffer.from(littleEnd).swap16())).toMatchObject({ ok: true, value: { a: '\u{1f642}' } });
    expect(problem(littleEnd.subarray(0, -1))).toBe('yaml: incomplete UTF-16 character');
    expect(problem(littleEnd.subarray(0, -2))).toBe('yaml: incomplete UTF-16 surrogate pair');
    expect(problem(Buffer.from('\ufeff\ud83da', 'utf16le'))).toBe('yaml: expected low surrogate area');
    expect(problem(Buffer.from('\ufeff\ude42a', 'utf16le'))).toBe('yaml: unexpected low surrogate area');
  });

  it.each([
    ['%YAML 1.2\n---\na: b', 'found incompatible YAML document'],
    ['# a\n%YAML 1.2\n---\na: b', 'line 1: found incompatible YAML document'],
    ['%YAML 2.0\n---\na: b', 'found incompatible YAML document'],
    ['a: {b: !}', 'did not find expected whitespace or line break'],
    ['a: b\nc: {d: !!str}', 'line 2: did not find expected whitespace or line break'],
  ])('refuses %j', (text, words) => {
    expect(problem(text)).toBe(`yaml: ${words}`);
  });

  it.each([
    ['flow lists', '['.repeat(1 << 20)],
    ['flow maps', '{a: '.repeat(1 << 18)],
    ['lists in lists', '- '.repeat(1 << 19)],
    ['explicit keys', '? '.repeat(1 << 19)],
    ['indented maps', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
  ])('limits the depth of %s', (_, text) => {
    expect(problem(text)).toBe('yaml: exceeded max depth');
  });

  it('limits aliases and tokens', () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1},`.repeat(9)}]`);
    expect(problem(bomb.join('\n'))).toBe('yaml: document contains excessive aliasing');
    expect(problem(`[${'1,'.repeat(300_000)}]`)).toBe('yaml: document has more than 500000 tokens');
  });

  it('allows the nesting of real documents', () => {
    const deep = Array.from({ length: 60 }, (_, i) => `${'  '.repeat(i)}a:\n`).join('');
    expect(problem(`${deep}${'  '.repeat(60)}- {b: [c]}`)).toBeUndefined();
  });

  it('never crashes, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:-?[]{},&*!|>\'"#%@ \n\t1~<') }), (text) => {
        expect(typeof decodeYaml(text).ok).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });
});

const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      null,
      true,
      false,
      'yes',
      '1',
      '2001-01-01',
      '',
      ' x',
      'x ',
      'a: b',
      '# c',
      '- d',
      'e\nf',
      'g \nh',
      '\n',
      'i\n\n',
      "it's",
      '"',
      '\t',
      '<<',
      '1:30',
      '{',
      'x #y',
      '---',
    ),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.string(),
    fc.string({ unit: fc.constantFrom('word', ' ', '  ', '\n', "'", '"', ':', '\u00e9'), maxLength: 60 }),
    fc.array(tie('tree')),
    fc.dictionary(fc.string({ maxLength: 200 }), tie('tree'), { noNullPrototype: true }),
  ),
}));

describe('decodeYaml of JSON', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());

  it('reads the same as any YAML document', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2), (fields, indent) => {
        const text = JSON.stringify(fields, undefined, indent);
        expect(value(text)).toEqual(value(`# not JSON\n${text}`));
      }),
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1.0}',
    '{"a":12345678901234567890123}',
    '{"a":1,}',
    '{"a":1}\n---\n{"b":1}',
    '{a: 1}',
  ])('reads %s like YAML', (text) => {
    expect(decodeYaml(text)).toEqual(decodeYaml(`${text}\n# a remark makes it YAML`));
  });

  it('refuses control characters in strings', () => {
    expect(decodeYaml('{"a":"\u007f"}')).toMatchObject({ ok: false, problem: expect.stringContaining('control') });
  });
});

/** Returns the value of a text by the library's rules for YAML 1.2; integers are exact. */
function elsewhere(text: string): JsonValue {
  const bigIntegers = defineScalarTag(intCoreTag.tagName, {
    ...intCoreTag,
    resolve: (source, ...rest) =>
      intCoreTag.resolve(source, ...rest) === NOT_RESOLVED ? NOT_RESOLVED : BigInt(source),
  });
  const read: unknown = load(text, { schema: CORE_SCHEMA.withTags(bigIntegers) });
  if (!isJson(read)) throw new Error('no document');
  return read;
}

const isJson = (value: unknown): value is JsonValue => value !== undefined;

describe('encodeYaml', () => {
  it('writes objects in the layout that clients know', () => {
    const object = { b: ['x', { c: 1, d: [1, [2, 3]] }, [], {}], a: { e: null, f: true }, g: 'line\nline', h: 1.5 };
    expect(encodeYaml(object)).toBe(
      'a:\n  e: null\n  f: true\nb:\n- x\n- c: 1\n  d:\n  - 1\n  - - 2\n    - 3\n- []\n- {}\ng: |-\n  line\n  line\nh: 1.5\n',
    );
  });

  it.each([
    ['plain text', 'plain text'],
    ['', '""'],
    ['yes', '"yes"'],
    ['5', '"5"'],
    ['2001-01-01', '"2001-01-01"'],
    ['1:30', '"1:30"'],
    ['a: b', "'a: b'"],
    ["it's", "it's"],
    ["'quoted'", "'''quoted'''"],
    ['tab\there', '"tab\\there"'],
    ['\u200b', '"\u200b"'],
    ['\ufeff', '"\\uFEFF"'],
    ['\uffff', '"\\uFFFF"'],
    ['\x9f', '"\\x9F"'],
    ['trailing ', "'trailing '"],
    ['a\n', '|\n    a'],
    ['a\n\n', '|+\n    a\n'],
    [' a\nb', '|2-\n     a\n    b'],
    ['a \nb', '"a \\nb"'],
  ])('writes %j', (text, written) => {
    if (text === '\u200b') expect(value(encodeYaml({ k: text }))).toEqual({ k: text });
    else expect(encodeYaml({ m: { k: text } })).toBe(`m:\n  k: ${written}\n`);
  });

  it('folds long texts at blanks', () => {
    const words = 'word '.repeat(40).trim();
    const lines = encodeYaml({ k: words }).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every((line) => line.length <= 85)).toBe(true);
    expect(value(encodeYaml({ k: words }))).toEqual({ k: words });
  });

  it('folds at the first blank after column 80, but not at a last blank', () => {
    expect(encodeYaml({ k: `${'x'.repeat(77)} y` })).toBe(`k: ${'x'.repeat(77)} y\n`);
    expect(encodeYaml({ k: `${'x'.repeat(78)} y` })).toBe(`k: ${'x'.repeat(78)}\n  y\n`);
    expect(encodeYaml({ k: `${'x'.repeat(90)} ` })).toBe(`k: '${'x'.repeat(90)} '\n`);
  });

  it('writes long keys on lines of their own', () => {
    const key = 'k'.repeat(129);
    expect(encodeYaml({ [key]: 1 })).toBe(`? ${key}\n: 1\n`);
  });

  it('orders keys by letters and numbers', () => {
    expect(['b', 'a10', 'a2', 'a', 'A', '1', '10', '2', 'a-b', 'aB', 'a02'].sort(compareKeys)).toEqual([
      '1',
      '2',
      '10',
      'A',
      'a',
      'a-b',
      'a2',
      'a02',
      'a10',
      'aB',
      'b',
    ]);
  });

  it('orders numbers with zeros in them by value', () => {
    expect(['a1000', 'a101', 'a100', 'a10', 'a11', 'a1', 'a2', 'a20'].sort(compareKeys)).toEqual([
      'a1',
      'a2',
      'a10',
      'a11',
      'a20',
      'a100',
      'a101',
      'a1000',
    ]);
  });

  it('reads back unchanged, here and by the library', () => {
    fc.assert(
      fc.property(tree, (tree) => {
        const text = encodeYaml(tree);
        // The library reads numbers beyond all floats as infinite; to the API they are text.
        fc.pre(!/[eE]\+?\d{3}/.test(text));
        expect(equal(value(text), tree)).toBe(true);
        // The library indents a block that is a whole document by one less than its hint.
        expect(equal(elsewhere(encodeYaml({ tree })), { tree })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe.skipIf(recordingsAbsent)('recorded YAML', () => {
  it('is refused in the recorded words', () => {
    let compared = 0;
    for (const { request, body } of recordings()) {
      const message = String(Object(body).message);
      const { rawBody, headers = {} } = request;
      if (rawBody === undefined || !headers['content-type']?.includes('yaml') || !message.includes('yaml: ')) continue;
      const decoded = decodeYaml(rawBody);
      if (message.startsWith('the object provided')) {
        const kind = /must be of type (\w+)/.exec(message)?.[1] ?? '';
        expect(decoded.ok ? '' : unreadable(kind, decoded, Buffer.from(rawBody)).message).toBe(message);
      } else if (decoded.ok) expect(message).toContain(strictRemarks(decoded, [])[0]);
      else expect(message).toContain(decoded.problem);
      compared++;
    }
    expect(compared).toBeGreaterThan(8);
  });
});
