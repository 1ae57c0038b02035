/** Tells at the start that stored admission webhooks have no effect, as the server does not call them. */
import type { Store } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { collectionPrefix } from '../runtime/server/index.js';

const kinds = {
  validatingwebhookconfigurations: 'ValidatingWebhookConfiguration',
  mutatingwebhookconfigurations: 'MutatingWebhookConfiguration',
} as const;

/** A sentence for each kind of which there are objects. They are counted, not read: that loads no code of the kinds. */
export function webhookNotices(store: Pick<Store, 'count'>, naming: Naming): readonly string[] {
  const group = naming.rename('admissionregistration.platform.io');
  return Object.entries(kinds).flatMap(([plural, kind]) => {
    const stored = store.count(collectionPrefix(group, plural));
    if (stored === 0) return [];
    const objects = stored === 1 ? `the stored ${kind} has` : `the ${stored} stored ${kind}s have`;
    return [`${objects} no effect: this server does not call admission webhooks yet`];
  });
}
