/** MutatingAdmissionWebhook and ValidatingAdmissionWebhook: webhooks are asked about the requests that they are for. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { defineAdmissionPlugin } from '../define-admission-plugin.js';
import type { AskSettings } from './asking.js';
import type { WebhookCalls } from './calls.js';
import { type WebhookConfiguration, webhookConfiguration } from './configuration.js';
import { explainNotAsked } from './explain.js';
import { askInOrder } from './mutate.js';
import { askAll } from './validate.js';
import { type CandidateWebhook, WebhookSet } from './webhook-set.js';

/** Configurations of admission are never held against webhooks, so that a bad one can be taken away. */
const exempt: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** Webhooks that may change objects, one after the other. */
export function defineMutatingAdmissionWebhook(names: Naming, calls: WebhookCalls): AdmissionPlugin {
  const { candidatesFor, settings, ...shared } = following(names, calls, 'admit', 'mutatingwebhookconfigurations');
  return defineAdmissionPlugin<WebhookConfiguration>({
    ...shared,
    name: 'MutatingAdmissionWebhook',
    admit(attributes, context) {
      const candidates = candidatesFor(attributes, context);
      return candidates.length === 0 ? undefined : askInOrder(candidates, attributes, context, settings());
    },
  });
}

/** Webhooks that may refuse, all at once. */
export function defineValidatingAdmissionWebhook(names: Naming, calls: WebhookCalls): AdmissionPlugin {
  const { candidatesFor, settings, ...shared } = following(names, calls, 'validate', 'validatingwebhookconfigurations');
  return defineAdmissionPlugin<WebhookConfiguration>({
    ...shared,
    name: 'ValidatingAdmissionWebhook',
    validate(attributes, context) {
      const candidates = candidatesFor(attributes, context);
      return candidates.length === 0 ? undefined : askAll(candidates, attributes, context, settings());
    },
  });
}

/** The part of the plugins that is the same. They do nothing where their configurations are not served. */
function following({ rename }: Naming, calls: WebhookCalls, step: AskSettings['step'], plural: string) {
  const group = rename('admissionregistration.platform.io');
  let set: WebhookSet | undefined;
  let settings: AskSettings = { group: rename('admission.platform.io'), step, observer: undefined };
  return {
    settings: () => settings,
    candidatesFor(attributes: AdmissionAttributes, context: AdmissionContext): readonly CandidateWebhook[] {
      if (!set || calls.areAsked?.() === false) return [];
      const candidates = set.candidates(attributes);
      if (context.explain && attributes.pass?.isSecond !== true) {
        for (const spec of set.others(attributes)) explainNotAsked(spec, settings, undefined, attributes, context);
      }
      return candidates;
    },
    configuration: webhookConfiguration(calls),
    start(host: AdmissionHost, { kubeConfigFile }: WebhookConfiguration): void {
      const isServed = host.resources.all().some((each) => each.group === group && each.names.plural === plural);
      if (!isServed) return;
      settings = { ...settings, observer: host.observer };
      const file = kubeConfigFile === '' ? undefined : kubeConfigFile;
      set = new WebhookSet(host.resources, ({ address }) => calls.open(address, file));
      host.follow(group, plural, set);
    },
    handles: (resource: ResourceModule): boolean =>
      set !== undefined && !(resource.group === group && exempt.has(resource.names.plural)),
  };
}
