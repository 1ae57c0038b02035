/** Compares rules, functions and costs with Kubernetes' own table tests. */
import { describe, expect, it } from 'vitest';
import {
  type CompileResult,
  compileExpression,
  dataTypeOf,
  Environment,
  laterEnvironment,
} from '../../../../runtime/cel/index.js';
import { expressionRows, type RuleRow, ruleRows } from '../../../support/cel/tables.js';
import { hasShared } from '../../../support/shared.js';

/** Rules with a different outcome, and the reason. */
const knownRules: Readonly<Record<string, string>> = {
  "'%e'.format([3.14]) == '3.140000\u202f×\u202f10⁰⁰'": 'release 1.36 writes numbers without narrow spaces',
  'has(self.intorstring)': 'data is taken to fit its schema until it is looked at',
  'has(self.l)': 'data is taken to fit its schema until it is looked at',
  'has(self.lm)': 'data is taken to fit its schema until it is looked at',
  'has(self.m)': 'data is taken to fit its schema until it is looked at',
  'has(self.o)': 'data is taken to fit its schema until it is looked at',
  'has(self.s)': 'data is taken to fit its schema until it is looked at',
  "self.nullable[0] == 'x'": 'a null that the schema does not allow is reported in other words',
};

/** Costs that differ, with the reason. */
const knownCosts: Readonly<Record<string, string>> = {
  "!self.listMap.all(m, m.v2 != 'z')": 'a call whose arguments fail is not paid for',
  "self.listMap.exists(m, m.v2 == 'z')": 'a call whose arguments fail is not paid for',
  "optional.of('a').optMap(v, v == 'value').hasValue()": 'a bound variable is taken to be of any size',
};

function environmentOf({ schema, isRoot }: RuleRow): Environment {
  const data = dataTypeOf(schema, 'selfType', { isResource: isRoot, plainKeywords: true });
  if (data === undefined) throw new Error('no type');
  const variable = { type: data.type, data };
  return new Environment({ ...laterEnvironment, variables: { self: variable, oldSelf: variable } });
}

const shown = (result: CompileResult): string =>
  result.ok ? '' : result.failure.issues.map(({ message }) => message).join('; ');

describe.skipIf(!hasShared)('public table tests (skipped if they are not beside the checkout)', () => {
  it('finds that rules hold, and that they fail as they should', () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const row of ruleRows('TestValidationExpressions')) {
      const environment = environmentOf(row);
      const variables = { self: row.self, oldSelf: row.oldSelf };
      const wanted: [string, string | undefined][] = [
        ...row.valid.map((rule): [string, undefined] => [rule, undefined]),
        ...Object.entries(row.errors),
      ];
      for (const [rule, error] of wanted) {
        if (Object.hasOwn(knownRules, rule) && (error !== undefined || rule.startsWith("'%e'"))) continue;
        compared++;
        const compiled = compileExpression(rule, environment);
        const outcome = compiled.ok ? compiled.expression.evaluate(variables) : undefined;
        const found = outcome === undefined ? shown(compiled) : outcome.ok ? String(outcome.value) : outcome.message;
        const right =
          error === undefined
            ? found === 'true'
            : !compiled.ok ||
              (outcome?.ok === false
                ? similar(outcome.message, error)
                : error.includes('failed rule') && found === 'false');
        if (!right) wrong.push(`${row.name}: ${rule} => ${found}, not ${error ?? 'true'}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(700);
  });

  it('evaluates at the same cost', () => {
    const wrong: string[] = [];
    for (const row of ruleRows('TestCelCostStability')) {
      const environment = environmentOf(row);
      for (const [rule, cost] of Object.entries(row.costs)) {
        if (Object.hasOwn(knownCosts, rule) || Object.hasOwn(knownRules, rule)) continue;
        const compiled = compileExpression(rule, environment);
        if (!compiled.ok) wrong.push(`${rule}: ${shown(compiled)}`);
        else {
          const found = compiled.expression.evaluate({ self: row.self, oldSelf: row.oldSelf }).cost;
          if (found !== cost) wrong.push(`${row.name}: ${rule} costs ${found}, not ${cost}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('estimates the same costs', () => {
    const wrong: string[] = [];
    for (const row of ruleRows('TestCelEstimatedCostStability')) {
      const environment = environmentOf(row);
      for (const [rule, cost] of Object.entries(row.costs)) {
        if (Object.hasOwn(knownCosts, rule) || typeof cost !== 'number') continue;
        const compiled = compileExpression(rule, environment);
        if (!compiled.ok) wrong.push(`${rule}: ${shown(compiled)}`);
        else {
          const { max } = compiled.expression.cost;
          if (max !== cost) wrong.push(`${row.name}: ${rule} is estimated ${max}, not ${cost}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  // The rules above test costs of constant expressions: the rows do not evaluate constants beforehand.
  it('knows the functions of the libraries', () => {
    const environment = new Environment({ ...laterEnvironment, mixedLiterals: true });
    const wrong: string[] = [];
    let compared = 0;
    for (const { test, expr, value, error, cost } of expressionRows()) {
      if (/TestAuthzLibrary|TestSemver/.test(test) || expr.startsWith('jsonpatch.')) continue;
      compared++;
      const compiled = compileExpression(expr, environment);
      if (!compiled.ok) {
        if (value !== null || error !== '') wrong.push(`${expr}: ${shown(compiled)}`);
        continue;
      }
      const outcome = compiled.expression.evaluate({});
      if (error !== '' ? outcome.ok : !outcome.ok)
        wrong.push(`${expr} => ${outcome.ok ? String(outcome.value) : outcome.message}`);
      else if (outcome.ok && typeof value === 'boolean' && outcome.value !== value)
        wrong.push(`${expr} => ${outcome.value}`);
      if (cost !== undefined && !/TestStringLibrary|TestTwoVariable|TestSets/.test(test) && outcome.cost !== cost)
        wrong.push(`${expr} costs ${outcome.cost}, not ${cost}`);
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(300);
  });
});

/** Returns whether a message equals the wanted one, ignoring its place. */
function similar(message: string, wanted: string): boolean {
  return wanted.includes(message) || message.includes(wanted) || words(wanted).some((part) => message.includes(part));
}

const words = (text: string): string[] => text.split(': ').slice(-1);
