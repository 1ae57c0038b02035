/** PodDisruptionBudget: its amounts, its status and its columns. */
import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { definePodDisruptionBudgetStrategy } from '../../../../strategies/policy/poddisruptionbudgets.js';
import { testStrategy } from '../../../support/strategy-suite.js';
import { problemsOf } from '../../../support/workloads.js';

const strategy = definePodDisruptionBudgetStrategy();

const budget = (spec: JsonObject, status: JsonObject = {}): ApiObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'p' },
  spec,
  status,
});

testStrategy({
  strategy,
  stored: budget({ minAvailable: 1, selector: {} }),
  subresources: ['status'],
  columns: ['Min Available', 'Max Unavailable'],
});

it.each<[JsonObject, readonly string[]]>([
  [{}, []],
  [{ minAvailable: '100%' }, []],
  [{ minAvailable: 1, maxUnavailable: 1 }, ['spec']],
  [{ minAvailable: '101%' }, ['spec.minAvailable']],
  [{ maxUnavailable: -1 }, ['spec.maxUnavailable']],
  [{ maxUnavailable: '5' }, ['spec.maxUnavailable']],
  [{ selector: { matchLabels: { a: '-' } } }, ['spec.selector.matchLabels']],
])('%j', (spec, fields) => {
  expect(problemsOf(strategy, budget(spec)).map((problem) => problem.split(':', 1)[0])).toEqual(fields);
});

it('has no counts below zero', () => {
  expect(problemsOf(strategy, budget({}, { expectedPods: -1 }), 'status')).toHaveLength(1);
});

it('shows amounts, or N/A', () => {
  expect(strategy.cell?.(budget({ minAvailable: '5%' }), 'Min Available', 0)).toBe('5%');
  expect(strategy.cell?.(budget({ maxUnavailable: 0 }), 'Max Unavailable', 0)).toBe('0');
  expect(strategy.cell?.(budget({}), 'Max Unavailable', 0)).toBe('N/A');
});
