/** How fast an autoscaler may add and remove pods: what is usual, and what may be said instead. */
import type { FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';

/** Seconds. */
const maxWindow = 3600;
const maxPeriod = 1800;

const byShare = (): JsonObject => ({ type: 'Percent', value: 100, periodSeconds: 15 });
const byPods = (): JsonObject => ({ type: 'Pods', value: 4, periodSeconds: 15 });

/** Fills in what a behaviour leaves open; where there is none at all, nothing is filled in. */
export function completeBehavior(behavior: JsonObject | undefined): void {
  if (!behavior) return;
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [byPods(), byShare()],
    ...objectAt(behavior, 'scaleUp'),
  };
  behavior.scaleDown = { selectPolicy: 'Max', policies: [byShare()], ...objectAt(behavior, 'scaleDown') };
}

/** Errors of `spec.behavior`. */
export function validateBehavior(behavior: JsonObject | undefined): readonly FieldError[] {
  return ['scaleUp', 'scaleDown'].flatMap((field) => {
    const rules = objectAt(behavior, field);
    return rules ? ruleErrors(rules, `spec.behavior.${field}`) : [];
  });
}

const selections = ['Disabled', 'Max', 'Min'];

function ruleErrors(rules: JsonObject, path: string): readonly FieldError[] {
  const selection = rules.selectPolicy;
  const policies = isArray(rules.policies) ? rules.policies.filter(isObject) : [];
  const unknown = typeof selection === 'string' && !selections.includes(selection);
  return [
    ...windowErrors(rules.stabilizationWindowSeconds, `${path}.stabilizationWindowSeconds`),
    ...(unknown ? [notSupported(`${path}.selectPolicy`, selection, selections)] : []),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, i) => policyErrors(policy, `${path}.policies[${i}]`)),
  ];
}

function windowErrors(seconds: JsonValue | undefined, path: string): readonly FieldError[] {
  if (typeof seconds !== 'number') return [];
  if (seconds < 0) return [invalidValue(path, seconds, 'must be greater than or equal to zero')];
  return seconds > maxWindow ? [invalidValue(path, seconds, `must be less than or equal to ${maxWindow}`)] : [];
}

function policyErrors(policy: JsonObject, path: string): readonly FieldError[] {
  const type = stringAt(policy, 'type');
  const known = type === 'Pods' || type === 'Percent';
  const { periodSeconds } = policy;
  const tooLong = typeof periodSeconds === 'number' && periodSeconds > maxPeriod;
  const limit = `must be less than or equal to ${maxPeriod}`;
  return [
    ...(known ? [] : [notSupported(`${path}.type`, type, ['Percent', 'Pods'])]),
    ...positiveErrors(policy.value, `${path}.value`),
    ...positiveErrors(periodSeconds, `${path}.periodSeconds`),
    ...(tooLong ? [invalidValue(`${path}.periodSeconds`, periodSeconds, limit)] : []),
  ];
}

const positiveErrors = (value: JsonValue | undefined, path: string): readonly FieldError[] =>
  typeof value === 'number' && value <= 0 ? [invalidValue(path, value, 'must be greater than zero')] : [];
