/** Explains why a user may do a thing, or may not. */
import { administrators, type PolicyRule } from '../../plugins/index.js';
import type { ServerDecision } from './ask-server.js';
import type { AskedUser } from './asked-user.js';
import { holds } from './holds.js';
import { isFor, isInScope, nearestTo } from './nearest.js';
import type { AccessPolicy, Given } from './policy.js';
import { describeQuestion, type Question } from './question.js';
import {
  type NamedSubject,
  type Place,
  placeOfBinding,
  placeOfRole,
  placeText,
  subjectText,
  toNamed,
} from './subjects.js';

/** A rule that allows what is asked, and how the user comes by it. */
export interface GrantedRule {
  readonly subject: NamedSubject;
  readonly binding: Place;
  readonly role: Place;
  /** Of the role, from 1. */
  readonly rule: number;
  readonly text: string;
  /** The roles that an aggregated role has the rule of. */
  readonly from: readonly Place[];
}

export interface Why {
  readonly user: AskedUser;
  readonly question: Question;
  readonly allowed: boolean;
  /** The one that decided: roles, the server for administrators, or another authorizer. */
  readonly by: 'administrators' | 'another authorizer' | 'nobody' | 'roles';
  /** The server's reason; empty where it was not asked, or has none. */
  readonly reason: string;
  readonly grants: readonly GrantedRule[];
  /** The nearest rules, where it is not allowed. */
  readonly nearest: readonly string[];
}

/** The server's own decision counts, where it was asked. */
export function why(
  policy: AccessPolicy,
  user: AskedUser,
  question: Question,
  decision: ServerDecision | undefined,
): Why {
  const isAdministrator = user.groups.includes(administrators);
  const grants = policy
    .given(undefined)
    .filter((given) => isInScope(given.binding.namespace, question) && isFor(given, user))
    .flatMap((given) => grantsOf(policy, given, user, question));
  const byRoles = isAdministrator || grants.length > 0;
  const allowed = decision?.allowed ?? byRoles;
  return {
    user,
    question,
    allowed,
    by: isAdministrator
      ? 'administrators'
      : allowed === byRoles
        ? allowed
          ? 'roles'
          : 'nobody'
        : 'another authorizer',
    reason: [decision?.reason, decision?.evaluationError].filter(Boolean).join('; '),
    grants,
    nearest: allowed ? [] : nearestTo(policy, user, question),
  };
}

function grantsOf(
  policy: AccessPolicy,
  { binding, role }: Given,
  user: AskedUser,
  question: Question,
): readonly GrantedRule[] {
  const subject = binding.subjects.find(({ of, name }) =>
    of === 'users' ? name === user.name : user.groups.includes(name),
  );
  const rule = role?.rules.findIndex((one) => holds(one, question)) ?? -1;
  const found = role?.rules[rule];
  if (!subject || !role || !found) return [];
  const from = policy.partsOf(role).filter((part) => part.rules.some((one) => holds(one, question)));
  return [
    {
      subject: toNamed(subject),
      binding: placeOfBinding(binding),
      role: placeOfRole(role.reference),
      rule: rule + 1,
      text: ruleText(found),
      from: from.map(({ reference }) => placeOfRole(reference)),
    },
  ];
}

/** A rule in words, as in `get, list on configmaps, secrets`. */
export function ruleText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const what = nonResourceURLs.length > 0 ? nonResourceURLs : resources;
  const groups = apiGroups.filter((group) => group !== '');
  return [
    `${verbs.join(', ')} on ${what.join(', ')}`,
    ...(groups.length > 0 ? [`of ${apiGroups.map((group) => group || '""').join(', ')}`] : []),
    ...(resourceNames.length > 0 ? [`named ${resourceNames.join(', ')}`] : []),
  ].join(' ');
}

/** The answer as lines of text. */
export function* whyLines({ user, question, allowed, by, reason, grants, nearest }: Why): Generator<string> {
  yield `${allowed ? 'allowed' : 'denied'}: user ${user.name} ${allowed ? 'may' : 'may not'} ${describeQuestion(question)}`;
  yield `groups: ${user.groups.join(', ')}`;
  if (by === 'administrators' && allowed) yield `members of ${administrators} may do everything`;
  if (by === 'another authorizer') {
    yield allowed
      ? 'roles do not allow it: another authorizer does'
      : 'roles allow it, but another authorizer denies it';
  }
  if (reason !== '') yield `the server says: ${reason}`;
  for (const { subject, binding, role, rule, text, from } of grants) {
    yield '';
    yield `${placeText(binding)} gives ${subjectText(subject)} ${placeText(role)}`;
    yield `  rule ${rule}: ${text}`;
    if (from.length > 0) yield `  it comes from ${from.map(placeText).join(', ')}`;
  }
  if (nearest.length === 0) return;
  yield '';
  yield 'nearest:';
  for (const one of nearest) yield `  ${one}`;
}
