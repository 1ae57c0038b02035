/** MutatingWebhookConfiguration: the rules of its webhooks, and how tables show it. */
import type { MutatingWebhookConfiguration } from '../../generated/admissionregistration.platform.io/v1/mutatingwebhookconfigurations/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { checkWebhooks, webhookErrors } from './webhooks.js';

export const defineMutatingWebhookConfigurationStrategy = (): Strategy =>
  defineStrategy<MutatingWebhookConfiguration>('admissionregistration.platform.io/MutatingWebhookConfiguration', {
    prepareChecks: ({ webhooks }) => checkWebhooks(webhooks),
    validate: ({ webhooks }) => webhookErrors(webhooks),
    cell: ({ webhooks }, column) => (column === 'Webhooks' ? (webhooks?.length ?? 0) : undefined),
  });
