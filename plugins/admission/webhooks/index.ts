/** MutatingAdmissionWebhook and ValidatingAdmissionWebhook: ask the webhooks that apply to a request. */

import { isAbsolute } from 'node:path';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  Failure,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../../runtime/objects/release.js';
import { nextTurn } from '../../../runtime/objects/turns.js';
import { checked, fields, optional, text } from '../configuration.js';
import { type ConfigurationDefinition, defineAdmissionPlugin } from '../define-admission-plugin.js';
import {
  type Asked,
  askWebhook,
  explainNotAsked,
  failedOpenNote,
  observeAsked,
  overdue,
  questionFor,
  unanswered,
} from './ask.js';
import type { WebhookCalls } from './calls.js';
import { askInOrder } from './mutate.js';
import { denial, type ReviewAnswer } from './review.js';
import type { AskSettings, Question } from './webhook.js';
import { type CandidateWebhook, WebhookSet } from './webhook-set.js';

/** Webhooks are not asked about admission configurations, so that a bad one can always be removed. */
const exempt: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** Creates the plugin of webhooks that may change objects. It asks one webhook after the other. */
export function defineMutatingAdmissionWebhook(
  names: Naming,
  calls: WebhookCalls,
  release: Release = emulate(),
): AdmissionPlugin {
  const plural = 'mutatingwebhookconfigurations';
  const { candidatesFor, settings, ...shared } = following(names, calls, release, 'admit', plural);
  return defineAdmissionPlugin<WebhookConfiguration>({
    ...shared,
    name: 'MutatingAdmissionWebhook',
    admit(attributes, context) {
      const candidates = candidatesFor(attributes, context);
      return candidates.length === 0 ? undefined : askInOrder(candidates, attributes, context, settings());
    },
  });
}

/** Creates the plugin of webhooks that may only refuse. It asks all webhooks at once. */
export function defineValidatingAdmissionWebhook(
  names: Naming,
  calls: WebhookCalls,
  release: Release = emulate(),
): AdmissionPlugin {
  const plural = 'validatingwebhookconfigurations';
  const { candidatesFor, settings, ...shared } = following(names, calls, release, 'validate', plural);
  return defineAdmissionPlugin<WebhookConfiguration>({
    ...shared,
    name: 'ValidatingAdmissionWebhook',
    validate(attributes, context) {
      const candidates = candidatesFor(attributes, context);
      return candidates.length === 0 ? undefined : askAll(candidates, attributes, context, settings());
    },
  });
}

/** Creates the shared part of both plugins. It does nothing if its configurations are not served. */
function following(
  { rename }: Naming,
  calls: WebhookCalls,
  { does }: Release,
  step: AskSettings['step'],
  plural: string,
) {
  const group = rename('admissionregistration.platform.io');
  let set: WebhookSet | undefined;
  let settings: AskSettings = {
    group: rename('admission.platform.io'),
    step,
    unsetTimes: !does('withoutUnsetTimestamps'),
    undecodableFails: does('undecodablePatchesAreFailures'),
    observer: undefined,
  };
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
      set = new WebhookSet(host.resources, ({ address }) => calls.open(address, file), does('laterPolicies'));
      host.follow(group, plural, set);
    },
    handles: (resource: ResourceModule): boolean =>
      set !== undefined && !(resource.group === group && exempt.has(resource.names.plural)),
  };
}

/** How many webhooks are asked before other work gets its turn: the whole object is sent to each. */
const askedInTurn = 20;

/** Asks all webhooks. Once all have answered, resolves to the first refusal in the order of the webhooks. */
async function askAll(
  candidates: readonly CandidateWebhook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Failure | undefined> {
  const asked: Promise<Failure | undefined>[] = [];
  for (const candidate of candidates) {
    if (asked.length % askedInTurn === askedInTurn - 1) await nextTurn();
    const refusal = ask(candidate, attributes, context, settings);
    // `Promise.all` below reports the error. Until then, Node must not report it as unhandled.
    refusal.catch(() => {});
    asked.push(refusal);
  }
  const refusals = await Promise.all(asked);
  return refusals.find((refusal) => refusal !== undefined);
}

async function ask(
  candidate: CandidateWebhook,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Failure | undefined> {
  const question = await questionFor(candidate, attributes, context, settings);
  if (!question.ok) return question.failure;
  if (!question.value) return undefined;
  const unconfirmed = await context.confirm?.();
  if (unconfirmed) return unconfirmed;
  const began = performance.now();
  const asked = await askWebhook(question.value, patchProblem);
  const refused = refusalBy(question.value, asked);
  observeAsked(question.value, asked, refused, began);
  return refused;
}

function refusalBy({ webhook, context, settings }: Question, asked: Asked): Failure | undefined {
  if (asked.outcome === 'failed') return asked.failure;
  if (asked.outcome === 'answered') {
    return asked.answer.allowed ? undefined : denial(webhook.spec.name, asked.answer.status);
  }
  if (!webhook.spec.ignoresFailures) return unanswered(webhook, asked.problem);
  context.annotate(...failedOpenNote('validating', settings.group, webhook, 0));
  return overdue(context);
}

function patchProblem({ patch, patchType }: ReviewAnswer): string | undefined {
  const may = 'received invalid webhook response: validating webhook may not return';
  if (patch !== '') return `${may} response.patch`;
  return patchType === undefined ? undefined : `${may} response.patchType`;
}

interface WebhookConfiguration {
  /**
   * Path of a kubeconfig with the credentials for webhooks: the name of a user is the name of a webhook. Empty if there
   * is none.
   */
  readonly kubeConfigFile: string;
}

function webhookConfiguration({
  checkCredentials,
}: Pick<WebhookCalls, 'checkCredentials'>): ConfigurationDefinition<WebhookConfiguration> {
  const file = checked(text, (path, at, refuse) => {
    if (!isAbsolute(path)) return refuse(at, `${JSON.stringify(path)}: must be an absolute path`);
    const problem = checkCredentials(path);
    if (problem !== undefined) refuse(at, `${path} cannot be used: ${problem}`);
  });
  return {
    apiVersions: ['apiserver.config.platform.io/v1', 'apiserver.config.platform.io/v1alpha1'],
    kind: 'WebhookAdmissionConfiguration',
    schema: fields({ kubeConfigFile: optional(file, '') }),
    byDefault: { kubeConfigFile: '' },
  };
}
