/** FlowSchema and PriorityLevelConfiguration: rules, levels and cells. */

import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineFlowSchemas } from '../../../../strategies/flowcontrol.platform.io/flowschemas.js';
import { definePriorityLevelConfigurations } from '../../../../strategies/flowcontrol.platform.io/prioritylevelconfigurations.js';
import { errorFieldsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const group = { kind: 'Group', group: { name: 'a' } };
const resourceRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const object = (kind: string, name: string, spec: JsonObject, status: JsonObject = {}): ApiObject => ({
  apiVersion: 'flowcontrol.platform.io/v1beta3',
  kind,
  metadata: { name },
  spec,
  status,
});
const flow = (more: JsonObject = {}, name = 'f') =>
  object('FlowSchema', name, {
    priorityLevelConfiguration: { name: 'l' },
    matchingPrecedence: 10,
    rules: [{ subjects: [group], resourceRules: [resourceRule] }],
    ...more,
  });
const level = (spec: JsonObject, name = 'l') => object('PriorityLevelConfiguration', name, spec);
const queued = (queuing: JsonObject): JsonObject => ({
  type: 'Limited',
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Queue', queuing } },
});
const soundQueues = { queues: 64, handSize: 8, queueLengthLimit: 50 };
const schemas = defineFlowSchemas();
const levels = definePriorityLevelConfigurations(emulate());

const ruled = (rule: JsonObject): JsonObject => ({
  rules: [{ subjects: [group], resourceRules: [resourceRule], ...rule }],
});

it.each([
  [{ matchingPrecedence: 1 }, ['matchingPrecedence']],
  [{ distinguisherMethod: { type: 'ByColour' } }, ['distinguisherMethod.type']],
  [{ priorityLevelConfiguration: { name: '' } }, ['priorityLevelConfiguration.name']],
  [ruled({ subjects: [] }), ['rules[0].subjects']],
  [ruled({ resourceRules: [] }), ['rules[0]']],
  [ruled({ subjects: [{ kind: 'Robot' }] }), ['rules[0].subjects[0].kind']],
  [
    ruled({ subjects: [{ kind: 'User', group: { name: 'a' } }] }),
    ['rules[0].subjects[0].user', 'rules[0].subjects[0].group'],
  ],
  [
    ruled({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: '' } }] }),
    ['rules[0].subjects[0].serviceAccount.namespace'],
  ],
  [ruled({ resourceRules: [{ ...resourceRule, verbs: ['eat'] }] }), ['rules[0].resourceRules[0].verbs']],
  [ruled({ resourceRules: [{ ...resourceRule, verbs: ['*', 'get'] }] }), ['rules[0].resourceRules[0].verbs']],
  [ruled({ resourceRules: [{ ...resourceRule, namespaces: [] }] }), ['rules[0].resourceRules[0].namespaces']],
  [ruled({ resourceRules: [{ ...resourceRule, namespaces: [], clusterScope: true }] }), []],
  [
    ruled({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['a', '/b*', '/c/*', '//d', '/', ''] }] }),
    [0, 1, 3, 5].map((i) => `rules[0].nonResourceRules[0].nonResourceURLs[${i}]`),
  ],
])('schema %j', (more, expected) =>
  expect(errorFieldsOf(schemas, flow(more))).toEqual(expected.map((field) => `spec.${field}`)),
);

it.each([
  [{ type: 'Exempt' }, ['type']],
  [{ type: 'Other' }, ['type']],
  [{ type: 'Limited' }, ['limited']],
  [{ type: 'Limited', limited: { limitResponse: { type: 'Wait' } } }, ['limited.limitResponse.type']],
  [{ type: 'Limited', limited: { limitResponse: { type: 'Queue' } } }, ['limited.limitResponse.queuing']],
  [{ type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: {} } } }, ['limited.limitResponse.queuing']],
  [queued({ ...soundQueues, handSize: 65 }), ['limited.limitResponse.queuing.handSize']],
  [queued({ ...soundQueues, handSize: 11 }), ['limited.limitResponse.queuing.handSize']],
  [queued({ ...soundQueues, handSize: 10 }), []],
])('level %j', (spec, expected) =>
  expect(errorFieldsOf(levels, level(spec))).toEqual(expected.map((field) => `spec.${field}`)),
);

it('keeps mandatory objects unchanged', () => {
  expect(errorFieldsOf(levels, level({ type: 'Exempt' }, 'exempt'))).toEqual([]);
  expect(errorFieldsOf(levels, level(queued(soundQueues), 'catch-all'))).toEqual(['spec']);
  expect(errorFieldsOf(schemas, flow({}, 'catch-all'))).toEqual(['spec']);
});

it('requires types of conditions', () => {
  const status = { conditions: [{ type: 'Dangling', status: 'True' }, {}] };
  const found = schemas.validate?.(object('FlowSchema', 'f', {}, status), contextOf({ subresource: 'status' }));
  expect(found).toMatchObject([{ field: 'status.conditions[1].type', message: 'Required value: must not be empty' }]);
  expect(schemas.columns?.MissingPL?.(object('FlowSchema', 'f', {}, status), 0)).toBe('True');
  expect(schemas.columns?.MissingPL?.(flow(), 0)).toBe('?');
  expect(schemas.columns?.DistinguisherMethod?.(flow(), 0)).toBe('<none>');
});

it('shows numbers if they exist', () => {
  const columns = ['NominalConcurrencyShares', 'Queues', 'HandSize', 'QueueLengthLimit'];
  const cells = (spec: JsonObject) => columns.map((column) => levels.columns?.[column]?.(level(spec), 0));
  expect(cells(queued(soundQueues))).toEqual([5, 64, 8, 50]);
  expect(cells({ type: 'Exempt' })).toEqual(Array.from({ length: 4 }, () => '<none>'));
});

it('lets the unbounded level reserve and lend seats from release 1.28 on, and no other level', () => {
  const later = definePriorityLevelConfigurations(emulate('latest'));
  const spec = { type: 'Exempt', exempt: { nominalConcurrencyShares: 3, lendablePercent: 50 } };
  expect(errorFieldsOf(later, level(spec, 'exempt'))).toEqual([]);
  const limited = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } }, exempt: {} };
  expect(errorFieldsOf(later, level(limited))).toEqual(['spec.exempt']);
  const made = level({ type: 'Exempt' }, 'exempt');
  later.canonicalize?.(made);
  expect(made.spec).toMatchObject({ exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } });
});
