/** Writes label selectors as queries have them: `app=web,tier in (a,b)`. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isArray, isObject, isStringArray, objectAt, stringAt } from '../guards.js';

/** A LabelSelector, or plain labels that all have to be there; requirements in the order of their keys. */
export function formatLabelSelector(selector: JsonObject): string {
  const isSelector = 'matchLabels' in selector || 'matchExpressions' in selector;
  const labels = isSelector ? (objectAt(selector, 'matchLabels') ?? {}) : selector;
  const expressions = isSelector ? getOwn(selector, 'matchExpressions') : undefined;
  const requirements = [
    ...Object.entries(labels).map(([key, value]) => ({ key, text: `${key}=${String(value)}` })),
    ...(isArray(expressions) ? expressions.flatMap(expressionOf) : []),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

interface Requirement {
  readonly key: string;
  readonly text: string;
}

function expressionOf(expression: JsonValue): readonly Requirement[] {
  if (!isObject(expression)) return [];
  const key = stringAt(expression, 'key');
  const values = getOwn(expression, 'values');
  const list = `(${(isStringArray(values) ? [...values].sort() : []).join(',')})`;
  switch (stringAt(expression, 'operator')) {
    case 'In':
      return [{ key, text: `${key} in ${list}` }];
    case 'NotIn':
      return [{ key, text: `${key} notin ${list}` }];
    case 'Exists':
      return [{ key, text: key }];
    case 'DoesNotExist':
      return [{ key, text: `!${key}` }];
    default:
      return [];
  }
}
