/** HorizontalPodAutoscaler: what it goes by where nothing is said, its limits and metrics, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { countAt, notNegativeFields } from '../shared/counts.js';
import { metricsText, sharesText } from './metric-cells.js';
import { completeBehavior, validateBehavior } from './scaling-behavior.js';
import { validateMetrics, validateScaleReference } from './scaling-metrics.js';

/** Percent of the processor time that pods ask for. */
const defaultShare = 80;

const scaleToZero = 'HPAScaleToZero';

export function defineHorizontalPodAutoscalerStrategy(): Strategy {
  return {
    kind: 'autoscaling/HorizontalPodAutoscaler',
    canonicalize,
    validate: (object, { subresource }) => (subresource === 'status' ? statusErrors(object) : specErrors(object)),
    validateCreate: (object, { featureEnabled }) => (featureEnabled(scaleToZero) ? [] : zeroErrors(object)),
    validateUpdate: (object, old, { subresource, featureEnabled }) => {
      // An autoscaler that could scale to zero once may go on to.
      const mayBeZero = featureEnabled(scaleToZero) || specOf(old)?.minReplicas === 0;
      return subresource === 'status' || mayBeZero ? [] : zeroErrors(object);
    },
    cell: autoscalerCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');

/** In its first version, an autoscaler has but one metric, whose default comes from the conversion. */
function canonicalize(object: ApiObject): void {
  const spec = specOf(object);
  if (!spec || object.apiVersion === 'autoscaling/v1') return;
  if (!isArray(spec.metrics) || spec.metrics.length === 0) {
    const target = { type: 'Utilization', averageUtilization: defaultShare };
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  completeBehavior(objectAt(spec, 'behavior'));
}

function specErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const { maxReplicas, minReplicas } = spec ?? {};
  const crossed = typeof maxReplicas === 'number' && typeof minReplicas === 'number' && maxReplicas < minReplicas;
  return [
    ...(crossed
      ? [invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...validateScaleReference(objectAt(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...validateMetrics(spec?.metrics, minReplicas),
    ...validateBehavior(objectAt(spec, 'behavior')),
  ];
}

function zeroErrors(object: ApiObject): readonly FieldError[] {
  if (specOf(object)?.minReplicas !== 0) return [];
  return [invalidValue('spec.minReplicas', 0, 'must be greater than or equal to 1')];
}

const statusErrors = (object: ApiObject): readonly FieldError[] =>
  notNegativeFields(objectAt(object, 'status'), ['currentReplicas', 'desiredReplicas'], 'status');

const autoscalerCell: Strategy['cell'] = (object, column) => {
  const spec = specOf(object);
  switch (column) {
    case 'Reference': {
      const target = objectAt(spec, 'scaleTargetRef');
      return `${stringAt(target, 'kind')}/${stringAt(target, 'name')}`;
    }
    case 'Targets':
      return targetsText(spec, objectAt(object, 'status'));
    case 'MinPods':
      return spec?.minReplicas === undefined ? '<unset>' : String(countAt(spec, 'minReplicas'));
    case 'MaxPods':
      return countAt(spec, 'maxReplicas');
    case 'Replicas':
      return countAt(objectAt(object, 'status'), 'currentReplicas');
    default:
      return undefined;
  }
};

function targetsText(spec: JsonObject | undefined, status: JsonObject | undefined): string {
  const share = spec?.targetCPUUtilizationPercentage;
  if (share !== undefined) return sharesText(status?.currentCPUUtilizationPercentage, share);
  return metricsText(spec?.metrics, status?.currentMetrics);
}
