/** MutatingWebhookConfiguration: which webhooks are sound, and how tables show it. */
import type { Strategy } from '../../runtime/contract/index.js';
import { webhookCount, webhookErrors } from './webhooks.js';

export function defineMutatingWebhookConfigurationStrategy(): Strategy {
  return {
    kind: 'admissionregistration.platform.io/MutatingWebhookConfiguration',
    validate: webhookErrors,
    cell: (object, column) => (column === 'Webhooks' ? webhookCount(object) : undefined),
  };
}
