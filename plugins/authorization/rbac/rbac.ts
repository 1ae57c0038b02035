/** Role-based access control: allows what the roles of a user allow. */
import type {
  AccessDecision,
  AccessRules,
  Authorizer,
  Follow,
  Following,
  JsonObject,
  UserInfo,
} from '../../../runtime/contract/index.js';
import { qualifiedName } from '../../../runtime/objects/names/names.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { objectPart, staleDenial, staleReason } from '../followed-objects.js';
import { type Binding, grantText, type RoleReference, readBinding } from './binding.js';
import { PolicyIndex } from './policy-index.js';
import type { PolicyRule } from './rule-table.js';

/** Rules, and the problems met while resolving them. With problems, the list may be incomplete. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly problems: readonly string[];
}

export interface RuleResolver {
  /** Returns the rules of a user in a namespace, or in the cluster if the namespace is empty. */
  readonly rulesOf: (user: UserInfo, namespace: string) => HeldRules;
  /** Returns the rules that a role holds or will hold after aggregation; `undefined` if it does not exist. */
  readonly rulesToCome: (role: RoleReference) => readonly PolicyRule[] | undefined;
}

export interface RbacOptions {
  /** Follows the store that roles and bindings are in. */
  readonly follow: Follow;
  /** The naming of the stored objects. */
  readonly names: Naming;
}

/**
 * Creates an authorizer over the stored roles and bindings. If it falls more than 30 seconds behind the store, it
 * denies everything but health and metrics.
 */
export function defineRbac({ follow, names }: RbacOptions): { authorizer: Authorizer; rules: RuleResolver } {
  const policy = followPolicy(follow, names);
  const group = names.rename('rbac.authorization.platform.io');
  const problemsOf = (user: UserInfo, namespace: string): readonly string[] => [
    ...new Set(policy.index.danglingOf(user, namespace).map((binding) => missingRole(binding, group))),
  ];
  const rules: RuleResolver = {
    rulesOf: (user, namespace) =>
      policy.following.isStale
        ? { rules: [], problems: [staleReason('RBAC')] }
        : { rules: heldRules(policy.index, user, namespace), problems: problemsOf(user, namespace) },
    rulesToCome: (role) => policy.index.rulesToCome(role),
  };
  const authorizer: Authorizer = {
    name: 'RBAC',
    decide(attributes): AccessDecision {
      const denial = staleDenial(policy.following, 'RBAC', attributes);
      if (denial) return denial;
      const grant = policy.index.find(attributes);
      // The reason is formatted only on demand.
      if (grant) {
        return {
          decision: 'allow',
          get reason() {
            return `RBAC: allowed by ${grantText(grant)}`;
          },
        };
      }
      const namespace = 'path' in attributes ? '' : (attributes.namespace ?? '');
      const problems = problemsOf(attributes.user, namespace);
      return { decision: 'no opinion', ...(problems.length === 0 ? {} : { reason: `RBAC: ${joined(problems)}` }) };
    },
    rules: (user, namespace) => toAccessRules(rules.rulesOf(user, namespace)),
  };
  return { authorizer, rules };
}

const missingRole = ({ role: { kind, name } }: Binding, group: string): string =>
  `${qualifiedName(group, kind.toLowerCase())} ${quote(name)} not found`;

const heldRules = (index: PolicyIndex, user: UserInfo, namespace: string): readonly PolicyRule[] =>
  index.bindingsOf(user, namespace).flatMap(({ role }) => index.rulesOfRole(role) ?? []);

/** Joins problems; several are put in brackets. */
export const joined = (problems: readonly string[]): string =>
  problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`;

function toAccessRules({ rules, problems }: HeldRules): AccessRules {
  return {
    resourceRules: rules
      .filter(({ resources }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length === 0 ? {} : { resourceNames }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(problems.length === 0 ? {} : { evaluationError: joined(problems) }),
  };
}

/** An index that follows the store. */
interface FollowedPolicy {
  readonly index: PolicyIndex;
  readonly following: Following;
}

/** Follows the store into an index. A change is in the index before its request is answered. */
function followPolicy(follow: Follow, { rename }: Naming): FollowedPolicy {
  let index = new PolicyIndex();
  const group = rename('rbac.authorization.platform.io');
  const roles = {
    put: (namespace: string, name: string, role: JsonObject) => index.setRole(namespace, name, role),
    remove: (namespace: string, name: string) => index.setRole(namespace, name, undefined),
  };
  const bindings = {
    put: (_namespace: string, _name: string, binding: JsonObject) => index.setBinding(readBinding(binding)),
    remove: (namespace: string, name: string) => index.deleteBinding(namespace, name),
  };
  const parts = Object.entries({ clusterroles: roles, roles, clusterrolebindings: bindings, rolebindings: bindings });
  const following = follow('RBAC', {
    parts: parts.map(([plural, handler]) => objectPart(`${group}/${plural}/`, handler)),
    reset: () => {
      index = new PolicyIndex();
    },
  });
  return {
    get index() {
      return index;
    },
    following,
  };
}
