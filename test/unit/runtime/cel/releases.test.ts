/** The functions of expressions in each release, with their values and costs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  baseEnvironment,
  compileExpression,
  describeIssues,
  dynamicData,
  Environment,
  type EnvironmentOptions,
  laterEnvironment,
} from '../../../../runtime/cel/index.js';
import { additions, environmentOf } from '../../../../runtime/cel/releases.js';
import { emulate, releases } from '../../../../runtime/objects/release.js';

const compile = (text: string, options: EnvironmentOptions) =>
  compileExpression(
    text,
    new Environment({ ...options, variables: { x: { type: { kind: 'dyn' }, data: dynamicData } } }),
  );

/** An expression for each addition, in the same order. */
const samples: readonly string[] = [
  'optional.of(1).orValue(2) == 1',
  "isQuantity('1Gi')",
  '1 < 1.5',
  'sets.contains([1], [1])',
  "'%d'.format([1]) == strings.quote('a')",
  "!'a'.matches('[')",
  "isIP('::1') && isCIDR('10.0.0.0/8')",
  "x.fieldSelector('a=b').labelSelector('c').check('list').allowed()",
  "format.named('uuid').hasValue()",
  '[1].all(i, v, i < v)',
  "isSemver('1.2.3')",
  '[2, 1].sortBy(e, -e)[0] == 2',
  '[1].first().hasValue()',
];

describe('the functions an expression may use', () => {
  it.each(samples.map((sample, i) => [sample, additions[i]] as const))('in new rules: %s', (sample, addition) => {
    const first = releases.map(String).indexOf(addition?.introduced ?? '');
    const known = releases.filter((release) => compile(sample, environmentOf(emulate(release), 'new')).ok);
    // A wrong pattern compiles in releases that do not check it; there it fails when the program is made.
    if (addition?.checkedLiterals) expect(known).toEqual([]);
    else expect(known).toEqual(releases.slice(addition?.isLanguage ? first : first + 1));
  });

  it('in stored rules: everything after release 1.27, and without an emulated release', () => {
    const sound = samples.filter((_, i) => !additions[i]?.checkedLiterals);
    const known = (options: EnvironmentOptions) => sound.filter((sample) => compile(sample, options).ok);
    for (const release of releases.slice(1)) expect(known(environmentOf(emulate(release), 'stored'))).toEqual(sound);
    expect(environmentOf(emulate(), 'new')).toBe(laterEnvironment);
    expect(environmentOf(emulate('1.27'), 'stored')).toBe(baseEnvironment);
    expect(known(baseEnvironment)).toEqual([]);
  });

  it('are three more than in the latest release, unless one is emulated', () => {
    const extra = ['cel.bind(a, 1, a == 1)', "'ab'.reverse() == 'ba'", "quantity('1').sign() == 1"];
    const latest = environmentOf(emulate('latest'), 'new');
    expect(extra.map((sample) => [compile(sample, laterEnvironment).ok, compile(sample, latest).ok])).toEqual(
      extra.map(() => [true, false]),
    );
  });

  it('are the ones in the docs', () => {
    const page = readFileSync('docs/cel.md', 'utf8');
    const rows = [...page.matchAll(/^\| (1\.\d+) +\| (.*?) +\|$/gm)].map(([, release, about]) => [release, about]);
    expect(rows).toEqual(additions.map(({ introduced, about }) => [introduced, about]));
  });
});

const latest = environmentOf(emulate('latest'), 'new');

/** Returns the value of an expression in the latest release, or its error. */
function evaluate(text: string, x?: unknown): unknown {
  const compiled = compile(text, latest);
  if (!compiled.ok) return describeIssues(text, compiled.failure.issues).split('\n')[0];
  const outcome = compiled.expression.evaluate({ x });
  return outcome.ok ? outcome.value : outcome.message;
}

describe('the functions of later releases', () => {
  it.each<[string, unknown]>([
    ["semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && semver('1.2.3-2').isLessThan(semver('1.2.3-rc'))", true],
    ["semver('1.2.3+a') == semver('1.2.3+b')", true],
    ["semver('v01.2', true).compareTo(semver('1.2.0'))", 0],
    ["semver('1.10.0').minor()", 10],
    ["['1.2', '1.2.3.4', '01.2.3', '1.2.3-01', '1.2.3-', '1.2.3+', ''].exists(s, isSemver(s))", false],
    ["isSemver('1.2-rc', true)", false],
    ["semver('1.2.x')", 'Invalid character(s) found in patch number "x"'],
    ['[1, 2, 3].slice(1, 3)', [2, 3]],
    ['[1, 2].slice(2, 1)', 'cannot slice(2, 1), start index must be less than or equal to end index'],
    ['[[[1]], [[2, 3]]].flatten().size()', 2],
    ['[[[1]], [[2, 3]]].flatten(2)', [1, 2, 3]],
    ['[1, 2, 1].distinct() + [1, 2].reverse()', [1, 2, 2, 1]],
    ["['b', 'a', 'bb'].sort() + ['bb', 'b', 'aa'].sortBy(e, size(e))", ['a', 'b', 'bb', 'b', 'bb', 'aa']],
    ['x.sort()', 'list elements must have the same type'],
    ["['ab', 'c'].sortBy(e, ['x', 'xy'].sortBy(f, -size(f))[0] + e)", ['ab', 'c']],
    ['lists.range(3)', [0, 1, 2]],
    ['lists.range(-1)', 'lists.range: size must be non-negative, got -1'],
    ["x.last().orValue('none')", 'a'],
    [
      "'%s %.1f %e'.format([[1, 'a', {'k': null}, 1.5], 1234.56, 0.5])",
      '[1, "a", {"k":null}, 1.500000] 1,234.6 5.000000×10⁻⁰¹',
    ],
    ["'%s'.format([{'t': duration('60s'), 'b': b'x'}])", '{"b":b"x", "t":duration("60s")}'],
    ["quantity('1000m').isInteger() || quantity('1.5Gi').isInteger() || quantity('1Pi').isInteger()", false],
    ["quantity('1k').asInteger() + quantity('2Ki').asInteger()", 3048],
    ["sign(quantity('-1'))", -1],
    ["format.uri().validate('web').value()[0]", 'parse "web": invalid URI for request'],
  ])('%s', (text, yielded) => {
    expect(evaluate(text, [1, 'a'])).toEqual(yielded);
  });

  it.each<[string, string]>([
    ["'a'.matches('[')", '1:13: invalid matches argument'],
    ["duration('x') > duration('1s')", '1:10: invalid duration argument'],
    ["timestamp('2024') == timestamp(x)", '1:11: invalid timestamp argument'],
    [
      "'%d'.format(['a'])",
      '1:14: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    ["'%d %s'.format([1])", '1:15: index 1 out of range'],
    ["'%%'.format([1])", '1:12: too many arguments supplied to string.format (expected 0, got 1)'],
    [
      '3.sortBy(e, e)',
      '1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    ],
    ['[1].sortBy(e.f, e)', '1:13: argument is not an identifier'],
  ])('%s is refused', (text, problem) => {
    expect(evaluate(text)).toBe(`ERROR: <input>:${problem}`);
  });

  it.each<[string, number, number]>([
    // A list of n items costs 11 + n, a comparison of each with each 11 + 2n², of texts 11 + 2.1n². A literal costs 10,
    // but nothing at run time.
    ['[1, 2].reverse()', 13, 23],
    ['lists.range(5)', 16, 16],
    ["['b', 'a'].sort()", 19, 30],
    ['[3, 1].distinct()', 19, 29],
    ["['b', 'a'].slice(0, 1)", 12, 22],
    ["isSemver('1.2.3-rc.1')", 1, 1],
    // A list, a tenth of the text, and 50 for each of 2 requirements. This one fails, because `x` is not a question.
    ["x.labelSelector('a=b')", 1, 112],
  ])('%s costs %d, and at most %d', (text, cost, most) => {
    const compiled = compile(text, latest);
    if (!compiled.ok) throw new Error(describeIssues(text, compiled.failure.issues));
    const outcome = compiled.expression.evaluate({ x: [1, 'a'] });
    expect([outcome.cost, compiled.expression.cost.max]).toEqual([cost, most]);
  });
});
