/** Decides what is recorded of a request: by the first rule of a policy that it falls under. */
import type { AccessAttributes, AuditDecision, AuditPolicy } from '../../../runtime/contract/index.js';
import { memoize } from '../../../runtime/objects/memoize.js';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';
import { type Rule, ruleMatches } from './rule.js';
import { keepSecrets } from './secrecy.js';

const nothing: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false, omitToken: false };

/** Rules come in order; the groups of their resources have the names of Kubernetes. */
export function definePolicy(rules: readonly Rule[]): AuditPolicy {
  const decisions = rules.map(
    ({ level, omitStages, omitManagedFields }): AuditDecision => ({
      level,
      omitStages,
      omitManagedFields,
      omitToken: false,
    }),
  );
  return { decide: (attributes) => decide(rules, decisions, attributes) };
}

function decide(
  rules: readonly Rule[],
  decisions: readonly AuditDecision[],
  attributes: AccessAttributes,
): AuditDecision {
  const at = rules.findIndex((rule) => ruleMatches(rule, attributes, commonName));
  const [rule, decision] = [rules[at], decisions[at]];
  if (!rule || !decision) return nothing;
  return keepSecrets(decision, rule, attributes, 'path' in attributes ? '' : commonName(attributes.group));
}

/** A group by the name that it has for Kubernetes, whichever the server or the policy uses. */
export const commonName = memoize((group) => kubernetesNaming.rename(group));
