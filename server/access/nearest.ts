/** Finds what comes nearest to giving a user a right that no role gives. */
import type { PolicyRule } from '../../plugins/index.js';
import type { AskedUser } from './asked-user.js';
import { holds } from './holds.js';
import type { AccessPolicy, Given } from './policy.js';
import { describeQuestion, type Question, resourceName } from './question.js';
import { placeOfBinding, placeOfRole, placeText, subjectText, toNamed } from './subjects.js';

/** The most that is told of roles that nobody gave to the user. */
const mostRoles = 5;

/** Sentences, the most useful first; each says what is missing. */
export function nearestTo(policy: AccessPolicy, user: AskedUser, question: Question): readonly string[] {
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

/** Whether a binding gives something to a user, by name or by a group. */
export const isFor = ({ binding }: Given, user: AskedUser): boolean =>
  binding.subjects.some(({ of, name }) => (of === 'users' ? name === user.name : user.groups.includes(name)));

/** Whether a binding counts for what is asked. */
export const isInScope = (namespace: string, question: Question): boolean =>
  namespace === '' || (!('path' in question) && namespace === question.namespace);

/** As in `RoleBinding shop/clerks, which gives User anna Role shop/clerk,`. */
function givenText({ binding }: Given): string {
  const subjects = binding.subjects.map((subject) => subjectText(toNamed(subject)));
  const many = subjects.length > 3 ? [...subjects.slice(0, 3), `${subjects.length - 3} more`] : subjects;
  return `${placeText(placeOfBinding(binding))}, which gives ${many.join(', ')} ${placeText(placeOfRole(binding.role))},`;
}

const danglingText = (given: Given): string =>
  `${givenText(given)} has no effect: ${placeText(placeOfRole(given.binding.role))} does not exist`;

/** The rules of a role that would do but for one thing. */
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

/** Roles that would do, if the user had them. Those of single namespaces count where they are. */
function unboundRoles(policy: AccessPolicy, user: AskedUser, question: Question): readonly string[] {
  const roles = policy.roles.filter(
    ({ reference, rules }) => isInScope(reference.namespace, question) && rules.some((rule) => holds(rule, question)),
  );
  // A cluster administrator's role would always do, and is seldom what somebody means.
  const narrow = preferred(roles, ({ rules }) => !rules.some((rule) => holds(rule, anything)));
  const wanted = preferred(narrow, ({ reference }) => !reference.name.startsWith('system:'));
  const told = wanted.slice(0, mostRoles).map(({ reference }) => placeText(placeOfRole(reference)));
  if (told.length === 0) return [];
  const more = wanted.length > told.length ? `, and ${wanted.length - told.length} more` : '';
  return [
    `no binding gives user ${user.name} a role that allows ${describeQuestion(question)}: ${told.join(', ')}${more}`,
  ];
}

/** Those that fit, if any do. */
function preferred<T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] {
  const fitting = all.filter(fits);
  return fitting.length > 0 ? fitting : all;
}

const anything: Question = { verb: '*', group: '*', resource: '*', subresource: '', name: '', namespace: '' };
