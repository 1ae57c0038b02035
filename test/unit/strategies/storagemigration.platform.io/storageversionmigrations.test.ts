import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineStorageVersionMigrations } from '../../../../strategies/storagemigration.platform.io/storageversionmigrations.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineStorageVersionMigrations();
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const condition = (type: string, status = 'True'): JsonObject => ({
  type,
  status,
  lastUpdateTime: '2024-01-01T00:00:00Z',
  reason: 'Listed',
});
const migration = (status: JsonObject, resource: JsonObject = deployments): ApiObject =>
  objectOf(handlers, { spec: { resource }, status }, { name: 'deployments' });

const ofStatus = contextOf({ subresource: 'status' });

it.each([
  [{ conditions: [condition('Running')], resourceVersion: '12' }, []],
  [{ resourceVersion: '-1' }, ['resourceVersion']],
  [{ conditions: [condition('Running'), condition('Running', 'False')] }, ['conditions[1].type']],
  [{ conditions: [condition('run ning')] }, ['conditions[0].type']],
  [{ conditions: [condition('Running', 'Yes')] }, ['conditions[0].status']],
  [{ conditions: [{ type: 'Running', status: 'True' }] }, ['conditions[0].lastUpdateTime', 'conditions[0].reason']],
  [{ conditions: [condition('Running'), condition('Succeeded')] }, ['conditions']],
  [{ conditions: [condition('Failed'), condition('Succeeded')] }, ['conditions']],
  [{ conditions: [condition('Running', 'False'), condition('Succeeded')] }, []],
])('%j', (status, expected) => {
  const found = handlers.validate?.(migration(status), ofStatus) ?? [];
  expect(found.map(({ field }) => field)).toEqual(expected.map((field) => `status.${field}`));
});

it.each([
  [{}, ['spec.resource.resource', 'spec.resource.version']],
  [{ resource: 'pods', version: 'v1' }, []],
])('the resource %j', (resource, expected) => {
  const found = handlers.validate?.(migration({}, resource), contextOf({})) ?? [];
  expect(found.map(({ field }) => field)).toEqual(expected);
});

it('never changes its resource', () => {
  const change = (resource: JsonObject) =>
    handlers.validateUpdate?.(migration({}, resource), migration({}), contextOf({})) ?? [];
  expect(change(deployments)).toEqual([]);
  expect(change({ ...deployments, group: '', version: 'v2' }).map(({ field, message }) => [field, message])).toEqual([
    ['spec.resource.group', 'Invalid value: "": field is immutable'],
    ['spec.resource.version', 'Invalid value: "v2": field is immutable'],
  ]);
});

it('keeps its end and the revision of its start', () => {
  const change = (now: JsonObject, old: JsonObject) =>
    (handlers.validateUpdate?.(migration(now), migration(old), ofStatus) ?? []).map(({ field }) => field);
  expect(change({ resourceVersion: '5' }, {})).toEqual([]);
  expect(change({ resourceVersion: '6' }, { resourceVersion: '5' })).toEqual(['status.resourceVersion']);
  expect(change({ conditions: [condition('Running')] }, { conditions: [condition('Failed')] })).toEqual([
    'status.conditions',
  ]);
  expect(change({ conditions: [condition('Succeeded')] }, { conditions: [condition('Running')] })).toEqual([]);
});

it.each([
  [[], 'Pending'],
  [[condition('Running')], 'Running'],
  [[condition('Running', 'False'), condition('Succeeded')], 'Succeeded'],
  [[condition('Running', 'False'), condition('Failed')], 'Failed'],
])('shows %j as %s', (conditions, state) => {
  expect(handlers.columns?.Status?.(migration({ conditions }), 0)).toBe(state);
  expect(handlers.columns?.Resource?.(migration({}), 0)).toBe('deployments.apps');
  expect(handlers.columns?.Resource?.(migration({}, { resource: 'pods' }), 0)).toBe('pods');
});
