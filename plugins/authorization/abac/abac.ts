/** Decides by the attributes of requests, from a list of policies (ABAC). */
import type { AccessDecision, AccessRules, Authorizer, UserInfo } from '../../../runtime/contract/index.js';
import { grants, isFor, type Policy, verbsOf } from './policy.js';

const allowed: AccessDecision = { decision: 'allow' };
const unmatched: AccessDecision = { decision: 'no opinion', reason: 'No policy matched.' };

/** Makes an authorizer that allows what any of the policies grants. */
export function defineAbac(policies: readonly Policy[]): Authorizer {
  return {
    name: 'ABAC',
    decide: (attributes) => (policies.some((policy) => grants(policy, attributes)) ? allowed : unmatched),
    rules: (user, namespace) => rulesOf(policies, user, namespace),
  };
}

function rulesOf(policies: readonly Policy[], user: UserInfo, namespace: string): AccessRules {
  const own = policies.filter(
    (policy) => isFor(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
  );
  return {
    resourceRules: own
      .filter(({ resource }) => resource !== '')
      .map((policy) => ({ verbs: verbsOf(policy), apiGroups: [policy.apiGroup], resources: [policy.resource] })),
    nonResourceRules: own
      .filter(({ nonResourcePath }) => nonResourcePath !== '')
      .map((policy) => ({ verbs: verbsOf(policy), nonResourceURLs: [policy.nonResourcePath] })),
    incomplete: false,
  };
}
