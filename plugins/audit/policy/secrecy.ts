/** Resources whose bodies are secret: a policy has to name them word for word before their bodies are recorded. */
import type { AccessAttributes, AuditDecision, AuthorizationAttributes } from '../../../runtime/contract/index.js';
import { fullName, type Rule } from './rule.js';

/** Groups by the names of Kubernetes, which rules are compared in. */
const authenticationGroup = 'authentication.k8s.io';

const tokenRequest = 'serviceaccounts/token';

/**
 * The decision with secrets kept out of it. Bodies of secrets and of reviews of tokens are recorded only by a rule that
 * names the resource. A request for a token is recorded by a rule that has resources of its group, but the token itself is
 * then left out.
 */
export function keepSecrets(
  decision: AuditDecision,
  rule: Rule,
  attributes: AccessAttributes,
  group: string,
): AuditDecision {
  if (decision.level === 'None' || decision.level === 'Metadata' || 'path' in attributes) return decision;
  const secret = secretName(attributes, group);
  if (secret === undefined || names(rule, group, secret)) return decision;
  const ofGroup = rule.resources.some((one) => one.group === group);
  if (secret === tokenRequest && ofGroup) return { ...decision, omitToken: true };
  return { ...decision, level: 'Metadata' };
}

/** The resource that a rule has to name; `undefined` where bodies are no secret. */
function secretName({ resource, subresource = '' }: AuthorizationAttributes, group: string): string | undefined {
  if (group === authenticationGroup) return resource === 'tokenreviews' ? resource : undefined;
  if (group !== '') return undefined;
  if (resource === 'secrets') return fullName(resource, subresource);
  return fullName(resource, subresource) === tokenRequest ? tokenRequest : undefined;
}

const names = ({ resources }: Rule, group: string, name: string): boolean =>
  resources.some((one) => one.group === group && one.resources.includes(name));
