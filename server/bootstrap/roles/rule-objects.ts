/** Makes the rules of roles as they are stored of the facts that are written down. */
import { type PolicyRule, rulesOf } from '../../../plugins/index.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { RuleFacts } from './role-facts.js';
import { systemRoles } from './system-roles.js';

/** A name whose parts are names of the platform, as in `system:certificates.platform.io:approver`. */
export const renamed = (name: string, { rename }: Naming): string => name.split(':').map(rename).join(':');

/** One rule under a naming. */
export function ruleOf(facts: RuleFacts, naming: Naming): JsonObject {
  const words = (text: string): string[] =>
    text.split(' ').map((word) => (word === 'core' ? '' : renamed(word, naming)));
  const { verbs } = facts;
  if ('nonResourceURLs' in facts) return { verbs: words(verbs), nonResourceURLs: words(facts.nonResourceURLs) };
  const { apiGroups, resources, resourceNames } = facts;
  return {
    verbs: words(verbs),
    apiGroups: words(apiGroups),
    resources: words(resources),
    ...(resourceNames === undefined ? {} : { resourceNames: words(resourceNames) }),
  };
}

/** The rules that one of the roles of the system has from the start, by its name on the platform. */
export const rulesOfSystemRole = (name: string, naming: Naming): readonly PolicyRule[] =>
  systemRoles
    .filter((role) => role.name === name)
    .flatMap(({ rules }) => rulesOf({ rules: rules.map((facts) => ruleOf(facts, naming)) }));
