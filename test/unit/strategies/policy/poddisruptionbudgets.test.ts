import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { definePodDisruptionBudgets } from '../../../../strategies/policy/poddisruptionbudgets.js';
import { errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = definePodDisruptionBudgets();

const budget = (spec: JsonObject, status: JsonObject = {}): ApiObject =>
  objectOf(handlers, { spec, status }, { name: 'p' });

it.each<[JsonObject, readonly string[]]>([
  [{}, []],
  [{ minAvailable: '100%' }, []],
  [{ minAvailable: 1, maxUnavailable: 1 }, ['spec']],
  [{ minAvailable: '101%' }, ['spec.minAvailable']],
  [{ maxUnavailable: -1 }, ['spec.maxUnavailable']],
  [{ maxUnavailable: '5' }, ['spec.maxUnavailable']],
  [{ selector: { matchLabels: { a: '-' } } }, ['spec.selector.matchLabels']],
])('%j', (spec, fields) =>
  expect(errorsOf(handlers, budget(spec)).map((problem) => problem.split(':', 1)[0])).toEqual(fields),
);

it('refuses counts below zero', () =>
  expect(errorsOf(handlers, budget({}, { expectedPods: -1 }), 'status')).toHaveLength(1));

it('shows amounts, or N/A', () => {
  expect(handlers.columns?.['Min Available']?.(budget({ minAvailable: '5%' }), 0)).toBe('5%');
  expect(handlers.columns?.['Max Unavailable']?.(budget({ maxUnavailable: 0 }), 0)).toBe('0');
  expect(handlers.columns?.['Max Unavailable']?.(budget({}), 0)).toBe('N/A');
});
