/** Webhooks as they stand in configurations. */
import { expect, it } from 'vitest';
import { webhookSpecs } from '../../../../../plugins/admission/webhooks/webhook-spec.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';

const specOf = (webhook: JsonObject) =>
  webhookSpecs({ apiVersion: 'v1', kind: 'Configuration', metadata: { name: 'c' }, webhooks: [webhook] })[0];

it.each([
  [['v1', 'v1beta1'], 'v1'],
  [['v1beta1', 'v1'], 'v1beta1'],
  [['v7', 'v1'], 'v1'],
  [['v7'], undefined],
])('of the versions %j the first that is known counts', (admissionReviewVersions, review) => {
  expect(specOf({ admissionReviewVersions })?.review).toBe(review);
});

it('a stored webhook that has side effects is not called for dry runs', () => {
  expect(specOf({ sideEffects: 'Some' })?.allowsDryRun).toBe(false);
  expect(specOf({ sideEffects: 'NoneOnDryRun' })?.allowsDryRun).toBe(true);
});

it('a webhook has ten seconds where it says nothing', () => {
  expect(specOf({})?.timeoutMs).toBe(10_000);
  expect(specOf({ timeoutSeconds: 3 })?.timeoutMs).toBe(3000);
});
