/** RoleEscalation: users cannot grant rights that they do not have, unless they may `escalate` or `bind`. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { isArray, objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { forbiddenObject, notFound } from '../../runtime/objects/status.js';
import {
  administrators,
  type PolicyRule,
  quoted,
  type RuleResolver,
  readRoleReference,
  rulesOf,
  uncovered,
} from '../authorization/index.js';

const roles: ReadonlySet<string> = new Set(['roles', 'clusterroles']);
const bindings: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings']);

export function defineRoleEscalation(
  { rename }: Naming,
  rules: RuleResolver,
  release: Release = emulate(),
): AdmissionPlugin {
  const group = rename('rbac.authorization.platform.io');
  return {
    name: 'RoleEscalation',
    handles: ({ group: ofGroup, names: { plural } }, operation) =>
      ofGroup === group &&
      (roles.has(plural) || bindings.has(plural)) &&
      (operation === 'CREATE' || operation === 'UPDATE'),
    admit(attributes, context) {
      const { user, object, oldObject, resource } = attributes;
      if (!object || (oldObject && isCollection(object, oldObject))) return undefined;
      if (user.groups.includes(administrators)) return undefined;
      return roles.has(resource.names.plural)
        ? checkRole(rules, attributes, object, context)
        : checkBinding(rules, attributes, object, context, release);
    },
  };
}

/** Returns whether an update changes only fields that garbage collection writes: they grant no rights. */
function isCollection(object: ApiObject, old: ApiObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  return equal({ ...object, metadata: { ...object.metadata, ownerReferences, finalizers, managedFields } }, old);
}

/** All rights. */
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

async function checkRole(
  rules: RuleResolver,
  attributes: AdmissionAttributes,
  role: ApiObject,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  const { user, namespace, pathName: name = '', oldObject, resource } = attributes;
  const { group, names } = resource;
  if (await context.authorize({ user, verb: 'escalate', group, resource: names.plural, namespace, name }))
    return undefined;
  const refused = checkRules(rules, attributes, rulesOf(role));
  if (refused || !(gathers(role) || (oldObject && gathers(oldObject)))) return refused;
  const all = uncovered(rules.rulesOf(user, namespace).rules, everything).length === 0;
  return all ? undefined : forbid(attributes, 'must have cluster-admin privileges to use the aggregationRule');
}

/** Returns whether a role is aggregated: it can receive any right. */
function gathers(role: ApiObject): boolean {
  const selectors = objectAt(role, 'aggregationRule')?.clusterRoleSelectors;
  return isArray(selectors) && selectors.length > 0;
}

async function checkBinding(
  rules: RuleResolver,
  attributes: AdmissionAttributes,
  binding: ApiObject,
  context: AdmissionContext,
  release: Release,
): Promise<Failure | undefined> {
  const { user, namespace, resource } = attributes;
  const role = readRoleReference(binding, namespace);
  const plural = `${role.kind.toLowerCase()}s`;
  // Validation reports an unknown kind.
  if (!roles.has(plural)) return undefined;
  const { group } = resource;
  if (await context.authorize({ user, verb: 'bind', group, resource: plural, namespace, name: role.name }))
    return undefined;
  const given = rules.rulesToCome(role);
  if (given) return checkRules(rules, attributes, given);
  return notFound(group, release.does('missingRolesAsBindings') ? resource.names.plural : plural, role.name);
}

/** Refuses rules that the user does not hold in the request's namespace. */
function checkRules(
  rules: RuleResolver,
  attributes: AdmissionAttributes,
  given: readonly PolicyRule[],
): Failure | undefined {
  const { user, namespace } = attributes;
  const held = rules.rulesOf(user, namespace);
  const missing = uncovered(held.rules, given);
  if (missing.length === 0) return undefined;
  const who = `user ${quote(user.name)} (groups=${quoted(user.groups)})`;
  const what = `is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}`;
  const unknown = held.problems.length === 0 ? '' : `; resolution errors: [${held.problems.join(', ')}]`;
  return forbid(attributes, `${who} ${what}${unknown}`);
}

const forbid = ({ resource, name }: AdmissionAttributes, why: string): Failure =>
  forbiddenObject(resource.group, resource.names.plural, name, why);
