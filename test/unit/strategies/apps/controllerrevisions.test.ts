/** ControllerRevision: data and cells. */
import { expect, it } from 'vitest';
import type { ApiObject, JsonValue } from '../../../../runtime/contract/index.js';
import { defineControllerRevisionStrategy } from '../../../../strategies/apps/controllerrevisions.js';
import { testStrategy } from '../../../support/strategy-suite.js';
import { changeProblemsOf, problemsOf } from '../../../support/workloads.js';

const strategy = defineControllerRevisionStrategy();
const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true };

const revision = (data: JsonValue | undefined, apiVersion = 'apps/v1'): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'r', ownerReferences: [{ ...owner, apiVersion }] },
  revision: 3,
  ...(data === undefined ? {} : { data }),
});

testStrategy({
  strategy,
  stored: revision({ a: 1 }),
  columns: ['Controller', 'Revision'],
});

it('has data that cannot change', () => {
  expect(problemsOf(strategy, revision(undefined))).toEqual(['data: Required value: data is mandatory']);
  expect(changeProblemsOf(strategy, revision({ a: 2 }), revision({ a: 1 }))[0]).toContain('field is immutable');
});

it('has a number that is not negative', () => {
  expect(problemsOf(strategy, { ...revision({ a: 1 }), revision: -2 })).toEqual([
    'revision: Invalid value: -2: must be greater than or equal to 0',
  ]);
});

it('shows its owner', () => {
  expect(strategy.cell?.(revision({}), 'Controller', 0)).toBe('statefulset.apps/s');
  expect(strategy.cell?.(revision({}, 'v1'), 'Controller', 0)).toBe('statefulset/s');
  expect(strategy.cell?.({ ...revision({}), metadata: {} }, 'Controller', 0)).toBe('<none>');
});
