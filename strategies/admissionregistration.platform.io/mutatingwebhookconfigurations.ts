/** MutatingWebhookConfiguration: the rules of its webhooks, and how tables show it. */
import { defineMutatingWebhookConfigurationHandlers } from '../../generated/admissionregistration.platform.io/v1/mutatingwebhookconfigurations/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { checkWebhooks, webhookErrors } from './webhooks.js';

export const defineMutatingWebhookConfigurations = (): KindHandlers =>
  defineMutatingWebhookConfigurationHandlers({
    prepareChecks: ({ webhooks }) => checkWebhooks(webhooks),
    validate: ({ webhooks }) => webhookErrors(webhooks),
    columns: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
  });
