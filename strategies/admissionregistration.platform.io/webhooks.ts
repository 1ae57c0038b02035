/** Webhooks that are asked about writes: what each of them has to say. */
import type { ApiObject, FieldError, JsonObject } from '../../runtime/contract/index.js';
import { dns1035Label, qualifiedDomainName } from '../../runtime/objects/dns-names.js';
import { duplicate, invalidValue, notSupported, required, stringList } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { hasAt, numberAt, objectsAt, textsAt } from '../shared/reading.js';
import { webhookClientErrors } from '../shared/webhook-clients.js';
import { admissionRuleErrors } from './admission-rules.js';
import { matchConditionErrors } from './match-conditions.js';

/** Values in the order in which messages name them. */
const choices = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['IfNeeded', 'Never'],
} as const;

/** Versions of questions that the server asks. */
const reviewVersions = ['v1', 'v1beta1'] as const;

const maxSeconds = 30;

/** What is wrong with the webhooks of a configuration. */
export function webhookErrors(configuration: ApiObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsAt(configuration, 'webhooks').flatMap((webhook, i) => {
    const field = `webhooks[${i}]`;
    const name = stringAt(webhook, 'name');
    const again = name !== '' && seen.has(name) ? [duplicate(`${field}.name`, name)] : [];
    seen.add(name);
    const versions = textsAt(webhook, 'admissionReviewVersions');
    return [...oneErrors(webhook, field), ...reviewErrors(versions, `${field}.admissionReviewVersions`), ...again];
  });
}

function oneErrors(webhook: JsonObject, field: string): readonly FieldError[] {
  const sees = { params: false, authorizer: true, yields: ['bool'] } as const;
  return [
    ...nameErrors(stringAt(webhook, 'name'), `${field}.name`),
    ...objectsAt(webhook, 'rules').flatMap((rule, i) => admissionRuleErrors(rule, `${field}.rules[${i}]`)),
    ...choiceErrors(webhook, 'failurePolicy', field),
    ...choiceErrors(webhook, 'matchPolicy', field),
    ...choiceErrors(webhook, 'sideEffects', field),
    ...timeoutErrors(webhook, `${field}.timeoutSeconds`),
    ...selectorErrors(webhook, 'namespaceSelector', field),
    ...selectorErrors(webhook, 'objectSelector', field),
    ...choiceErrors(webhook, 'reinvocationPolicy', field),
    ...webhookClientErrors(objectAt(webhook, 'clientConfig'), `${field}.clientConfig`),
    ...matchConditionErrors(webhook, `${field}.matchConditions`, sees),
  ];
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  if (name === '') return [required(field)];
  return qualifiedDomainName(name).map((problem) => invalidValue(field, name, problem));
}

function choiceErrors(webhook: JsonObject, key: keyof typeof choices, field: string): readonly FieldError[] {
  const value = stringAt(webhook, key);
  if (!hasAt(webhook, key) || choices[key].some((known) => known === value)) return [];
  return [notSupported(`${field}.${key}`, value, choices[key])];
}

function timeoutErrors(webhook: JsonObject, field: string): readonly FieldError[] {
  const seconds = numberAt(webhook, 'timeoutSeconds', 1);
  if (seconds >= 1 && seconds <= maxSeconds) return [];
  return [invalidValue(field, seconds, `the timeout value must be between 1 and ${maxSeconds} seconds`)];
}

function selectorErrors(webhook: JsonObject, key: string, field: string): readonly FieldError[] {
  const selector = objectAt(webhook, key);
  return selector === undefined ? [] : validateLabelSelector(selector, `${field}.${key}`);
}

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

/** How many webhooks a configuration has, for its tables. */
export const webhookCount = (configuration: ApiObject): number => objectsAt(configuration, 'webhooks').length;
