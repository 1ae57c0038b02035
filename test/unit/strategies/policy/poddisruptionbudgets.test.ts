/** PodDisruptionBudget: its amounts, its status and its columns. */
import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { definePodDisruptionBudgets } from '../../../../strategies/policy/poddisruptionbudgets.js';
import { testHandlers } from '../../../support/handlers-suite.js';
import { problemsOf } from '../../../support/workloads.js';

const handlers = definePodDisruptionBudgets();

const budget = (spec: JsonObject, status: JsonObject = {}): ApiObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'p' },
  spec,
  status,
});

testHandlers({
  handlers,
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
  expect(problemsOf(handlers, budget(spec)).map((problem) => problem.split(':', 1)[0])).toEqual(fields);
});

it('has no counts below zero', () => {
  expect(problemsOf(handlers, budget({}, { expectedPods: -1 }), 'status')).toHaveLength(1);
});

it('shows amounts, or N/A', () => {
  expect(handlers.columns?.['Min Available']?.(budget({ minAvailable: '5%' }), 0)).toBe('5%');
  expect(handlers.columns?.['Max Unavailable']?.(budget({ maxUnavailable: 0 }), 0)).toBe('0');
  expect(handlers.columns?.['Max Unavailable']?.(budget({}), 0)).toBe('N/A');
});
