/** Combines the verdict of the table on a difference with the effects that objects show. */

import type { JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/index.js';
import type { Difference, Effect, OwnershipTrial, Prover, Verdict, Witness } from '../difference.js';
import type { Finding, Severity } from '../finding.js';
import { resourceRule } from './resource-rules.js';
import { type Definitions, type KeywordRule, nodeAt, type Ruling, safe } from './ruling.js';
import { schemaRule, short } from './schema-rules.js';

/** A finding without its places. */
export type Judged = Omit<Finding, 'old' | 'new' | 'allowed'>;

/** In the order of reports. */
const effectOrder: readonly Effect[] = ['writers', 'readers', 'stored', 'ownership', 'wire'];

/** Returns the row of the table for a difference. */
export const ruleFor = ({ node, keyword }: Difference): KeywordRule =>
  node === undefined ? resourceRule(keyword) : schemaRule(keyword);

/** Judges a difference. Calls `prove` only if objects can show an effect. */
export function judge(difference: Difference, definitions: Definitions, prover: () => Prover | undefined): Judged {
  const rule = ruleFor(difference);
  const verdict = rule.isTried(difference) ? decided(prover()?.judge(difference), difference, definitions) : undefined;
  const { ruling, seen } = ruled(difference, definitions, rule, prover);
  const effects = remaining(effectsOf(verdict, ruling, rule.also?.(difference)), difference, definitions);
  const severity = effects.length === 0 ? quietSeverity(verdict) : severityOf(verdict, ruling);
  const isFelt = severity !== 'safe';
  return {
    difference,
    severity,
    effects: isFelt ? effects : [],
    rule: rule.rule,
    message: messageOf(difference, severity, verdict, ruling),
    ...(isFelt ? { advice: adviceOf(rule, difference) } : {}),
    witnesses: isFelt ? [...witnessesOf(verdict), ...(seen === undefined ? [] : [seen])] : [],
    ...(verdict === undefined || verdict.kind === 'break' ? {} : { tried: verdict.tried }),
    ...(severity === 'undecided' && verdict?.kind === 'undecided' ? { reason: verdict.reason } : {}),
  };
}

/** Maximum number of values of a field to try all of them. */
const MOST_VALUES = 20;

/** Returns the verdict on a field. If it has so few values that all were tried, nothing is undecided. */
function decided(verdict: Verdict | undefined, { node, keyword }: Difference, { oldVersion }: Definitions) {
  if (verdict?.kind !== 'undecided' || node === undefined || keyword === 'x-kubernetes-validations') return verdict;
  const values = nodeAt(oldVersion?.schema, node)?.enum;
  if (values === undefined || values.length > MOST_VALUES) return verdict;
  return { kind: 'safe', tried: verdict.tried } as const;
}

/** Returns the ruling of the table. It is safe if no object can show an effect on readers. */
function ruled(
  difference: Difference,
  definitions: Definitions,
  rule: KeywordRule,
  prover: () => Prover | undefined,
): { readonly ruling: Ruling; readonly seen?: Witness } {
  const ruling = rule.judge(difference, definitions);
  if (difference.node === undefined) return { ruling };
  if (ruling.severity === 'break' && isOwnership(ruling))
    return ownershipRuled(ruling, prover()?.ownedOtherwise(difference));
  if (ruling.severity !== 'warning') return { ruling };
  const asked = prover();
  if (asked === undefined) return { ruling };
  const seen = asked.newlySeen(difference);
  return seen === undefined ? { ruling: safe } : { ruling, seen };
}

const isOwnership = ({ effects }: Ruling): boolean => effects.length === 1 && effects[0] === 'ownership';

/**
 * Returns a break of ownership with its object; `undefined` if all objects that were tried have the same owners as
 * before.
 */
function ownershipRuled(
  ruling: Ruling,
  trial: OwnershipTrial = { tried: 0 },
): { readonly ruling: Ruling; readonly seen?: Witness } {
  if (trial.witness !== undefined) return { ruling, seen: trial.witness };
  return { ruling: trial.tried > 0 ? safe : ruling };
}

function effectsOf(verdict: Verdict | undefined, ruling: Ruling, also: readonly Effect[] = []): readonly Effect[] {
  const shown = verdict?.kind === 'break' ? [...verdict.effects, ...also] : [];
  const all = new Set([...shown, ...ruling.effects]);
  return effectOrder.filter((effect) => all.has(effect));
}

/** Returns the remaining effects. If a side does not serve the version, the difference affects no clients. */
function remaining(effects: readonly Effect[], difference: Difference, definitions: Definitions): readonly Effect[] {
  const { oldVersion, newVersion } = definitions;
  const isWithin = difference.node !== undefined || withinVersions.has(difference.keyword);
  if (!isWithin || (oldVersion?.served !== false && newVersion?.served !== false)) return effects;
  return effects.filter((effect) => effect === 'stored' || effect === 'wire');
}

/** Keys of a version that only affect its users. */
const withinVersions: ReadonlySet<string> = new Set(['subresources', 'additionalPrinterColumns', 'selectableFields']);

function severityOf(verdict: Verdict | undefined, ruling: Ruling): Severity {
  if (verdict?.kind === 'break' || ruling.severity === 'break') return 'break';
  return verdict?.kind === 'undecided' ? 'undecided' : ruling.severity;
}

const quietSeverity = (verdict: Verdict | undefined): Severity =>
  verdict?.kind === 'undecided' ? 'undecided' : 'safe';

const witnessesOf = (verdict: Verdict | undefined): readonly Witness[] =>
  verdict?.kind !== 'break' ? [] : [...(verdict.witness ? [verdict.witness] : []), ...(verdict.further ?? [])];

function adviceOf({ advice }: KeywordRule, difference: Difference): string {
  return typeof advice === 'string' ? advice : advice(difference);
}

function messageOf(difference: Difference, severity: Severity, verdict: Verdict | undefined, ruling: Ruling): string {
  const what = describe(difference);
  const why = severity === 'safe' ? '' : whyOf(verdict, ruling, difference.keyword);
  return why === '' ? what : `${what}: ${why}`;
}

function whyOf(verdict: Verdict | undefined, ruling: Ruling, keyword: string): string {
  const shown = verdict?.kind === 'break' ? shownBy(verdict, keyword) : '';
  return [shown, ruling.why].filter((part) => part !== '').join('; ');
}

/** Returns the effect of a difference on the object that shows it. */
function shownBy({ witness }: Verdict & { readonly kind: 'break' }, keyword: string): string {
  if (witness === undefined) return '';
  const what = witness.before === undefined ? 'an object' : 'an update';
  if (!witness.new.accepted) {
    const isTooCostly = witness.new.causes.some((cause) => overBudget.test(cause));
    return `${what} that was accepted ${isTooCostly ? 'exceeds the cost limit of rules' : 'is refused'}`;
  }
  return `${what} that was accepted ${changes[keyword] ?? 'is stored differently'}`;
}

/** The server's messages for rules that cost too much, alone and together. */
const overBudget = /call cost exceeds limit for (?:rule|messageExpression)|running out of cost budget/;

/** Effects on a stored object, by keyword. */
const changes: Readonly<Record<string, string>> = {
  default: 'is filled in differently',
  properties: 'loses the field',
};

/** Keywords with a sentence of their own. */
const words: Readonly<Record<string, (difference: Difference) => string>> = {
  resource: ({ old }) => (old === undefined ? 'the resource is new' : 'the resource is removed'),
  versions: ({ old, version }) => `version ${version} is ${old === undefined ? 'new' : 'gone'}`,
  served: ({ new: is, version }) => `version ${version} is ${is === true ? 'served' : 'no longer served'}`,
  storage: ({ old, new: is }) => `objects are stored as ${text(is)} rather than ${text(old)}`,
  preferred: ({ old, new: is }) => `the preferred version is ${text(is)} rather than ${text(old)}`,
  deprecated: ({ new: is, version }) => `version ${version} is ${is === true ? 'deprecated' : 'no longer deprecated'}`,
  properties: ({ old }) => (old === undefined ? 'the field is new' : 'the field is removed'),
  required: ({ new: is }) => (is === true ? 'the field is required' : 'the field is no longer required'),
  enum: (difference) => {
    const { old, new: is } = difference;
    if (!Array.isArray(old) || !Array.isArray(is)) return plainly(difference);
    const lacking = (values: readonly JsonValue[], others: readonly JsonValue[]): string =>
      short(values.filter((value) => !others.some((other) => equal(value, other)))).slice(1, -1);
    const [gone, fresh] = [lacking(old, is), lacking(is, old)];
    const parts = [gone === '' ? '' : `no longer has ${gone}`, fresh === '' ? '' : `also has ${fresh}`];
    return `\`enum\` ${parts.filter((part) => part !== '').join(', and ')}`;
  },
  'x-kubernetes-validations': ({ old, new: is }) => {
    if (old === undefined) return `the rule \`${ruleOf(is)}\` is new`;
    if (is === undefined) return `the rule \`${ruleOf(old)}\` is removed`;
    return ruleOf(old) === ruleOf(is)
      ? `the rule \`${ruleOf(old)}\` has other messages`
      : `the rule \`${ruleOf(old)}\` is now \`${ruleOf(is)}\``;
  },
};

/** Keywords that use the path of a difference to name a part of the definition. */
const parts: Readonly<Record<string, string>> = {
  subresources: 'subresource',
  additionalPrinterColumns: 'column',
  selectableFields: 'selectable field',
  shortNames: 'short name',
  categories: 'category',
  verbs: 'verb',
};

/** Returns one sentence without its end, as in `` `maxLength` is 5 and was 10 ``. */
function describe(difference: Difference): string {
  const own = words[difference.keyword];
  return own === undefined ? plainly(difference) : own(difference);
}

function plainly({ keyword, path, old, new: is }: Difference): string {
  const part = parts[keyword];
  const name = part === undefined ? `\`${keyword}\`` : `${part} ${path}`;
  if (old === undefined) return part === undefined ? `${name} is new: ${text(is)}` : `${name} is new`;
  if (is === undefined) return part === undefined ? `${name} is removed: it was ${text(old)}` : `${name} is gone`;
  return `${name} is ${text(is)} and was ${text(old)}`;
}

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? 'nothing' : short(value);

const ruleOf = (value: JsonValue | undefined): string => {
  const rule = isObject(value) ? String(value.rule ?? '') : '';
  return rule.length > 120 ? `${rule.slice(0, 119)}…` : rule;
};
