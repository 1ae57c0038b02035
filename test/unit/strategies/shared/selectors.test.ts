import { describe, expect, it } from 'vitest';
import type { LabelSelector } from '../../../../generated/types/meta/v1/types.js';
import type { Draft } from '../../../../runtime/contract/index.js';
import { isEmptySelector, selectorMatches, validateLabelSelector } from '../../../../strategies/shared/selectors.js';

const expression = (operator: string, values?: readonly string[]): Draft<LabelSelector> => ({
  matchExpressions: [{ key: 'a', operator, ...(values ? { values: [...values] } : {}) }],
});

describe('mistakes of a selector', () => {
  it.each<[Draft<LabelSelector> | undefined, readonly string[]]>([
    [undefined, []],
    [{}, []],
    [{ matchLabels: { a: 'b' } }, []],
    [{ matchLabels: { a: '-' } }, ['spec.selector.matchLabels']],
    [expression('In', ['x']), []],
    [expression('In'), ['spec.selector.matchExpressions[0].values']],
    [expression('Exists', ['x']), ['spec.selector.matchExpressions[0].values']],
    [expression('Gt', ['1']), ['spec.selector.matchExpressions[0].operator']],
    [expression('In', ['x', '-y']), ['spec.selector.matchExpressions[0].values[1]']],
  ])('%j', (selector, fields) =>
    expect(validateLabelSelector(selector, 'spec.selector').map(({ field }) => field)).toEqual(fields),
  );
});

it.each<[Draft<LabelSelector> | undefined, boolean]>([
  [undefined, false],
  [{}, true],
  [{ matchLabels: {}, matchExpressions: [] }, true],
  [{ matchLabels: { a: 'b' } }, false],
  [expression('Exists'), false],
])('%j is empty: %j', (selector, empty) => expect(isEmptySelector(selector)).toBe(empty));

it.each<[Draft<LabelSelector> | undefined, boolean]>([
  [undefined, false],
  [{}, true],
  [{ matchLabels: { a: '1' } }, true],
  [{ matchLabels: { a: '1', b: '2' } }, false],
  [expression('Exists'), true],
  [expression('DoesNotExist'), false],
  [expression('Unknown'), false],
])('%j selects a=1: %j', (selector, selected) => expect(selectorMatches(selector, { a: '1' })).toBe(selected));
