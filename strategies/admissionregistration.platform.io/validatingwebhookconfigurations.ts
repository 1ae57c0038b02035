/** ValidatingWebhookConfiguration: the rules of its webhooks, and how tables show it. */
import { defineValidatingWebhookConfigurationHandlers } from '../../generated/admissionregistration.platform.io/v1/validatingwebhookconfigurations/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { webhookChecks } from './mutatingwebhookconfigurations.js';

export function defineValidatingWebhookConfigurations(release: Release = emulate()): KindHandlers {
  return defineValidatingWebhookConfigurationHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    ...webhookChecks(release),
    columns: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
  });
}
