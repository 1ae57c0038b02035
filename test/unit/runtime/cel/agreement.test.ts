/** Compiled programs have the results of the interpreter, and printed programs have the results of compiled ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, dataTypeOf, Environment, laterEnvironment } from '../../../../runtime/cel/index.js';
import { expressions, objects, schema } from '../../../support/cel/arbitrary-rules.js';
import { interpret, readWhole } from '../../../support/cel/interpreter.js';
import { evaluatePrinted } from '../../../support/cel/printed.js';
import { same } from '../../../support/cel/same-value.js';
import { effort } from '../../../support/effort.js';

/** Makes messages equal: lists of data and lists of an expression word an index past the end differently. */
const plain = (message: string): string => message.replace(/^index .*/, 'index out of bounds');

describe('compiled and interpreted expressions', () => {
  const data = dataTypeOf(schema, 'self');
  const variable = data && { type: data.type, data };
  const environment = new Environment({
    ...laterEnvironment,
    variables: variable ? { self: variable, oldSelf: variable } : {},
  });

  it('agree on values and errors', () => {
    let evaluated = 0;
    let failed = 0;
    const anything = fc.oneof(expressions.bool, expressions.int, expressions.text, expressions.texts);
    fc.assert(
      fc.property(anything, objects, objects, (text, self, oldSelf) => {
        if (data === undefined) throw new Error('no type');
        const compiled = compileExpression(text, environment);
        if (!compiled.ok && compiled.failure.phase === 'program') return;
        if (!compiled.ok) throw new Error(`${text}: ${compiled.failure.issues[0]?.message}`);
        const { expr, checked } = compiled.expression;
        const wanted = interpret(expr, checked, { self: readWhole(self, data), oldSelf: readWhole(oldSelf, data) });
        const found = compiled.expression.evaluate({ self, oldSelf });
        evaluated++;
        if (!found.ok) failed++;
        if (found.ok && wanted.ok) expect(same(found.value, wanted.value), text).toBe(true);
        else
          expect(found.ok ? 'a value' : plain(found.message), text).toBe(wanted.ok ? 'a value' : plain(wanted.message));
      }),
      { numRuns: effort('KINDFORGE_CEL_RUNS', 500, 3000) },
    );
    expect(evaluated - failed).toBeGreaterThan(evaluated / 10);
    expect(failed).toBeGreaterThan(evaluated / 10);
  });

  it('are printed as they are compiled: values, errors, costs, and the point at which a budget ends', () => {
    const reasons = new Set<string>();
    const anything = fc.oneof(expressions.bool, expressions.int, expressions.text, expressions.texts);
    const budgets = fc.option(fc.nat(30), { nil: undefined });
    fc.assert(
      fc.property(anything, objects, objects, budgets, (text, self, oldSelf, budget) => {
        const compiled = compileExpression(text, environment);
        if (!compiled.ok) return;
        const wanted = compiled.expression.evaluate({ self, oldSelf }, budget);
        reasons.add(wanted.ok ? 'value' : wanted.reason);
        expect(evaluatePrinted(compiled.expression, { self, oldSelf }, budget), text).toEqual(wanted);
      }),
      { numRuns: effort('KINDFORGE_CEL_RUNS', 150, 2000) },
    );
    expect([...reasons].sort()).toEqual(['budget', 'error', 'value']);
  });
});
