/** ValidatingWebhookConfiguration: the rules of its webhooks, and how tables show it. */
import { defineValidatingWebhookConfigurationHandlers } from '../../generated/admissionregistration.platform.io/v1/validatingwebhookconfigurations/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { checkWebhooks, webhookErrors } from './mutatingwebhookconfigurations.js';

export const defineValidatingWebhookConfigurations = (): KindHandlers =>
  defineValidatingWebhookConfigurationHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    prepareChecks: ({ webhooks }) => checkWebhooks(webhooks),
    validate: ({ webhooks }) => webhookErrors(webhooks),
    columns: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
  });
