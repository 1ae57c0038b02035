/** Says in words what differs. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
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
  enum: (difference) => {
    const { old, new: is } = difference;
    if (!Array.isArray(old) || !Array.isArray(is)) return plainly(difference);
    const lacking = (values: readonly JsonValue[], others: readonly JsonValue[]): string =>
      short(values.filter((value) => !others.some((other) => equal(value, other)))).slice(1, -1);
    const [gone, fresh] = [lacking(old, is), lacking(is, old)];
    const parts = [gone === '' ? '' : `lacks ${gone}`, fresh === '' ? '' : `has ${fresh} as well`];
    return `\`enum\` ${parts.filter((part) => part !== '').join(', and ')}`;
  },
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
  const own = words[difference.keyword];
  return own === undefined ? plainly(difference) : own(difference);
}

function plainly({ keyword, path, old, new: is }: Difference): string {
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
