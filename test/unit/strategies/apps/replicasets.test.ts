import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineReplicaSets } from '../../../../strategies/apps/replicasets.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { changeErrorsOf, errorsOf } from '../../../support/field-errors.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineReplicaSets(servingOf(platformNaming));

const replicas = (spec: JsonObject = {}, status: JsonObject = {}): ApiObject => storedLike(handlers, { spec, status });

it.each<[JsonObject, number]>([
  [{}, 0],
  [{ selector: { matchLabels: { app: 'b' } } }, 1],
  [{ selector: { matchLabels: {} } }, 1],
  [{ template: podTemplate({ restartPolicy: 'Never' }) }, 1],
  [{ template: podTemplate({}, { app: 'b' }) }, 1],
])('%j has %d mistakes', (spec, count) => expect(errorsOf(handlers, replicas(spec))).toHaveLength(count));

it('keeps its selector', () => {
  expect(changeErrorsOf(handlers, replicas({ selector: { matchLabels: { b: 'c' } } }), replicas())).toHaveLength(1);
  expect(changeErrorsOf(handlers, replicas({ replicas: 9 }), replicas())).toEqual([]);
});

it('checks only the status in a status update', () => {
  const status = { replicas: 1, fullyLabeledReplicas: 2, observedGeneration: -1, terminatingReplicas: -1 };
  expect(errorsOf(handlers, replicas({ selector: {} }, status), 'status')).toEqual([
    'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
    'status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0',
    'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
  ]);
});

it.each([
  ['Desired', 2],
  ['Current', 1],
  ['Ready', 0],
  ['Selector', 'app=a,!b,c in (d,e),f,g notin (h)'],
])('shows %s as %j', (column, expected) => {
  const matchExpressions = [
    { key: 'g', operator: 'NotIn', values: ['h'] },
    { key: 'f', operator: 'Exists' },
    { key: 'c', operator: 'In', values: ['e', 'd'] },
    { key: 'b', operator: 'DoesNotExist' },
  ];
  const object = replicas({ selector: { matchLabels: { app: 'a' }, matchExpressions } }, { replicas: 1 });
  expect(handlers.columns?.[column]?.(object, 0)).toBe(expected);
});
