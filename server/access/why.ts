/** Explains why a user may do a thing, or may not. */
import { administrators } from '../../plugins/authorization/modes.js';
import type { PolicyRule } from '../../plugins/authorization/rbac/rule-table.js';
import type { ServerDecision } from './ask-server.js';
import {
  type AccessPolicy,
  type Given,
  holds,
  type NamedSubject,
  objectOfBinding,
  type PolicyObject,
  placeOfRole,
  placeText,
  subjectText,
  toNamed,
} from './policy.js';
import { type AskedUser, describeQuestion, type Question, resourceName } from './question.js';

/** A rule that allows it, and the way in which the user gets the rule. */
export interface GrantedRule {
  readonly subject: NamedSubject;
  readonly binding: PolicyObject;
  readonly role: PolicyObject;
  /** The number of the rule in its role, from 1. */
  readonly rule: number;
  readonly text: string;
  /** The roles that an aggregated role gets the rule from. */
  readonly from: readonly PolicyObject[];
}

export interface Why {
  readonly user: AskedUser;
  readonly question: Question;
  readonly allowed: boolean;
  /** The decider: roles, the server (for administrators), or another authorizer. */
  readonly by: 'administrators' | 'another authorizer' | 'nobody' | 'roles';
  /** The server's reason; empty if it gave none or was not asked. */
  readonly reason: string;
  readonly grants: readonly GrantedRule[];
  /** The nearest rules, if it is not allowed. */
  readonly nearest: readonly string[];
}

/** Explains a decision. The server's own decision counts, if there is one. */
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
      binding: objectOfBinding(binding),
      role: placeOfRole(role.reference),
      rule: rule + 1,
      text: ruleText(found),
      from: from.map(({ reference }) => placeOfRole(reference)),
    },
  ];
}

/** Prints a rule as in `get, list on configmaps, secrets`. */
export function ruleText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const what = nonResourceURLs.length > 0 ? nonResourceURLs : resources;
  const groups = apiGroups.filter((group) => group !== '');
  return [
    `${verbs.join(', ')} on ${what.join(', ')}`,
    ...(groups.length > 0 ? [`of ${apiGroups.map((group) => group || '""').join(', ')}`] : []),
    ...(resourceNames.length > 0 ? [`named ${resourceNames.join(', ')}`] : []),
  ].join(' ');
}

/** Prints the answer as lines of text. */
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

/** The largest number of roles without a binding to print. */
const mostRoles = 5;

/** Lists hints, the most useful first. Each says what is missing. */
function nearestTo(policy: AccessPolicy, user: AskedUser, question: Question): readonly string[] {
  const mine = policy.given(undefined).filter((given) => isFor(given, user));
  const elsewhere = mine.filter(({ binding }) => !isInScope(binding.namespace, question));
  const here = mine.filter(({ binding }) => isInScope(binding.namespace, question));
  return [
    ...here.filter(({ role }) => !role).map(danglingText),
    ...here.flatMap((given) => shortOf(given, question)),
    ...elsewhere
      .filter(({ role }) => role?.rules.some((rule) => holds(rule, question)))
      .map((given) => `${givenText(given)} allows it in namespace ${given.binding.namespace} only`),
    ...unboundRoles(policy, user, question),
  ];
}

/** Returns whether a binding grants something to a user, by name or by a group. */
const isFor = ({ binding }: Given, user: AskedUser): boolean =>
  binding.subjects.some(({ of, name }) => (of === 'users' ? name === user.name : user.groups.includes(name)));

/** Returns whether a binding counts for the question. */
const isInScope = (namespace: string, question: Question): boolean =>
  namespace === '' || (!('path' in question) && namespace === question.namespace);

/** Prints a binding as in `RoleBinding shop/clerks, which gives User anna Role shop/clerk,`. */
function givenText({ binding }: Given): string {
  const subjects = binding.subjects.map((subject) => subjectText(toNamed(subject)));
  const many = subjects.length > 3 ? [...subjects.slice(0, 3), `${subjects.length - 3} more`] : subjects;
  return `${placeText(objectOfBinding(binding))}, which gives ${many.join(', ')} ${placeText(placeOfRole(binding.role))},`;
}

const danglingText = (given: Given): string =>
  `${givenText(given)} has no effect: ${placeText(placeOfRole(given.binding.role))} does not exist`;

/** Explains each rule that misses the right by one part only. */
function shortOf(given: Given, question: Question): readonly string[] {
  const rules = given.role?.rules ?? [];
  return rules.flatMap((rule, i) => {
    const missing = missingOf(rule, question);
    return missing === undefined ? [] : [`${givenText(given)} is for ${missing} (rule ${i + 1})`];
  });
}

function missingOf(rule: PolicyRule, question: Question): string | undefined {
  if (holds({ ...rule, verbs: ['*'] }, question)) return `${list(rule.verbs)} only, not ${question.verb}`;
  if ('path' in question) return undefined;
  const { name, group, resource, subresource } = question;
  if (holds({ ...rule, resourceNames: [] }, question)) {
    return `the names ${list(rule.resourceNames)} only${name === '' ? ', not for all' : ''}`;
  }
  if (holds({ ...rule, apiGroups: ['*'] }, question)) {
    return `the API groups ${list(rule.apiGroups.map((one) => one || '""'))}, not ${group || '""'}`;
  }
  const sameResource = rule.resources.some((one) => one.split('/')[0] === resource);
  if (!sameResource || !holds({ ...rule, resources: ['*'] }, question)) return undefined;
  const asked = subresource === '' ? resourceName(question) : `${resource}/${subresource}`;
  return `the resources ${list(rule.resources)}, not ${asked}`;
}

const list = (words: readonly string[]): string => words.join(', ');

/** Lists roles that would grant the right to the user. Roles of a namespace count in this namespace only. */
function unboundRoles(policy: AccessPolicy, user: AskedUser, question: Question): readonly string[] {
  const roles = policy.roles.filter(
    ({ reference, rules }) => isInScope(reference.namespace, question) && rules.some((rule) => holds(rule, question)),
  );
  // The role of cluster administrators would always fit, but is rarely the one that a user needs.
  const narrow = preferred(roles, ({ rules }) => !rules.some((rule) => holds(rule, anything)));
  const wanted = preferred(narrow, ({ reference }) => !reference.name.startsWith('system:'));
  const told = wanted.slice(0, mostRoles).map(({ reference }) => placeText(placeOfRole(reference)));
  if (told.length === 0) return [];
  const more = wanted.length > told.length ? `, and ${wanted.length - told.length} more` : '';
  return [
    `no binding gives user ${user.name} a role that allows ${describeQuestion(question)}: ${told.join(', ')}${more}`,
  ];
}

/** Returns the items that fit, or all if none fits. */
function preferred<T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] {
  const fitting = all.filter(fits);
  return fitting.length > 0 ? fitting : all;
}

const anything: Question = { verb: '*', group: '*', resource: '*', subresource: '', name: '', namespace: '' };
