/** HorizontalPodAutoscaler: its default metric, the rules for its limits and metrics, and its columns. */
import { defineHorizontalPodAutoscalerHandlers } from '../../generated/autoscaling/v2/horizontalpodautoscalers/handlers.js';
import type {
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from '../../generated/types/autoscaling/v2/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { formatQuantity, parseQuantity } from '../../runtime/objects/scan/quantity.js';
import { notNegativeFields } from '../shared/counts.js';
import { dropAnnotations } from '../shared/names.js';
import type { Serving } from '../shared/serving.js';
import { sourceField, validateMetrics, validateScaleReference } from './scaling-metrics.js';

/** Seconds. */
const maxWindow = 3600;
const maxPeriod = 1800;

const selections = ['Disabled', 'Max', 'Min'];

// The cell of the metrics: measured and desired values, as in `40%/80%, <unknown>/2k (avg)`.

const shown = 2;
const unknown = '<unknown>';

type Spec = Draft<HorizontalPodAutoscalerSpec>;

/** Percent of the requested CPU time. */
const defaultUtilization = 80;

const scaleToZero = 'HPAScaleToZero';

/** Annotations in which other versions keep fields that they do not have. The stored version has all of them. */
const keptByOthers = ['metrics', 'behavior', 'current-metrics', 'conditions'].map(
  (name) => `autoscaling.alpha.platform.io/${name}`,
);

export function defineHorizontalPodAutoscalers({ names: { rename }, release }: Serving): KindHandlers {
  const dropped = keptByOthers.map(rename);
  return defineHorizontalPodAutoscalerHandlers({
    canonicalize({ metadata, spec }) {
      dropAnnotations(metadata, dropped);
      if (!spec) return;
      if (!spec.metrics?.length) spec.metrics = defaultMetrics();
      completeBehavior(spec.behavior);
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status'
        ? notNegativeFields(status, ['currentReplicas', 'desiredReplicas'], 'status')
        : specErrors(spec),
    updateChecks: ['metadata changes', 'field changes', 'fields'],
    errorOrder: ['spec.minReplicas', 'spec.maxReplicas', 'spec.scaleTargetRef', 'spec.metrics', 'spec.behavior'],
    validateCreate: ({ spec }, { featureEnabled }) => leastErrors(spec, featureEnabled(scaleToZero) ? 0 : 1),
    validateUpdate({ spec }, old, { subresource, featureEnabled }) {
      if (subresource === 'status') return [];
      // An autoscaler that could scale to zero before may still do so.
      const mayBeZero = featureEnabled(scaleToZero) || old.spec?.minReplicas === 0;
      return leastErrors(spec, mayBeZero ? 0 : 1);
    },
    columns: {
      Reference: ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
      Targets: ({ spec, status }) =>
        metricsText(spec?.metrics, status?.currentMetrics, release.does('resourcesInTargets')),
      MinPods: ({ spec }) => String(spec?.minReplicas ?? '<unset>'),
      MaxPods: ({ spec }) => spec?.maxReplicas ?? 0,
      Replicas: ({ status }) => status?.currentReplicas ?? 0,
    },
  });
}

const doubling = (): Draft<HPAScalingPolicy> => ({ type: 'Percent', value: 100, periodSeconds: 15 });

const fourPods = (): Draft<HPAScalingPolicy> => ({ type: 'Pods', value: 4, periodSeconds: 15 });

/** Fills in the missing fields of a behavior. A missing behavior stays missing. */
function completeBehavior(behavior: Draft<HorizontalPodAutoscalerBehavior> | undefined): void {
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
const validateBehavior = ({
  scaleUp,
  scaleDown,
}: Draft<HorizontalPodAutoscalerBehavior> = {}): readonly FieldError[] => [
  ...(scaleUp ? ruleErrors(scaleUp, 'spec.behavior.scaleUp') : []),
  ...(scaleDown ? ruleErrors(scaleDown, 'spec.behavior.scaleDown') : []),
];

function ruleErrors(
  { selectPolicy, policies = [], stabilizationWindowSeconds, tolerance }: Draft<HPAScalingRules>,
  path: string,
): readonly FieldError[] {
  const isUnknown = selectPolicy !== undefined && !selections.includes(selectPolicy);
  return [
    ...toleranceErrors(tolerance, `${path}.tolerance`),
    ...windowErrors(stabilizationWindowSeconds, `${path}.stabilizationWindowSeconds`),
    ...(isUnknown ? [notSupported(`${path}.selectPolicy`, selectPolicy, selections)] : []),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, i) => policyErrors(policy, `${path}.policies[${i}]`)),
  ];
}

/** A tolerance is a share, so it is not negative. */
function toleranceErrors(tolerance: string | undefined, path: string): readonly FieldError[] {
  const read = tolerance === undefined ? undefined : parseQuantity(tolerance);
  if (!read?.ok || read.value.digits >= 0n) return [];
  return [invalidValue(path, formatQuantity(read.value), 'must be greater than or equal to 0')];
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

/** Prints the metrics of a spec with their status, which is at the same index. */
function metricsText(
  metrics: readonly Draft<MetricSpec>[] = [],
  states: readonly Draft<MetricStatus>[] | null | undefined,
  named: boolean,
): string {
  if (metrics.length === 0) return '<none>';
  const texts = metrics.slice(0, shown).map((metric, i) => metricText(metric, states?.[i], named));
  const rest = metrics.length > shown ? ` + ${metrics.length - shown} more...` : '';
  return texts.join(', ') + rest;
}

function metricText(metric: Draft<MetricSpec>, state: Draft<MetricStatus> = {}, named: boolean): string {
  const field = sourceField(metric.type);
  if (field === undefined) return '<unknown type>';
  const { target } = metric[field] ?? {};
  const { current } = state[field] ?? {};
  const ofResource = field === 'resource' || field === 'containerResource';
  const start = ofResource && named ? `${metric[field]?.name}: ` : '';
  if (target?.averageValue !== undefined) {
    const mark = field === 'object' || field === 'external' ? ' (avg)' : '';
    return `${start}${current?.averageValue || unknown}/${target.averageValue || unknown}${mark}`;
  }
  if (ofResource) {
    return `${start}${percent(current?.averageUtilization) ?? unknown}/${percent(target?.averageUtilization) ?? '<auto>'}`;
  }
  return `${current?.value || unknown}/${target?.value || unknown}`;
}

const percent = (share: number | undefined): string | undefined => (share === undefined ? undefined : `${share}%`);

function defaultMetrics(): Spec['metrics'] {
  const target = { type: 'Utilization', averageUtilization: defaultUtilization };
  return [{ type: 'Resource', resource: { name: 'cpu', target } }];
}

function specErrors({ maxReplicas, minReplicas, scaleTargetRef, metrics, behavior }: Spec = {}): readonly FieldError[] {
  const isCrossed = maxReplicas !== undefined && minReplicas !== undefined && maxReplicas < minReplicas;
  const crossed = 'must be greater than or equal to `minReplicas`';
  return [
    ...(isCrossed ? [invalidValue('spec.maxReplicas', maxReplicas, crossed)] : []),
    ...validateScaleReference(scaleTargetRef, 'spec.scaleTargetRef'),
    ...validateMetrics(metrics, minReplicas),
    ...validateBehavior(behavior),
  ];
}

const leastErrors = ({ minReplicas }: Spec = {}, least: number): readonly FieldError[] =>
  minReplicas !== undefined && minReplicas < least
    ? [invalidValue('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`)]
    : [];
