/** Metrics of an autoscaler: each has the source that its type names, and a reachable target. */
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '../../generated/types/autoscaling/v2/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { parseQuantity } from '../../runtime/objects/scan/quantity.js';
import { type FieldChecks, fieldsOf, setFields } from '../shared/field-checks.js';

type Sources = Omit<Draft<MetricSpec>, 'type'>;

/** The check of each source. If several are set, the first in this order counts. */
const sources: FieldChecks<Sources> = {
  object: objectErrors,
  external: externalErrors,
  pods: podsErrors,
  resource: resourceErrors,
  containerResource: containerErrors,
};

/** Returns the type of a source, as in `ContainerResource` for `containerResource`. */
const typeOf = (field: keyof Sources): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}`;

const typeNames = fieldsOf(sources).map(typeOf).sort();

/** Returns the field of the source that a type names. */
export const sourceField = (type: string | undefined): keyof Sources | undefined =>
  fieldsOf(sources).find((field) => typeOf(field) === type);

/** Checks `spec.metrics`. Without pods, only metrics of other objects can start pods. */
export function validateMetrics(
  metrics: readonly Draft<MetricSpec>[] = [],
  minReplicas: number | undefined,
): readonly FieldError[] {
  const path = 'spec.metrics';
  const isFromOutside = metrics.some(({ type }) => type === 'Object' || type === 'External');
  const problem = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [
    ...metrics.flatMap((metric, i) => metricErrors(metric, `${path}[${i}]`)),
    ...(minReplicas === 0 && !isFromOutside ? [forbidden(path, problem)] : []),
  ];
}

function metricErrors(metric: Draft<MetricSpec>, path: string): readonly FieldError[] {
  const { type = '' } = metric;
  const present = setFields(metric, path, sources);
  const expected = sourceField(type);
  const isMissing = expected !== undefined && metric[expected] === undefined;
  const others = present.length === 1 ? [] : present.filter(({ field }) => field !== expected);
  const unknown = expected ? [] : [notSupported(`${path}.type`, type, typeNames)];
  const missing = 'must populate information for the given metric source';
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...(present[0]?.errors ?? []),
    ...(isMissing ? [required(`${path}.${expected}`, missing)] : []),
    ...unknown,
    ...others.map(({ field }) => forbidden(`${path}.${field}`, 'must populate the given metric source only')),
  ];
}

function objectErrors({ describedObject, metric, target }: Draft<ObjectMetricSource>, path: string) {
  return [
    ...validateScaleReference(describedObject, `${path}.describedObject`),
    ...identifierErrors(metric, path),
    ...targetErrors(target, path),
    ...noTargetErrors(target, path),
  ];
}

function externalErrors({ metric, target = {} }: Draft<ExternalMetricSource>, path: string): readonly FieldError[] {
  const hasBoth = target.value !== undefined && target.averageValue !== undefined;
  const both = 'may not set both a target value for metric and a per-pod target';
  return [
    ...identifierErrors(metric, path),
    ...targetErrors(target, path),
    ...noTargetErrors(target, path),
    ...(hasBoth ? [forbidden(`${path}.target.value`, both)] : []),
  ];
}

function noTargetErrors({ value, averageValue }: Draft<MetricTarget> = {}, path: string): readonly FieldError[] {
  if (value !== undefined || averageValue !== undefined) return [];
  const problem = 'must set either a target value for metric or a per-pod target';
  return [required(`${path}.target.averageValue`, problem)];
}

function podsErrors({ metric, target }: Draft<PodsMetricSource>, path: string): readonly FieldError[] {
  const problem = 'must specify a positive target averageValue';
  return [
    ...identifierErrors(metric, path),
    ...targetErrors(target, path),
    ...(isPositive(target?.averageValue) ? [] : [required(`${path}.target.averageValue`, problem)]),
  ];
}

function containerErrors({ name, container, target }: Draft<ContainerResourceMetricSource>, path: string) {
  return [
    ...(name ? [] : [required(`${path}.name`, 'must specify a resource name')]),
    ...(container ? [] : [required(`${path}.container`, 'must specify a container')]),
    ...targetErrors(target, path),
    ...usageErrors(target, path),
  ];
}

function resourceErrors({ name, target }: Draft<ResourceMetricSource>, path: string): readonly FieldError[] {
  return [
    ...(name ? [] : [required(`${path}.name`, 'must specify a resource name')]),
    ...targetErrors(target, path),
    ...usageErrors(target, path),
  ];
}

/** The target of a resource is a share of the requests or an amount. */
function usageErrors(
  { averageUtilization, averageValue }: Draft<MetricTarget> = {},
  path: string,
): readonly FieldError[] {
  if ((averageUtilization === undefined) !== (averageValue === undefined)) return [];
  return averageUtilization === undefined
    ? [required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization')]
    : [forbidden(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization')];
}

function targetErrors(target: Draft<MetricTarget> = {}, path: string): readonly FieldError[] {
  const { type = '', value, averageValue, averageUtilization: share } = target;
  const isType = type === 'Utilization' || type === 'Value' || type === 'AverageValue';
  const at = `${path}.target`;
  return [
    ...(type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : []),
    ...(isType ? [] : [invalidValue(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...amountErrors(value, `${at}.value`),
    ...amountErrors(averageValue, `${at}.averageValue`),
    ...(share !== undefined && share < 1
      ? [invalidValue(`${at}.averageUtilization`, share, 'must be greater than 0')]
      : []),
  ];
}

const amountErrors = (amount: string | undefined, path: string): readonly FieldError[] =>
  amount === undefined || isPositive(amount) ? [] : [invalidValue(path, amount, 'must be positive')];

function isPositive(amount = ''): boolean {
  const parsed = parseQuantity(amount);
  return parsed.ok && parsed.value.digits > 0n;
}

function identifierErrors({ name = '' }: Draft<MetricIdentifier> = {}, path: string): readonly FieldError[] {
  const field = `${path}.metric.name`;
  if (name === '') return [required(field, 'must specify a metric name')];
  return pathSegment(name).map((problem) => invalidValue(field, name, problem));
}

/** Checks a reference by kind and name, which become parts of paths. */
export function validateScaleReference(
  reference: Draft<CrossVersionObjectReference> = {},
  path: string,
): readonly FieldError[] {
  return (['kind', 'name'] as const).flatMap((field) => {
    const value = reference[field] ?? '';
    if (value === '') return [required(`${path}.${field}`)];
    return pathSegment(value).map((problem) => invalidValue(`${path}.${field}`, value, problem));
  });
}
