import fc from 'fast-check';
import { CORE_SCHEMA, dump } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { MAX_ALIASED_VALUES, MAX_DEPTH, MAX_TEXT_PROBLEMS, MAX_TOKENS } from '../../../../generator/load/limits.js';
import { parseCarefully, parseYaml } from '../../../../generator/load/parse-yaml.js';
import { effort } from '../../../support/effort.js';

/** The length of texts that are large. The long tests have a text that is too large, too. */
const large = effort('KINDFORGE_YAML_LENGTH', 30_000, 100_000);

const valuesOf = (text: string) => {
  const { documents, problems } = parseYaml(text);
  expect(problems).toEqual([]);
  return documents;
};
const problemsOf = (text: string) => parseYaml(text).problems.map(({ code, offset }) => [code, offset]);

/** Returns exact integers as `JSON.parse` reads them. */
const toNumbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)));

describe('values', () => {
  test('reads several documents, and empty ones keep their place', () => {
    expect(valuesOf('a: 1\n---\n# nothing\n---\n- b\n...\n---\nnull\n')).toEqual([
      { a: 1 },
      undefined,
      ['b'],
      undefined,
    ]);
  });

  test('reads no documents', () => {
    expect(valuesOf('')).toEqual([]);
    expect(valuesOf('# only a comment\n')).toEqual([]);
  });

  test('keeps integers beyond 2^53 exact', () => {
    expect(valuesOf('[9223372036854775807, -9223372036854775808, 9007199254740993]')).toEqual([
      [9223372036854775807n, -9223372036854775808n, 9007199254740993n],
    ]);
  });

  test('reads the tags of the core schema', () => {
    const text =
      'a: !!str 1\nb: ! 2\nc: !!int "3"\nd: !!float 4\ne: !!null ""\nf: !!bool "true"\ng: !!map {}\nh: !!seq []';
    expect(valuesOf(text)).toEqual([{ a: '1', b: '2', c: 3, d: 4, e: null, f: true, g: {}, h: [] }]);
  });

  test('reads keys as texts, whatever they look like', () => {
    expect(valuesOf('1: a\ntrue: b\n"": c\n"no": d\n"1.0": e')).toEqual([
      { 1: 'a', true: 'b', '': 'c', no: 'd', '1.0': 'e' },
    ]);
  });

  test('shares values between aliases', () => {
    const [value] = valuesOf('a: &x { k: v }\nb: *x\nc: [*x, *x]\nd: &s text\n*s : e');
    expect(value).toEqual({ a: { k: 'v' }, b: { k: 'v' }, c: [{ k: 'v' }, { k: 'v' }], d: 'text', text: 'e' });
  });

  test('ends anchors with their document, and a later anchor replaces an earlier one', () => {
    expect(valuesOf('a: &x 1\nb: *x\nc: &x 2\nd: *x')).toEqual([{ a: 1, b: 1, c: 2, d: 2 }]);
    expect(problemsOf('a: &x 1\n---\nb: *x')).toEqual([['KF1007', 15]]);
  });

  test('merges keys: own keys win, then the first of several', () => {
    const text =
      'p: &p { a: 1, b: 1 }\nq: &q { b: 2, c: 2 }\nr: { b: 0, <<: [*q, *p] }\ns: { <<: *p, a: 9 }\n"t": { "<<": kept }';
    expect(valuesOf(text)[0]).toMatchObject({ r: { a: 1, b: 0, c: 2 }, s: { a: 9, b: 1 }, t: { '<<': 'kept' } });
  });

  test('reads JSON', () => {
    const value = { a: [1, 'zwei', null, true, 1.5], b: { 'c d': 'é\n😀 "' } };
    expect(valuesOf(JSON.stringify(value))).toEqual([value]);
    expect(valuesOf(JSON.stringify(value, null, '\t'))).toEqual([value]);
  });

  test('agrees with another reader on everything that this one writes', () => {
    const value = fc.jsonValue({ maxDepth: 4 }).filter((each) => !/"<<"/.test(JSON.stringify(each)));
    fc.assert(
      fc.property(value, (each) => {
        const { documents, problems } = parseYaml(dump(each, { schema: CORE_SCHEMA }));
        expect(problems.filter(({ code }) => code !== 'KF1011')).toEqual([]);
        const [read] = documents;
        const plain = JSON.parse(JSON.stringify(each));
        expect(toNumbers(read ?? null)).toEqual(plain);
      }),
    );
  });
});

describe('problems', () => {
  test.each([
    ['a: 1\na: 2\n', [['KF1004', 5]]],
    ['{a: 1, b: 2, "a": 3}', [['KF1004', 13]]],
    ['a: {<<: {b: 1}, <<: {c: 1}}', [['KF1004', 16]]],
    ['a: *b', [['KF1007', 3]]],
    ['a: &a [*a]', [['KF1007', 7]]],
    ['a: !x b', [['KF1008', 3]]],
    ['a: !!int b', [['KF1008', 3]]],
    ['a: !!bool 1', [['KF1008', 3]]],
    ['!!seq {}', [['KF1008', 0]]],
    ['? [a]\n: b', [['KF1009', 2]]],
    ['null: b', [['KF1009', 0]]],
    ['a: &x [1]\n*x : b', [['KF1009', 10]]],
    ['a: { <<: 1 }', [['KF1010', 5]]],
    ['a: { <<: [[{}]] }', [['KF1010', 5]]],
    ['a: on', [['KF1011', 3]]],
    ['a: .inf', [['KF1012', 3]]],
    ['a:\n\tb: 1', [['KF1003', 3]]],
    ['a: "', [['KF1003', 4]]],
    ['a: b: c', [['KF1003', 3]]],
    ['a: \0', [['KF1003', 3]]],
  ])('%j', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('leaves out an unknown value', () => {
    expect(parseYaml('a: *b\nc: .inf\nd: !!int x\ne: [*b, 1]').documents).toEqual([{ e: [null, 1] }]);
  });

  test('takes the first of two equal keys', () => {
    expect(parseYaml('a: 1\na: { b: 2 }\nc: 3').documents).toEqual([{ a: 1, c: 3 }]);
  });

  test('loses one document to a syntax error, and each error has its own place', () => {
    const text = 'a: 1\n---\nb: "\n---\nc: 3\n---\nd: [\n';
    const { documents, problems } = parseYaml(text);
    expect(documents).toEqual([{ a: 1 }, undefined, { c: 3 }, undefined]);
    expect(problems.map((each) => each.code)).toEqual(['KF1003', 'KF1003']);
    expect(problems[0]?.offset).toBeGreaterThan(text.indexOf('b:'));
    expect(problems[1]?.offset).toBeGreaterThan(text.indexOf('d:'));
  });

  test('never pollutes prototypes', () => {
    parseYaml(
      '__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\na: { <<: { __proto__: { polluted: 1 } } }',
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(valuesOf('constructor: a\ntoString: b')[0]).toEqual({ constructor: 'a', toString: 'b' });
  });
});

describe('bounds', () => {
  test('limits aliases that multiply', () => {
    let text = 'l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n';
    for (let level = 1; level < 40; level++) text += `l${level}: &l${level} [${`*l${level - 1},`.repeat(10)}]\n`;
    expect(parseYaml(text).problems.map((each) => each.code)).toEqual(['KF1006']);
    expect(parseYaml(text).documents).toEqual([]);
  });

  test('accepts as many aliased values as the limit', () => {
    const rows = MAX_ALIASED_VALUES / 1_000;
    const list = (count: number) => `a: &a [${'x,'.repeat(999)}]\nb: [${'*a,'.repeat(count)}]`;
    expect(parseYaml(list(rows)).problems).toEqual([]);
    expect(parseYaml(list(rows + 1)).problems.map((each) => each.code)).toEqual(['KF1006']);
  });

  test('counts merges like aliases', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}: 1`).join(', ');
    expect(parseYaml(`a: &a { ${keys} }\n${'- {<<: *a}\n'.repeat(1_000)}`).problems.length).toBeGreaterThan(0);
  });

  test('limits nesting, also through aliases', () => {
    const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseYaml(nest(MAX_DEPTH - 1)).problems).toEqual([]);
    expect(parseYaml(nest(MAX_DEPTH + 1)).problems.map((each) => each.code)).toEqual(['KF1006']);
    let text = 'l0: &l0 x\n';
    for (let level = 1; level < 5_000; level++) text += `l${level}: &l${level} [*l${level - 1}]\n`;
    expect(parseYaml(text).problems.map((each) => each.code)).toEqual(['KF1006']);
  });

  test('limits nesting of pairs in lists, which has no bracket for each level', () => {
    const pairs = (depth: number) => '[a: '.repeat(depth) + ']'.repeat(depth);
    expect(parseYaml(pairs(MAX_DEPTH / 2 - 1)).problems).toEqual([]);
    expect(parseYaml(pairs(MAX_DEPTH - 1)).problems.map((each) => each.code)).toEqual(['KF1006']);
  });

  test('limits the tokens of a text that the careful reader reads', () => {
    const text = `- &a x${'\n'.repeat(100)}`;
    const problemsWith = (maxTokens: number) => parseCarefully(text, maxTokens).problems;
    const refusal = { code: 'KF1005', message: 'the text has more than 80 tokens' };
    expect(problemsWith(80)).toEqual([expect.objectContaining(refusal)]);
    const tokens = Array.from({ length: 150 }, (_, count) => count).find((count) => problemsWith(count).length === 0);
    expect(tokens).toBeGreaterThan(100);
    expect(parseYaml(text).problems).toEqual([]);
  });

  test.runIf(large >= 100_000)('limits the tokens to three million by default', () => {
    const { problems } = parseYaml(`- &a x${'\n'.repeat(MAX_TOKENS)}`);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['KF1005', 'the text has more than 3000000 tokens'],
    ]);
  });

  test.each([
    ['- '],
    ['? '],
    ['a: '],
    ['['],
    ['{'],
    ['"'],
    ["'"],
    ['&a '],
    ['*a '],
    ['!a '],
    ['|\n'],
    ['%a\n'],
    ['---\n'],
    ['a\n'],
    [',a'],
    ['\t'],
    ['\r'],
    ['# '],
    ['\\'],
    ['\u{10ffff}'],
    ['<<: *a\n'],
  ])('ends for a large text of %j', (piece) => {
    for (const start of ['', 'a: ', '[', '"', '- &a x\n- ']) {
      const { problems } = parseYaml(start + piece.repeat(large / piece.length));
      expect(Array.isArray(problems)).toBe(true);
    }
  });

  test('reports equal keys of a large mapping, up to a limit', () => {
    const { problems } = parseYaml('a: 1\n'.repeat(2 * large));
    expect(problems).toHaveLength(MAX_TEXT_PROBLEMS);
  });

  test('never throws', () => {
    const piece = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '&x',
      '*x',
      '!',
      '!!str ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|',
      '>',
      '<<: ',
      '? ',
      '---\n',
      '...\n',
      '%YAML 1.2\n',
      '\t',
      '#',
      '\\',
      '0',
      '.',
      '\r',
      '\0',
      '\ufeff',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { documents, problems } = parseYaml(pieces.join(''));
        expect(documents.length + problems.length).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the cure of a syntax error', () => {
  test.each([
    ['a: { b: c[].d, e: f }', 'in braces, a text with `[` or `{` needs quotes'],
    ['a: [b{}, c]', 'in braces, a text with `[` or `{` needs quotes'],
    ['rule: "a" == {b: c}', 'a text with `: ` needs quotes'],
    ['message: at least: one', 'a text with `: ` needs quotes'],
    ['a: { b: c: d }', 'a text with `: ` needs quotes'],
    ['a:\n\tb: c', 'indent with spaces'],
    ['a: @b', undefined],
  ])('of %j is %j', (text, suggestion) => {
    const [problem] = parseYaml(text).problems;
    expect(problem?.code).toBe('KF1003');
    expect(problem?.suggestion).toBe(suggestion);
  });
});
