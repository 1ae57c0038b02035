/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration: required and valid fields of webhooks. */
import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineMutatingWebhookConfigurations } from '../../../../strategies/admissionregistration.platform.io/mutatingwebhookconfigurations.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';

const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' };
const webhook = (more: JsonObject = {}): JsonObject => ({
  name: 'check.example.com',
  clientConfig: { url: 'https://example.com/check' },
  rules: [rule],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  sideEffects: 'None',
  timeoutSeconds: 10,
  admissionReviewVersions: ['v1'],
  ...more,
});
const configuration = (...webhooks: JsonObject[]): ApiObject => objectOf(mutating, { webhooks }, { name: 'c' });
const mutating = defineMutatingWebhookConfigurations();

const fields = (...webhooks: JsonObject[]) => errorFieldsOf(mutating, configuration(...webhooks));

it.each([
  [{ name: 'x' }, ['name']],
  [{ name: '' }, ['name']],
  [{ failurePolicy: 'Retry', matchPolicy: 'Loose' }, ['failurePolicy', 'matchPolicy']],
  [{ sideEffects: 'Some' }, ['sideEffects']],
  [{ timeoutSeconds: 31 }, ['timeoutSeconds']],
  [{ timeoutSeconds: 0 }, ['timeoutSeconds']],
  [{ reinvocationPolicy: 'Always' }, ['reinvocationPolicy']],
  [{ admissionReviewVersions: [] }, ['admissionReviewVersions']],
  [{ admissionReviewVersions: ['v2'] }, ['admissionReviewVersions']],
  [{ admissionReviewVersions: ['v1', 'v1'] }, ['admissionReviewVersions[1]']],
  [{ clientConfig: {} }, ['clientConfig']],
  [{ clientConfig: { url: 'http://example.com' } }, ['clientConfig.url']],
  [
    { clientConfig: { url: 'https://me@example.com/?a#b' } },
    ['clientConfig.url', 'clientConfig.url', 'clientConfig.url'],
  ],
  [{ clientConfig: { url: '' } }, ['clientConfig.url', 'clientConfig.url']],
  [{ clientConfig: { service: { name: 's', namespace: 'n', port: 443, path: '/a/b' } } }, []],
  [
    { clientConfig: { service: { name: 's', namespace: 'n', port: 0, path: 'a//b' } } },
    ['port', 'path', 'path', 'path'].map((name) => `clientConfig.service.${name}`),
  ],
  [{ namespaceSelector: { matchLabels: { 'bad key!': 'a' } } }, ['namespaceSelector.matchLabels']],
  [{ rules: [{}] }, ['operations', 'apiGroups', 'apiVersions', 'resources'].map((name) => `rules[0].${name}`)],
  [{ rules: [{ ...rule, operations: ['*', 'CREATE'] }] }, ['rules[0].operations']],
  [{ rules: [{ ...rule, resources: ['pods/*', 'pods/log'] }] }, ['rules[0].resources[1]']],
  [{ rules: [{ ...rule, resources: ['*', 'pods'] }] }, ['rules[0].resources']],
  [{ rules: [{ ...rule, scope: 'Universe' }] }, ['rules[0].scope']],
  [
    {
      matchConditions: [
        { name: 'a', expression: 'request.name == "x"' },
        { name: 'a', expression: 'nope' },
      ],
    },
    ['matchConditions[1].expression', 'matchConditions[1].name'],
  ],
])('%j', (more, expected) => expect(fields(webhook(more))).toEqual(expected.map((field) => `webhooks[0].${field}`)));

it('accepts each name once, and counts webhooks', () => {
  expect(fields(webhook(), webhook())).toEqual(['webhooks[1].name']);
  expect(mutating.columns?.Webhooks?.(configuration(webhook(), webhook()), 0)).toBe(2);
});
