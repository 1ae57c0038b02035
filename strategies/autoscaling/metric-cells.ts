/** The cell of an autoscaler's metrics: what was measured and what is aimed at, as in `40%/80%, <unknown>/2k (avg)`. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';

const shown = 2;
const unknown = '<unknown>';

/** The text for metrics of `spec` and, by the same places, their states of `status`. */
export function metricsText(metrics: JsonValue | undefined, states: JsonValue | undefined): string {
  const list = isArray(metrics) ? metrics.filter(isObject) : [];
  const current = isArray(states) ? states.map((state) => (isObject(state) ? state : {})) : [];
  if (list.length === 0) return '<none>';
  const texts = list.slice(0, shown).map((metric, i) => metricText(metric, current[i]));
  const rest = list.length > shown ? ` + ${list.length - shown} more...` : '';
  return texts.join(', ') + rest;
}

/** A share of what pods ask for, as in `40%/80%`. */
export function sharesText(current: JsonValue | undefined, target: JsonValue | undefined): string {
  const found = typeof current === 'number' ? `${current}%` : unknown;
  return `${found}/${typeof target === 'number' ? `${target}%` : '<auto>'}`;
}

const fields: ReadonlyMap<string, string> = new Map([
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
]);

function metricText(metric: JsonObject, state: JsonObject | undefined): string {
  const type = stringAt(metric, 'type');
  const field = fields.get(type);
  if (field === undefined) return '<unknown type>';
  const target = objectAt(objectAt(metric, field), 'target');
  const current = objectAt(objectAt(state, field), 'current');
  const ofResource = type === 'Resource' || type === 'ContainerResource';
  if (target?.averageValue !== undefined) {
    const mark = type === 'Object' || type === 'External' ? ' (avg)' : '';
    return `${amountsText(current, target, 'averageValue')}${mark}`;
  }
  if (ofResource) return sharesText(current?.averageUtilization, target?.averageUtilization);
  return amountsText(current, target, 'value');
}

function amountsText(current: JsonObject | undefined, target: JsonObject | undefined, field: string): string {
  return `${stringAt(current, field) || unknown}/${stringAt(target, field) || unknown}`;
}
