/** HorizontalPodAutoscaler: its default metric, the rules for its limits and metrics, and its columns. */
import { defineHorizontalPodAutoscalerHandlers } from '../../generated/autoscaling/v2/horizontalpodautoscalers/handlers.js';
import type { HorizontalPodAutoscalerSpec } from '../../generated/types/autoscaling/v2/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { notNegativeFields } from '../shared/counts.js';
import { metricsText } from './metric-cells.js';
import { completeBehavior, validateBehavior } from './scaling-behavior.js';
import { validateMetrics, validateScaleReference } from './scaling-metrics.js';

type Spec = Draft<HorizontalPodAutoscalerSpec>;

/** Percent of the processor time that pods request. */
const defaultUtilization = 80;

const scaleToZero = 'HPAScaleToZero';

export const defineHorizontalPodAutoscalers = (): KindHandlers =>
  defineHorizontalPodAutoscalerHandlers({
    canonicalize({ spec }) {
      if (!spec) return;
      if (!spec.metrics?.length) spec.metrics = defaultMetrics();
      completeBehavior(spec.behavior);
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status'
        ? notNegativeFields(status, ['currentReplicas', 'desiredReplicas'], 'status')
        : specErrors(spec),
    changesFirst: true,
    errorOrder: ['spec.minReplicas', 'spec.maxReplicas', 'spec.scaleTargetRef', 'spec.metrics', 'spec.behavior'],
    validateCreate: ({ spec }, { featureEnabled }) => leastErrors(spec, featureEnabled(scaleToZero) ? 0 : 1),
    validateUpdate({ spec }, old, { subresource, featureEnabled }) {
      if (subresource === 'status') return [];
      // An autoscaler that could scale to zero before still can.
      const mayBeZero = featureEnabled(scaleToZero) || old.spec?.minReplicas === 0;
      return leastErrors(spec, mayBeZero ? 0 : 1);
    },
    columns: {
      Reference: ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
      Targets: ({ spec, status }) => metricsText(spec?.metrics, status?.currentMetrics),
      MinPods: ({ spec }) => String(spec?.minReplicas ?? '<unset>'),
      MaxPods: ({ spec }) => spec?.maxReplicas ?? 0,
      Replicas: ({ status }) => status?.currentReplicas ?? 0,
    },
  });

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
