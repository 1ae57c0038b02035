/** The cost of lists: 10 from a literal or a macro, and nothing for constants. */
import { describe, expect, it } from 'vitest';
import { listCost } from '../../../../../runtime/cel/check/call-cost.js';
import { baseEnvironment, compileExpression, dataTypeOf, Environment } from '../../../../../runtime/cel/index.js';

const data = dataTypeOf({ type: 'array', maxItems: 5, items: { type: 'integer' } }, 'selfType');
if (data === undefined) throw new Error('no type');
const environment = new Environment({ ...baseEnvironment, variables: { self: { type: data.type, data } } });

/** Returns the cost of an evaluation with five items, and the greatest estimate. */
function costs(text: string): { readonly spent: number; readonly most: number } {
  const compiled = compileExpression(text, environment);
  if (!compiled.ok) throw new Error(compiled.failure.issues[0]?.message);
  return {
    spent: compiled.expression.evaluate({ self: [1, 2, 3, 4, 5] }).cost,
    most: compiled.expression.cost.max,
  };
}

describe('costs of lists', () => {
  it('counts 10 for a literal beside its items', () => {
    expect(listCost).toBe(10);
    const item = costs('self[0] == 1').spent - 1;
    expect(costs('[self[0]] == [1]').spent).toBe(listCost + item + 1);
  });

  it('does not count a literal of constants, which is made once', () => {
    expect(costs('self == [1, 2]').spent).toBe(costs('self == self').spent - 1);
    expect(costs('self == [1, 2]').most).toBeGreaterThanOrEqual(costs('self == [1, 2]').spent);
  });

  it('counts the results of a macro item by item', () => {
    const { spent, most } = costs('self.map(x, x)');
    expect(spent).toBeGreaterThan(5 * listCost);
    expect(most).toBeGreaterThanOrEqual(spent);
  });

  it('never spends more than it estimates', () => {
    for (const text of [
      '[self[0], self[1]] == self',
      'self.filter(x, x in [x, 2]) == self',
      '[[self[0]], [2]] == [self]',
    ])
      expect(costs(text).most, text).toBeGreaterThanOrEqual(costs(text).spent);
  });

  it('gives a part of a text the size of `self`, by index as in a loop', () => {
    const object = { type: 'object', properties: { s: { type: 'string' } } } as const;
    const self = dataTypeOf(object, 'selfType');
    if (self === undefined) throw new Error('no type');
    const inObject = new Environment({ ...baseEnvironment, variables: { self: { type: self.type, data: self } } });
    const most = (text: string): number | undefined => {
      const compiled = compileExpression(text, inObject);
      return compiled.ok ? compiled.expression.cost.max : undefined;
    };
    const splitting = most("self.s.split(',').size() > 0") ?? 0;
    expect(most("self.s.split(',')[0].lowerAscii() == 'a'")).toBeLessThan(splitting + 10);
    expect(most("self.s.split(',').join('-') == 'a'")).toBe(Number.POSITIVE_INFINITY);
  });
});
