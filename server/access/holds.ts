/** Whether rules give a right, decided by the same code as on a server. */
import { type PolicyRule, RuleTable } from '../../plugins/index.js';
import type { Question } from './question.js';

/** Whether a rule gives a right. */
export function holds(rule: PolicyRule, question: Question): boolean {
  const table = new RuleTable<true>();
  table.add(rule, true);
  const found = 'path' in question ? table.ofPath(question.verb, question.path) : table.ofResource(question);
  return found === true;
}

/** How far a right goes: for all objects asked about, for some names only, or for none. */
export type Reach = { readonly of: 'all' } | { readonly of: 'some'; readonly names: readonly string[] };

/** How far rules give a right; `undefined` where they do not. */
export function reachOf(rules: readonly PolicyRule[], question: Question): Reach | undefined {
  if (rules.some((rule) => holds(rule, question))) return { of: 'all' };
  if ('path' in question || question.name !== '' || !canName(question)) return undefined;
  const names = rules
    .filter(({ resourceNames }) => resourceNames.length > 0)
    .filter((rule) => holds({ ...rule, resourceNames: [] }, question))
    .flatMap(({ resourceNames }) => resourceNames);
  return names.length === 0 ? undefined : { of: 'some', names: [...new Set(names)].sort() };
}

/** Nobody knows the name of an object before it is created. */
const canName = (question: Exclude<Question, { path: string }>): boolean =>
  question.verb !== 'create' || question.subresource !== '';
