/** Metrics that an autoscaler goes by: each has the source that its type names, and a target that can be reached. */
import type { FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { pathSegment } from '../../runtime/objects/names.js';
import { parseQuantity } from '../../runtime/objects/quantity.js';

/** Errors of a source at a path. */
type SourceCheck = (source: JsonObject, path: string) => readonly FieldError[];

interface SourceType {
  readonly type: string;
  readonly field: string;
  readonly check: SourceCheck;
}

const noTarget = 'must set either a target value for metric or a per-pod target';

/** Where metrics come from, in the order in which they are looked for. */
const sourceTypes: readonly SourceType[] = [
  { type: 'Object', field: 'object', check: objectErrors },
  { type: 'External', field: 'external', check: externalErrors },
  { type: 'Pods', field: 'pods', check: podsErrors },
  { type: 'Resource', field: 'resource', check: resourceErrors },
  { type: 'ContainerResource', field: 'containerResource', check: containerErrors },
];

const typeNames = sourceTypes.map(({ type }) => type).sort();

/** Errors of the metrics at `spec.metrics`; without a pod nobody measures pods, so other metrics have to say when to start. */
export function validateMetrics(
  metrics: JsonValue | undefined,
  minReplicas: JsonValue | undefined,
): readonly FieldError[] {
  const path = 'spec.metrics';
  const list = isArray(metrics) ? metrics.filter(isObject) : [];
  const fromOutside = list.some(({ type }) => type === 'Object' || type === 'External');
  const problem = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [
    ...list.flatMap((metric, i) => metricErrors(metric, `${path}[${i}]`)),
    ...(minReplicas === 0 && !fromOutside ? [forbidden(path, problem)] : []),
  ];
}

function metricErrors(metric: JsonObject, path: string): readonly FieldError[] {
  const type = stringAt(metric, 'type');
  const present = sourceTypes.filter(({ field }) => isObject(metric[field]));
  const [first] = present;
  const expected = sourceTypes.find((each) => each.type === type);
  const missing = expected !== undefined && !present.includes(expected);
  const others = present.length === 1 ? [] : present.filter((each) => each !== expected);
  const unknown = expected ? [] : [notSupported(`${path}.type`, type, typeNames)];
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...(first ? first.check(objectAt(metric, first.field) ?? {}, `${path}.${first.field}`) : []),
    ...(missing
      ? [required(`${path}.${expected.field}`, 'must populate information for the given metric source')]
      : []),
    ...unknown,
    ...others.map(({ field }) => forbidden(`${path}.${field}`, 'must populate the given metric source only')),
  ];
}

function objectErrors(source: JsonObject, path: string): readonly FieldError[] {
  return [
    ...validateScaleReference(objectAt(source, 'describedObject'), `${path}.describedObject`),
    ...identifierErrors(source, path),
    ...targetErrors(source, path),
    ...(isMissingBoth(source) ? [required(`${path}.target.averageValue`, noTarget)] : []),
  ];
}

function externalErrors(source: JsonObject, path: string): readonly FieldError[] {
  const target = objectAt(source, 'target');
  const both = target?.value !== undefined && target.averageValue !== undefined;
  const problem = 'may not set both a target value for metric and a per-pod target';
  return [
    ...identifierErrors(source, path),
    ...targetErrors(source, path),
    ...(isMissingBoth(source) ? [required(`${path}.target.averageValue`, noTarget)] : []),
    ...(both ? [forbidden(`${path}.target.value`, problem)] : []),
  ];
}

function isMissingBoth(source: JsonObject): boolean {
  const target = objectAt(source, 'target');
  return target?.value === undefined && target?.averageValue === undefined;
}

function podsErrors(source: JsonObject, path: string): readonly FieldError[] {
  const positive = isPositive(objectAt(source, 'target')?.averageValue);
  return [
    ...identifierErrors(source, path),
    ...targetErrors(source, path),
    ...(positive ? [] : [required(`${path}.target.averageValue`, 'must specify a positive target averageValue')]),
  ];
}

function containerErrors(source: JsonObject, path: string): readonly FieldError[] {
  const container = stringAt(source, 'container');
  return [
    ...(stringAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : []),
    ...(container === '' ? [required(`${path}.container`, 'must specify a container')] : []),
    ...targetErrors(source, path),
    ...usageErrors(source, path),
  ];
}

function resourceErrors(source: JsonObject, path: string): readonly FieldError[] {
  return [
    ...(stringAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : []),
    ...targetErrors(source, path),
    ...usageErrors(source, path),
  ];
}

/** What pods use of a resource is aimed at as a share of what they ask for, or as an amount. */
function usageErrors(source: JsonObject, path: string): readonly FieldError[] {
  const target = objectAt(source, 'target');
  const share = target?.averageUtilization !== undefined;
  const amount = target?.averageValue !== undefined;
  if (share !== amount) return [];
  return share
    ? [forbidden(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization')]
    : [required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization')];
}

function targetErrors(source: JsonObject, path: string): readonly FieldError[] {
  const target = objectAt(source, 'target');
  const type = stringAt(target, 'type');
  const isType = type === 'Utilization' || type === 'Value' || type === 'AverageValue';
  const share = target?.averageUtilization;
  const at = `${path}.target`;
  return [
    ...(type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : []),
    ...(isType ? [] : [invalidValue(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...amountErrors(target?.value, `${at}.value`),
    ...amountErrors(target?.averageValue, `${at}.averageValue`),
    ...(typeof share === 'number' && share < 1
      ? [invalidValue(`${at}.averageUtilization`, share, 'must be greater than 0')]
      : []),
  ];
}

const amountErrors = (amount: JsonValue | undefined, path: string): readonly FieldError[] =>
  amount === undefined || isPositive(amount) ? [] : [invalidValue(path, amount, 'must be positive')];

function isPositive(amount: JsonValue | undefined): boolean {
  const parsed = typeof amount === 'string' ? parseQuantity(amount) : undefined;
  return parsed?.ok === true && parsed.value.digits > 0n;
}

function identifierErrors(source: JsonObject, path: string): readonly FieldError[] {
  const name = stringAt(objectAt(source, 'metric'), 'name');
  const field = `${path}.metric.name`;
  if (name === '') return [required(field, 'must specify a metric name')];
  return pathSegment(name).map((problem) => invalidValue(field, name, problem));
}

/** Errors of what names an object: its kind and name, which become parts of paths. */
export function validateScaleReference(reference: JsonObject | undefined, path: string): readonly FieldError[] {
  return ['kind', 'name'].flatMap((field) => {
    const value = stringAt(reference, field);
    if (value === '') return [required(`${path}.${field}`)];
    return pathSegment(value).map((problem) => invalidValue(`${path}.${field}`, value, problem));
  });
}
