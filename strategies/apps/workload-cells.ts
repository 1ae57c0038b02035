/** Cells that tables of workloads share: containers, their images, and what is selected. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, isStringMap, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { labelSelectorOf } from '../../runtime/objects/selectors/labels.js';

/** The cells `Containers` and `Images` of a template's pods; undefined for other columns. */
export function containerCell(template: JsonObject | undefined, column: string): string | undefined {
  if (column === 'Containers') return fieldOfContainers(template, 'name');
  return column === 'Images' ? fieldOfContainers(template, 'image') : undefined;
}

function fieldOfContainers(template: JsonObject | undefined, field: string): string {
  const containers = objectAt(template, 'spec')?.containers;
  if (!isArray(containers)) return '';
  return containers.map((container) => (isObject(container) ? stringAt(container, field) : '')).join(',');
}

/** Labels as in `a=b,c=d`, sorted; `<none>` where there are none. */
export function labelsText(labels: JsonValue | undefined): string {
  if (!isStringMap(labels)) return '<none>';
  const keys = Object.keys(labels).sort(byCodePoint);
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${labels[key]}`).join(',');
}

/** A selector as in `a=b,c in (d,e),!f`, sorted by label; `<none>` where it is absent or empty. */
export function selectorText(selector: JsonValue | undefined): string {
  const compiled = labelSelectorOf(isObject(selector) ? selector : undefined);
  if (!compiled.ok) return '<error>';
  const requirements = [...compiled.value.requirements].sort((a, b) => byCodePoint(a.key, b.key));
  return requirements.map(requirementText).join(',') || '<none>';
}

function requirementText({
  key,
  operator,
  values,
}: {
  key: string;
  operator: string;
  values: readonly string[];
}): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return `${key}=${values[0] ?? ''}`;
  }
}
