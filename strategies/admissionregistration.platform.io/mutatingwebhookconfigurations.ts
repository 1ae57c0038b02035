/** MutatingWebhookConfiguration: the rules of its webhooks, and how tables show it. */
import { defineMutatingWebhookConfigurationHandlers } from '../../generated/admissionregistration.platform.io/v1/mutatingwebhookconfigurations/handlers.js';
import type { MutatingWebhook } from '../../generated/types/admissionregistration/v1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required, stringList } from '../../runtime/objects/field-error.js';
import { dns1035Label, qualifiedDomainName } from '../../runtime/objects/names/name-checks.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { webhookClientErrors } from '../shared/webhook-clients.js';
import { admissionRuleErrors } from './admission-rules.js';
import { checkConditions, functionsIn, matchConditionErrors, type Seen } from './policy-expressions.js';

/** Values in the order in which messages list them. */
const choices = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['IfNeeded', 'Never'],
} as const;

/** The review versions that the server sends. */
const reviewVersions = ['v1', 'v1beta1'] as const;

const maxSeconds = 30;

/** A webhook of either kind. Validating webhooks have the same fields except `reinvocationPolicy`. */
type Webhook = Draft<MutatingWebhook>;

/** The release of the functions and variables of conditions. */
type Released = Pick<Seen, 'later' | 'narrow' | 'kept'>;

/** Checks the webhooks of a configuration. */
export function webhookErrors(webhooks: readonly Webhook[] = [], released: Released): readonly FieldError[] {
  const seen = new Set<string>();
  return webhooks.flatMap((webhook, i) => {
    const field = `webhooks[${i}]`;
    const { name = '', admissionReviewVersions } = webhook;
    const again = name !== '' && seen.has(name) ? [duplicate(`${field}.name`, name)] : [];
    seen.add(name);
    return [
      ...oneErrors(webhook, field, released),
      ...reviewErrors(admissionReviewVersions ?? [], `${field}.admissionReviewVersions`),
      ...again,
    ];
  });
}

/** The variables that conditions of webhooks may use, and the type that they must yield. */
const sees = (released: Released) => ({ params: false, authorizer: true, ...released, yields: ['bool'] }) as const;

/** Checks the conditions of webhooks step by step; the results are kept for `webhookErrors`. */
export function* checkWebhooks(webhooks: readonly Webhook[] = [], released: Released): Generator<undefined> {
  for (const { matchConditions } of webhooks) yield* checkConditions(matchConditions, sees(released));
}

function oneErrors(webhook: Webhook, field: string, released: Released): readonly FieldError[] {
  const { name = '', rules = [], timeoutSeconds, namespaceSelector, objectSelector } = webhook;
  return [
    ...nameErrors(name, `${field}.name`),
    ...rules.flatMap((rule, i) => admissionRuleErrors(rule, `${field}.rules[${i}]`)),
    ...choiceErrors(webhook, 'failurePolicy', field),
    ...choiceErrors(webhook, 'matchPolicy', field),
    ...choiceErrors(webhook, 'sideEffects', field),
    ...timeoutErrors(timeoutSeconds, `${field}.timeoutSeconds`),
    ...selectorErrors(namespaceSelector, `${field}.namespaceSelector`),
    ...selectorErrors(objectSelector, `${field}.objectSelector`),
    ...choiceErrors(webhook, 'reinvocationPolicy', field),
    ...webhookClientErrors(webhook.clientConfig, `${field}.clientConfig`),
    ...matchConditionErrors(webhook.matchConditions, `${field}.matchConditions`, sees(released)),
  ];
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  if (name === '') return [required(field)];
  return qualifiedDomainName(name).map((problem) => invalidValue(field, name, problem));
}

function choiceErrors(webhook: Webhook, key: keyof typeof choices, field: string): readonly FieldError[] {
  const value = webhook[key];
  if (value === undefined || choices[key].some((known) => known === value)) return [];
  return [notSupported(`${field}.${key}`, value, choices[key])];
}

function timeoutErrors(seconds = 1, field: string): readonly FieldError[] {
  if (seconds >= 1 && seconds <= maxSeconds) return [];
  return [invalidValue(field, seconds, `the timeout value must be between 1 and ${maxSeconds} seconds`)];
}

const selectorErrors = (selector: Draft<LabelSelector> | undefined, field: string): readonly FieldError[] =>
  selector === undefined ? [] : validateLabelSelector(selector, field);

function reviewErrors(versions: readonly string[], field: string): readonly FieldError[] {
  const known = reviewVersions.join(', ');
  if (versions.length === 0) return [required(field, `must specify one of ${known}`)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, i) => {
    const again = seen.has(version);
    seen.add(version);
    const problems = again ? ['duplicate version'] : dns1035Label(version);
    return problems.map((problem) => invalidValue(`${field}[${i}]`, version, problem));
  });
  if (reviewVersions.some((version) => seen.has(version))) return errors;
  return [...errors, invalidValue(field, stringList(versions), `must include at least one of ${known}`)];
}

/** Returns the checks of webhooks in a release, for both kinds of configurations. */
export function webhookChecks(release: Release) {
  const later = release.does('laterPolicies');
  const functions = functionsIn(release);
  type Configuration = { readonly webhooks?: readonly Webhook[] };
  return {
    prepareChecks: (configuration: Configuration, old: Configuration | undefined) => {
      functions.keep(configuration, old);
      return checkWebhooks(configuration.webhooks, { later, ...functions.of(configuration) });
    },
    validate: (configuration: Configuration) =>
      webhookErrors(configuration.webhooks, { later, ...functions.of(configuration) }),
  };
}

export function defineMutatingWebhookConfigurations(release: Release = emulate()): KindHandlers {
  return defineMutatingWebhookConfigurationHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    ...webhookChecks(release),
    columns: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
  });
}
