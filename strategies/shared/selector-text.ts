/** Label selectors in one line, as tables show them. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { isString, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { objectsAt, textsAt } from './reading.js';

/** As in `app=web,tier in (a,b),!old`, in order of the keys; `<none>` where it selects everything. */
export function selectorText(selector: JsonObject | undefined): string {
  const labels = Object.entries(objectAt(selector, 'matchLabels') ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${isString(value) ? value : ''}`,
  }));
  const expressions = objectsAt(selector, 'matchExpressions').map((expression) => ({
    key: stringAt(expression, 'key'),
    text: expressionText(expression),
  }));
  const parts = [...labels, ...expressions].sort((a, b) => byCodePoint(a.key, b.key));
  return parts.map(({ text }) => text).join(',') || '<none>';
}

function expressionText(expression: JsonObject): string {
  const key = stringAt(expression, 'key');
  const values = `(${[...textsAt(expression, 'values')].sort(byCodePoint).join(',')})`;
  switch (stringAt(expression, 'operator')) {
    case 'In':
      return `${key} in ${values}`;
    case 'NotIn':
      return `${key} notin ${values}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
