/** ValidatingWebhookConfiguration: the rules of its webhooks, and how tables show it. */
import { defineValidatingWebhookConfigurationHandlers } from '../../generated/admissionregistration.platform.io/v1/validatingwebhookconfigurations/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { checkWebhooks, webhookErrors } from './mutatingwebhookconfigurations.js';

export function defineValidatingWebhookConfigurations({ does }: Pick<Release, 'does'> = emulate()): KindHandlers {
  const later = does('laterPolicies');
  return defineValidatingWebhookConfigurationHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    prepareChecks: ({ webhooks }) => checkWebhooks(webhooks, later),
    validate: ({ webhooks }) => webhookErrors(webhooks, later),
    columns: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
  });
}
