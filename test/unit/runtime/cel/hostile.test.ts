/** Hostile expressions need limited time and memory, and end with a result or an error. */
import { describe, expect, it } from 'vitest';
import { dyn } from '../../../../runtime/cel/check/types.js';
import {
  callCostLimit,
  compileExpression,
  dataTypeOf,
  dynamicData,
  Environment,
  type EvaluationResult,
} from '../../../../runtime/cel/index.js';
import { allLibraries } from '../../../../runtime/cel/library/index.js';
import type { Schema } from '../../../../runtime/contract/index.js';

const environment = new Environment({
  libraries: allLibraries,
  variables: { self: { type: dyn, data: dynamicData } },
  mixedComparisons: true,
});

/** Returns the first mistake in a refused text. */
function mistake(text: string): string | undefined {
  const compiled = compileExpression(text, environment);
  return compiled.ok ? undefined : compiled.failure.issues[0]?.message;
}

function evaluated(text: string, self: unknown = {}, budget = callCostLimit): EvaluationResult {
  const compiled = compileExpression(text, environment);
  if (!compiled.ok) throw new Error(compiled.failure.issues[0]?.message);
  return compiled.expression.evaluate({ self }, budget);
}

const plain: Schema = {
  type: 'object',
  properties: {
    s: { type: 'string' },
    i: { type: 'integer' },
    l: { type: 'array', items: { type: 'object', properties: { s: { type: 'string' } } } },
  },
};

/** Properties with the names of members that every object inherits. */
const inherited: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    ['constructor', 'valueOf'].map((name): [string, Schema] => [name, { type: 'string' }]),
  ),
};

describe('hostile expressions', () => {
  it.each([
    ['parentheses', `${'('.repeat(40_000)}1${')'.repeat(40_000)}`],
    ['lists', '['.repeat(50_000)],
    ['negations', `${'!('.repeat(5_000)}true${')'.repeat(5_000)}`],
    ['conditions', `${'true ? 1 : '.repeat(5_000)}0`],
    ['sums', `${'1+'.repeat(20_000)}1`],
    ['fields', `self${'.a'.repeat(20_000)}`],
    ['indexes', `self${'[0]'.repeat(20_000)}`],
    ['relations', `${'1<'.repeat(20_000)}1`],
    ['loops', `${'[1].map(x, '.repeat(2_000)}1${')'.repeat(2_000)}`],
    ['optionals', `optional.of(1)${'.optMap(x, x)'.repeat(2_000)}`],
  ])('refuses too many nested %s', (_, text) => {
    expect(mistake(text)).toMatch(/expression recursion limit exceeded: 250|max recursion depth exceeded/);
  });

  it('refuses texts that are too long', () => {
    expect(mistake(`'${'a'.repeat(200_000)}'`)).toMatch(/expression code point size exceeds limit/);
  });

  it('takes long chains of logical operators', () => {
    expect(evaluated(`${'true && '.repeat(5_000)}true`)).toMatchObject({ ok: true, value: true });
  });

  it.each(['1'.repeat(90_000), `0x${'f'.repeat(90_000)}`, `${'1'.repeat(400)}u`])(
    'refuses a number that is too long',
    (text) => {
      expect(mistake(text)).toMatch(/invalid u?int literal/);
    },
  );

  it('expands macros that name their target twice only once', () => {
    const text = `optional.of(1)${'.optMap(x, x + 1)'.repeat(40)}.value()`;
    expect(evaluated(text)).toMatchObject({ ok: true, value: 41 });
    const unchecked = compileExpression(text, environment, { unchecked: true });
    expect(unchecked.ok && unchecked.expression.evaluate({})).toMatchObject({ ok: true, value: 41 });
  });

  it('matches patterns in linear time', () => {
    expect(evaluated(`self.matches('^(a+)+$')`, `${'a'.repeat(5_000)}!`)).toMatchObject({ ok: true, value: false });
    expect(evaluated('self.matches(self)', '('.repeat(20_000))).toMatchObject({ ok: false, reason: 'budget' });
    expect(evaluated('"a".matches(self)', '('.repeat(20_000))).toMatchObject({ ok: false, reason: 'error' });
  });

  it('stops a loop once its budget is spent', () => {
    const list = Array.from({ length: 3_000 }, (_, i) => i);
    expect(evaluated('self.all(x, self.all(y, x + y >= 0))', list)).toMatchObject({ ok: false, reason: 'budget' });
  });

  it('lets no operator hide that the budget is spent', () => {
    expect(evaluated('self.all(x, x >= 0) || true', Array(1_000).fill(1), 500)).toMatchObject({
      ok: false,
      reason: 'budget',
    });
  });

  it('stops texts and lists that double before they fill the memory', () => {
    const doubling = (start: string, step: string): string =>
      `${Array.from({ length: 60 }, (_, i) => i)
        .reduceRight((body, i) => `cel.bind(x${i + 1}, ${step.replaceAll('$', `x${i}`)}, ${body})`, 'x60')
        .replace(/^/, `cel.bind(x0, ${start}, `)})`;
    expect(evaluated(doubling(`'0123456789'`, '$ + $'))).toMatchObject({ ok: false });
    expect(evaluated(doubling('dyn(self)', '$ + $'), 'abcdefghij')).toMatchObject({ ok: false });
    expect(evaluated(doubling('[1]', '$ + $'))).toMatchObject({ ok: false });
    expect(evaluated(doubling('dyn(self)', '$ + $'), [1, 2])).toMatchObject({ ok: false });
    expect(evaluated(doubling(`'aa'`, `$.replace('a', $)`))).toMatchObject({ ok: false });
  });

  it('ends expressions that read the same data again and again', () => {
    const lists = Array.from({ length: 2_000 }, () => 1);
    const compiled = compileExpression('self.all(x, self.map(y, self.exists(z, true)).size() >= 0)', environment);
    expect(compiled.ok && compiled.expression.evaluate({ self: lists }, 1e12)).toMatchObject({
      ok: false,
      reason: 'budget',
    });
  });

  it.each([
    ['double', `0.${'0'.repeat(100_000)}`],
    ['timestamp', `2000-01-01T00:00:00.${'0'.repeat(100_000)}Z`],
    ['duration', '1ns'.repeat(100_000)],
  ])('ends expressions that read a long text as a %s again and again', (type, text) => {
    expect(evaluated(`type(${type}(self)) != string`, text)).toMatchObject({ ok: true, value: true });
    const rule = `self.list.all(i, type(${type}(self.text)) != string)`;
    expect(evaluated(rule, { text, list: Array(1_000).fill(1) })).toMatchObject({ ok: false, reason: 'budget' });
  });

  it('reads properties with inherited names only if the object has its own', () => {
    expect(evaluated('has(self.toString)')).toMatchObject({ ok: true, value: false });
    expect(evaluated('self.constructor')).toMatchObject({ ok: false, message: 'no such key: constructor' });
    expect(evaluated(`self['__proto__'] == 1`, JSON.parse('{ "__proto__": 1 }'))).toMatchObject({
      ok: true,
      value: true,
    });
    const data = dataTypeOf(inherited, 'self');
    const typed = new Environment({
      libraries: allLibraries,
      variables: data ? { self: { type: data.type, data } } : {},
    });
    const compiled = compileExpression('has(self.constructor) || has(self.valueOf)', typed);
    expect(compiled.ok && compiled.expression.evaluate({ self: {} })).toMatchObject({ ok: true, value: false });
  });

  it('runs no code in the texts of an expression', () => {
    const text = `self == '\\'}; globalThis.broken = true; //' || self == "\`\${globalThis.broken = true}" || self == '\u2028'`;
    expect(evaluated(text, 'x')).toMatchObject({ ok: true, value: false });
    expect(mistake('this')).toMatch(/undeclared/);
    expect(evaluated('[1].map(arguments, arguments + 1)[0]')).toMatchObject({ ok: true, value: 2 });
    expect(evaluated('[1].map(support, support + size([support]))[0]')).toMatchObject({ ok: true, value: 2 });
    expect('broken' in globalThis).toBe(false);
  });

  it('returns an error for data of other types than the schema', () => {
    const data = dataTypeOf(plain, 'self');
    const typed = new Environment({
      libraries: allLibraries,
      variables: data ? { self: { type: data.type, data } } : {},
    });
    for (const rule of [
      `self.s.startsWith('a')`,
      'self.i > 1',
      'self.i + 1 == 2',
      'self.l.all(x, x.s == "a")',
      'size(self.l) > 1',
      'self.l == self.l',
      'self.l[0].s.size() > 1',
    ]) {
      const compiled = compileExpression(rule, typed);
      if (!compiled.ok) throw new Error(compiled.failure.issues[0]?.message);
      for (const value of [1.5, 'text', true, null, [], [null], [1], {}, { s: {} }, Number.NaN]) {
        expect(compiled.expression.evaluate({ self: { s: value, i: value, l: value } })).toHaveProperty('ok');
      }
      for (const self of [null, undefined, 1, 'x', []])
        expect(() => compiled.expression.evaluate({ self })).not.toThrow();
    }
  });

  it.each<[string, (levels: number) => string, string]>([
    ['objects', (levels) => `${'{"a":'.repeat(levels)}[1]${'}'.repeat(levels)}`, `${'{a: '.repeat(9_999)}[1]`],
    ['lists', (levels) => `${'['.repeat(levels)}{"a":1}${']'.repeat(levels)}`, `${'['.repeat(9_999)}{a: 1}`],
    ['both', (levels) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`, `${'[{a: '.repeat(4_999)}1`],
  ])('formats, compares and finds %s at all nesting levels that can be read', (_, shape, start) => {
    const self: unknown = JSON.parse(shape(start.startsWith('[{') ? 9_998 : 9_999));
    const text = evaluated("'%s'.format([self])", self);
    expect(text.ok && typeof text.value === 'string' && text.value.startsWith(start)).toBe(true);
    for (const rule of ['self == self', 'self in [self]', '[self] == [self]', 'sets.equivalent([self], [self])'])
      expect(evaluated(rule, self)).toMatchObject({ ok: true, value: true });
  });

  it('evaluates literals of thousands of entries', () => {
    const numbers = Array.from({ length: 8_000 }, (_, i) => i);
    const constants = numbers.map((i) => `${i}:${i}`).join(',');
    expect(evaluated(`{${constants}}.size()`)).toMatchObject({ ok: true, value: 8_000 });
    const variable = numbers.map((i) => `${i}:self`).join(',');
    expect(evaluated(`{${variable}}.size()`)).toMatchObject({ ok: true, value: 8_000 });
  });
});
