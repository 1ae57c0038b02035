/** Label selectors in one line, as tables show them. */
import type { LabelSelector, LabelSelectorRequirement } from '../../generated/types/meta/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { byCodePoint } from '../../runtime/objects/printing.js';

/** As in `app=web,tier in (a,b),!old`, in order of the keys; `<none>` where it selects everything. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: Draft<LabelSelector> = {}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = matchExpressions.map((expression) => ({
    key: expression.key ?? '',
    text: expressionText(expression),
  }));
  const parts = [...labels, ...expressions].sort((a, b) => byCodePoint(a.key, b.key));
  return parts.map(({ text }) => text).join(',') || '<none>';
}

function expressionText({ key = '', operator, values = [] }: Draft<LabelSelectorRequirement>): string {
  const list = `(${[...values].sort(byCodePoint).join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
