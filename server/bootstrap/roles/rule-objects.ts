/** Converts rules from their short form to the stored form. */
import { type PolicyRule, rulesOf } from '../../../plugins/index.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import type { Release } from '../../../runtime/objects/release.js';
import type { RuleFacts } from './role-facts.js';
import { systemRoles } from './system-roles.js';

/** Renames each part of a name, as in `system:certificates.platform.io:approver`. */
export const renamed = (name: string, { rename }: Naming): string => name.split(':').map(rename).join(':');

/** Returns one rule under a naming. */
function ruleOf(facts: RuleFacts, naming: Naming): JsonObject {
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

/** Returns the rules that a role has in a release. */
export const ruleObjects = (rules: readonly RuleFacts[], naming: Naming, release: Release): JsonObject[] =>
  rules.filter((facts) => release.has(facts)).map((facts) => ruleOf(facts, naming));

/** Returns the rules that a system role has from the start; `name` is its name on the platform. */
export const rulesOfSystemRole = (name: string, naming: Naming, release: Release): readonly PolicyRule[] =>
  systemRoles
    .filter((role) => role.name === name)
    .flatMap(({ rules }) => rulesOf({ rules: ruleObjects(rules, naming, release) }));
