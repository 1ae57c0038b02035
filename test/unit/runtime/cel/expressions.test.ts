/** Expressions of conversions: their types, values and mistakes, and that printed and instantiated ones agree. */
import { transpileModule } from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  type ConvertedSchemas,
  compileExpressions,
  instantiateExpressions,
  printExpressions,
} from '../../../../runtime/cel/index.js';
import * as ruleSupport from '../../../../runtime/cel/rule-support.js';
import type {
  ConversionExpressions,
  ConversionStep,
  JsonObject,
  JsonValue,
  Schema,
} from '../../../../runtime/contract/index.js';

const specOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

const number: Schema = { type: 'integer' };
const text: Schema = { type: 'string', maxLength: 100 };

const step = (toStored: string, fromStored = 'self'): ConversionStep => ({
  expression: { field: 'spec.a', stored: 'spec.b', toStored, fromStored },
});

/** Evaluates the expression to the stored version. The reports come first, if there are any. */
function yieldOf(
  expression: string,
  { own = {}, stored = {} }: { readonly own?: Schema; readonly stored?: Schema },
  self: JsonValue,
  object: JsonObject = {},
): unknown {
  const schemas = { own: specOf({ a: own, other: number }), stored: specOf({ b: stored }) };
  const expressions = instantiateExpressions([step(expression)], schemas);
  const said: string[] = [];
  const value = expressions?.toStored(object, (place, problem) => said.push(`${place}: ${problem}`))(0, self);
  return said.length > 0 ? said : value;
}

describe('an expression', () => {
  const any: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

  it.each<[string, Schema, Schema, JsonValue, unknown]>([
    ['self * 60', number, number, 2, 120],
    ['self + 1', number, number, 9_007_199_254_740_991, 9_007_199_254_740_992n],
    ['self.split("-")[0]', text, text, 'a-b', 'a'],
    ['[self]', text, { type: 'array', items: text }, 'a', ['a']],
    ['{"x": self, "y": 1}', text, { type: 'object', properties: { x: text, y: number } }, 'a', { x: 'a', y: 1 }],
    ['double(self) / 4.0', number, { type: 'number' }, 2, 0.5],
    ['self > 3', number, { type: 'boolean' }, 4, true],
    ['self > 3 ? dyn(null) : self', number, number, 4, undefined],
    ['self > 3 ? optional.none() : optional.of(self)', number, number, 4, undefined],
    [
      'timestamp(self) + duration("1h")',
      text,
      { type: 'string', format: 'date-time' },
      '2001-02-03T04:05:06Z',
      '2001-02-03T05:05:06Z',
    ],
    ['self', { type: 'object', properties: { x: number } }, any, { x: 1, y: 2 }, { x: 1, y: 2 }],
    ['self.map(x, x * 2)', { type: 'array', items: number }, { type: 'array', items: number }, [1, 2], [2, 4]],
    ['bytes(self)', text, { type: 'string', format: 'byte' }, 'ab', 'YWI='],
  ])('%s yields a value', (expression, own, stored, self, expected) => {
    expect(yieldOf(expression, { own, stored }, self)).toEqual(expected);
  });

  it('sees the object around its value', () => {
    expect(yieldOf('self + object.spec.other', { own: number, stored: number }, 1, { spec: { other: 5 } })).toBe(6);
  });

  it('is not evaluated without a value', () => {
    const expressions = instantiateExpressions([step('1 / 0')], { own: specOf({}), stored: specOf({}) });
    const evaluate = expressions?.toStored({}, () => expect.unreachable());
    expect([evaluate?.(0, undefined), evaluate?.(0, null)]).toEqual([undefined, null]);
    expect(instantiateExpressions([{ move: { field: 'a', stored: 'b' } }], { own: {} })).toBeUndefined();
  });

  it.each<[string, Schema, Schema, JsonValue, string]>([
    ['1 / self', number, number, 0, 'spec.b: `1 / self` fails: division by zero'],
    ['dyn(self)', text, number, 'a', 'spec.b: `dyn(self)` yields string, not integer'],
    [
      'double(self) / 0.0',
      number,
      { type: 'number' },
      1,
      'spec.b: `double(self) / 0.0` fails: Infinity is not a JSON value',
    ],
    ['{1: self}', number, any, 1, 'spec.b: `{1: self}` fails: a map with keys of type int is not a JSON value'],
    [
      'self.all(a, self.all(b, self.all(c, a + b + c < 0 || true)))',
      { type: 'array', items: number },
      { type: 'boolean' },
      Array.from({ length: 120 }, (_, i) => i),
      'costs too much',
    ],
  ])('%s fails with its place', (expression, own, stored, self, problem) => {
    expect(yieldOf(expression, { own, stored }, self)).toEqual([expect.stringContaining(problem)]);
  });

  it('shares its budget with the other expressions of the object', () => {
    const many: Schema = { type: 'array', items: number };
    const schemas = { own: specOf({ a: many }), stored: specOf({ b: { type: 'boolean' } }) };
    const costly = 'self.all(a, self.all(b, a + b >= 0))';
    const evaluate = (said: string[]) =>
      instantiateExpressions([step(costly)], schemas)?.toStored({}, (_place, problem) => said.push(problem));
    const said: string[] = [];
    const one = evaluate(said);
    const list = Array.from({ length: 350 }, (_, i) => i);
    let done = 0;
    while (said.length === 0 && done < 100) if (one?.(0, list) === true) done++;
    expect(said).toEqual([expect.stringContaining('costs too much')]);
    expect(done).toBeGreaterThan(5);
    expect(evaluate(said)?.(0, list)).toBe(true);
  });
});

describe('a mistake in an expression', () => {
  const schemas: ConvertedSchemas = { own: specOf({ a: text, n: number }), stored: specOf({ b: number }) };
  const problems = (expression: string) =>
    compileExpressions([step(expression, 'string(self)')], schemas).flatMap(({ direction, outcome }) =>
      outcome.ok ? [] : [`${direction} ${outcome.problem}`],
    );

  it.each([
    ['int(self', 'toStored the expression cannot be compiled: 1:9 Syntax error'],
    ['self.size', "toStored the expression cannot be compiled: 1:5 type 'string' does not support field selection"],
    ['self', 'toStored the expression yields string for `spec.b`, which is int'],
    ['[1]', 'toStored the expression yields list(int) for `spec.b`, which is int'],
    ['object.spec.x', "undefined field 'x'"],
  ])('%s is reported', (expression, problem) => {
    expect(problems(expression)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    'int(self)',
    'size(self)',
    'object.spec.n',
    'null',
    'dyn(self)',
    'self == "" ? optional.none() : optional.of(1)',
  ])('does not exist in %s', (expression) => {
    expect(problems(expression)).toEqual([]);
  });
});

describe('printed expressions', () => {
  it('have the results of instantiated ones', () => {
    const steps: ConversionStep[] = [
      step('int(self) * 60', 'string(self / 60)'),
      {
        within: {
          path: 'spec',
          steps: [
            {
              expression: {
                field: 'c[].x',
                stored: 'c[].y',
                toStored: '[self, object.spec.a].join("/")',
                fromStored: 'self.split("/")[0]',
              },
            },
          ],
        },
      },
    ];
    const schemas: ConvertedSchemas = { own: specOf({ a: text }), stored: specOf({ b: number }) };
    const printed = printExpressions(steps, schemas) ?? '';
    expect(printed).toContain("place: 'spec.c[].y',");
    const body = transpileModule(
      printed.replace(/^import[^;]*;$/gm, '').replace('export const expressions: ConversionExpressions =', 'return'),
      {},
    ).outputText;
    const made: ConversionExpressions = new Function(...Object.keys(ruleSupport), body)(...Object.values(ruleSupport));
    for (const expressions of [made, instantiateExpressions(steps, schemas)]) {
      const said: string[] = [];
      const report = (place: string, problem: string) => said.push(`${place}: ${problem}`);
      const there = expressions?.toStored({ spec: { a: 'z' } }, report);
      expect([there?.(0, '2'), there?.(1, 'q'), there?.(0, 'x')]).toEqual([120, 'q/z', undefined]);
      const back = expressions?.fromStored({}, report);
      expect([back?.(0, 120), back?.(1, 'q/z')]).toEqual(['2', 'q']);
      expect(said).toEqual(["spec.b: `int(self) * 60` fails: type conversion error from 'string' to 'int'"]);
    }
  });

  it('are undefined if one cannot be compiled', () => {
    expect(printExpressions([step('self +')], { own: specOf({}) })).toBeUndefined();
    expect(printExpressions([], { own: specOf({}) })).toBeUndefined();
  });
});
