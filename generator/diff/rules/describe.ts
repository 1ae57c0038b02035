/** Says in words what differs. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/index.js';
import type { Difference } from '../difference.js';
import { short } from './schema-rules.js';

/** Differences that are best told in words of their own. */
const words: Readonly<Record<string, (difference: Difference) => string>> = {
  resource: ({ old }) => (old === undefined ? 'the resource is new' : 'the resource is gone'),
  versions: ({ old, version }) => `version ${version} is ${old === undefined ? 'new' : 'gone'}`,
  served: ({ new: is, version }) => `version ${version} is ${is === true ? 'served' : 'no longer served'}`,
  storage: ({ old, new: is }) => `objects are stored as ${text(is)} rather than ${text(old)}`,
  preferred: ({ old, new: is }) => `the preferred version is ${text(is)} rather than ${text(old)}`,
  deprecated: ({ new: is, version }) => `version ${version} is ${is === true ? 'deprecated' : 'no longer deprecated'}`,
  properties: ({ old }) => (old === undefined ? 'the field is new' : 'the field is gone'),
  required: ({ new: is }) => (is === true ? 'the field is required' : 'the field is no longer required'),
  'x-kubernetes-validations': ({ old, new: is }) => {
    if (old === undefined) return `the rule \`${ruleOf(is)}\` is new`;
    if (is === undefined) return `the rule \`${ruleOf(old)}\` is gone`;
    return ruleOf(old) === ruleOf(is)
      ? `the rule \`${ruleOf(old)}\` is told in other words`
      : `the rule \`${ruleOf(old)}\` is now \`${ruleOf(is)}\``;
  },
};

/** Keywords that name a part of the definition by the path of a difference. */
const parts: Readonly<Record<string, string>> = {
  subresources: 'subresource',
  additionalPrinterColumns: 'column',
  selectableFields: 'selectable field',
  shortNames: 'short name',
  categories: 'category',
  verbs: 'verb',
};

/** One sentence without its end, as in `` `maxLength` is 5 and was 10 ``. */
export function describe(difference: Difference): string {
  const { keyword, path, old, new: is } = difference;
  const own = words[keyword];
  if (own !== undefined) return own(difference);
  const part = parts[keyword];
  const name = part === undefined ? `\`${keyword}\`` : `${part} ${path}`;
  if (old === undefined) return part === undefined ? `${name} is new: ${text(is)}` : `${name} is new`;
  if (is === undefined) return part === undefined ? `${name} is gone: it was ${text(old)}` : `${name} is gone`;
  return `${name} is ${text(is)} and was ${text(old)}`;
}

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? 'nothing' : short(value);

const ruleOf = (value: JsonValue | undefined): string => {
  const rule = isObject(value) ? String(value.rule ?? '') : '';
  return rule.length > 120 ? `${rule.slice(0, 119)}…` : rule;
};
