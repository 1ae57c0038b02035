/** Rules for how fast an autoscaler may add and remove pods, and their defaults. */
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../generated/types/autoscaling/v2/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';

/** Seconds. */
const maxWindow = 3600;
const maxPeriod = 1800;

const doubling = (): Draft<HPAScalingPolicy> => ({ type: 'Percent', value: 100, periodSeconds: 15 });
const fourPods = (): Draft<HPAScalingPolicy> => ({ type: 'Pods', value: 4, periodSeconds: 15 });

/** Fills in the fields that a behavior leaves open. An absent behavior stays absent. */
export function completeBehavior(behavior: Draft<HorizontalPodAutoscalerBehavior> | undefined): void {
  if (!behavior) return;
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [fourPods(), doubling()],
    ...behavior.scaleUp,
  };
  behavior.scaleDown = { selectPolicy: 'Max', policies: [doubling()], ...behavior.scaleDown };
}

/** Errors of `spec.behavior`. */
export const validateBehavior = ({
  scaleUp,
  scaleDown,
}: Draft<HorizontalPodAutoscalerBehavior> = {}): readonly FieldError[] => [
  ...(scaleUp ? ruleErrors(scaleUp, 'spec.behavior.scaleUp') : []),
  ...(scaleDown ? ruleErrors(scaleDown, 'spec.behavior.scaleDown') : []),
];

const selections = ['Disabled', 'Max', 'Min'];

function ruleErrors(
  { selectPolicy, policies = [], stabilizationWindowSeconds }: Draft<HPAScalingRules>,
  path: string,
): readonly FieldError[] {
  const isUnknown = selectPolicy !== undefined && !selections.includes(selectPolicy);
  return [
    ...windowErrors(stabilizationWindowSeconds, `${path}.stabilizationWindowSeconds`),
    ...(isUnknown ? [notSupported(`${path}.selectPolicy`, selectPolicy, selections)] : []),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, i) => policyErrors(policy, `${path}.policies[${i}]`)),
  ];
}

function windowErrors(seconds = 0, path: string): readonly FieldError[] {
  if (seconds < 0) return [invalidValue(path, seconds, 'must be greater than or equal to zero')];
  return seconds > maxWindow ? [invalidValue(path, seconds, `must be less than or equal to ${maxWindow}`)] : [];
}

function policyErrors(
  { type = '', value, periodSeconds }: Draft<HPAScalingPolicy>,
  path: string,
): readonly FieldError[] {
  const isKnown = type === 'Pods' || type === 'Percent';
  const isTooLong = periodSeconds !== undefined && periodSeconds > maxPeriod;
  const limit = `must be less than or equal to ${maxPeriod}`;
  return [
    ...(isKnown ? [] : [notSupported(`${path}.type`, type, ['Percent', 'Pods'])]),
    ...positiveErrors(value, `${path}.value`),
    ...positiveErrors(periodSeconds, `${path}.periodSeconds`),
    ...(isTooLong ? [invalidValue(`${path}.periodSeconds`, periodSeconds, limit)] : []),
  ];
}

const positiveErrors = (value: number | undefined, path: string): readonly FieldError[] =>
  value !== undefined && value <= 0 ? [invalidValue(path, value, 'must be greater than zero')] : [];
