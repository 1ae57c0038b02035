import { expect, it } from 'vitest';
import type { ApiObject, JsonValue } from '../../../../runtime/contract/index.js';
import { defineControllerRevisions } from '../../../../strategies/apps/controllerrevisions.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineControllerRevisions();
const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true };

const revision = (data: JsonValue | undefined, apiVersion = 'apps/v1'): ApiObject =>
  objectOf(
    handlers,
    { revision: 3, ...(data === undefined ? {} : { data }) },
    { name: 'r', ownerReferences: [{ ...owner, apiVersion }] },
  );

it('has data that cannot change', () => {
  expect(errorsOf(handlers, revision(undefined))).toEqual(['data: Required value: data is mandatory']);
  expect(changeErrorsOf(handlers, revision({ a: 2 }), revision({ a: 1 }))[0]).toContain('field is immutable');
});

it('has a number that is not negative', () =>
  expect(errorsOf(handlers, { ...revision({ a: 1 }), revision: -2 })).toEqual([
    'revision: Invalid value: -2: must be greater than or equal to 0',
  ]));

it('shows its owner', () => {
  expect(handlers.columns?.Controller?.(revision({}), 0)).toBe('statefulset.apps/s');
  expect(handlers.columns?.Controller?.(revision({}, 'v1'), 0)).toBe('statefulset/s');
  expect(handlers.columns?.Controller?.({ ...revision({}), metadata: {} }, 0)).toBe('<none>');
});
