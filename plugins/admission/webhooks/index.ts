/** MutatingAdmissionWebhook and ValidatingAdmissionWebhook: webhooks are asked about the requests that they are for. */
import type { AdmissionHost, AdmissionPlugin, ResourceModule } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { WebhookCalls } from './line.js';
import { askInOrder } from './mutate.js';
import { askAll } from './validate.js';
import { WebhookSet } from './webhook-set.js';

/** Configurations of admission are never held against webhooks, so that a bad one can be taken away. */
const exempt: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** Webhooks that may change objects, one after the other. */
export function defineMutatingAdmissionWebhook(names: Naming, calls: WebhookCalls): AdmissionPlugin {
  const { followed, handles, start, reviewGroup } = following(names, calls, 'mutatingwebhookconfigurations');
  return {
    name: 'MutatingAdmissionWebhook',
    start,
    handles,
    admit(attributes, context) {
      const candidates = followed()?.candidates(attributes) ?? [];
      return candidates.length === 0 ? undefined : askInOrder(candidates, attributes, context, reviewGroup);
    },
  };
}

/** Webhooks that may refuse, all at once. */
export function defineValidatingAdmissionWebhook(names: Naming, calls: WebhookCalls): AdmissionPlugin {
  const { followed, handles, start, reviewGroup } = following(names, calls, 'validatingwebhookconfigurations');
  return {
    name: 'ValidatingAdmissionWebhook',
    start,
    handles,
    validate(attributes, context) {
      const candidates = followed()?.candidates(attributes) ?? [];
      return candidates.length === 0 ? undefined : askAll(candidates, attributes, context, reviewGroup);
    },
  };
}

/** The part of the plugins that is the same. They do nothing where their configurations are not served. */
function following({ rename }: Naming, calls: WebhookCalls, plural: string) {
  const group = rename('admissionregistration.platform.io');
  let set: WebhookSet | undefined;
  return {
    reviewGroup: rename('admission.platform.io'),
    followed: () => (calls.areAsked?.() === false ? undefined : set),
    start(host: AdmissionHost): void {
      const isServed = host.resources.all().some((each) => each.group === group && each.names.plural === plural);
      if (!isServed) return;
      set = new WebhookSet(host.resources, calls);
      host.follow(group, plural, set);
    },
    handles: (resource: ResourceModule): boolean =>
      set !== undefined && !(resource.group === group && exempt.has(resource.names.plural)),
  };
}
