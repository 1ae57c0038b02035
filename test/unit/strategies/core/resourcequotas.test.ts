import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineResourceQuotas } from '../../../../strategies/core/resourcequotas.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineResourceQuotas(platformNaming);
const quota = (spec: JsonObject, status: JsonObject = {}): ApiObject =>
  objectOf(handlers, { spec, status }, { name: 'q', namespace: 'default' });

const selector = (expression: JsonObject): JsonObject => ({ scopeSelector: { matchExpressions: [expression] } });
const at = 'scopeSelector.matchExpressions';

it.each([
  [{ hard: { pods: '1500m' } }, ['hard[pods]']],
  [{ hard: { cpu: '-1' } }, ['hard[cpu]']],
  [{ hard: { bogus: '1' } }, ['hard[bogus]', 'hard[bogus]']],
  [{ hard: { 'requests.example.com/gpu': '1', 'count/things.example.com': '4' } }, []],
  [{ scopes: ['Nonsense'] }, ['scopes']],
  [{ scopes: ['Terminating', 'NotTerminating'] }, ['scopes']],
  [{ hard: { cpu: '1' }, scopes: ['BestEffort'] }, ['scopes']],
  [{ hard: { cpu: '1' }, scopes: ['NotBestEffort'] }, []],
  [{ hard: { services: '1' }, scopes: ['Terminating'] }, ['scopes']],
  [selector({ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }), []],
  [selector({ scopeName: 'PriorityClass', operator: 'In' }), [`${at}.values`]],
  [selector({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }), [`${at}.values`]],
  [selector({ scopeName: 'PriorityClass', operator: 'Near' }), [`${at}.operator`]],
  [selector({ scopeName: 'BestEffort', operator: 'In', values: ['a'] }), [`${at}.operator`]],
  [selector({ scopeName: '', operator: 'Exists' }), [`${at}.scopeName`]],
])('%j', (spec, fields) => {
  const found = errorFieldsOf(handlers, quota(spec));
  expect(found).toEqual(fields.map((field) => `spec.${field}`));
});

it('checks its status too', () => {
  const object = quota({}, { hard: { bogus: '1' }, used: { pods: '-1' } });
  const found = handlers.validate?.(object, contextOf({ subresource: 'status' })) ?? [];
  expect(found.map(({ field }) => field)).toEqual(['status.hard[bogus]', 'status.hard[bogus]', 'status.used[pods]']);
});

it('keeps its scopes, in any order', () => {
  const change = (scopes: string[]) =>
    handlers.validateUpdate?.(quota({ scopes }), quota({ scopes: ['Terminating', 'BestEffort'] }), contextOf());
  expect(change(['BestEffort', 'Terminating'])).toEqual([]);
  expect(change(['BestEffort'])).toMatchObject([{ field: 'spec.scopes' }]);
});

it('shows the used amounts', () => {
  const object = quota({}, { hard: { pods: '5', 'limits.cpu': '2', cpu: '4' }, used: { pods: '1' } });
  expect(handlers.columns?.Request?.(object, 0)).toBe('cpu: 0/4, pods: 1/5');
  expect(handlers.columns?.Limit?.(object, 0)).toBe('limits.cpu: 0/2');
});

it('refuses another operator for a plain scope in the words of the release', () => {
  const bad = quota(selector({ scopeName: 'BestEffort', operator: 'In', values: ['a'] }));
  const [error] = handlers.validate?.(bad, contextOf()) ?? [];
  expect(error?.message).toContain("must be 'Exist' when");
  expect(error?.later).toContain("must be 'Exists' when");
});
