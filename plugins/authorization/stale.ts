/** What an authorizer says once it can no longer rely on what it knows. */
import type { AccessAttributes, AccessDecision, Following } from '../../runtime/contract/index.js';

/** Paths by which people and probes find out how a server is doing. */
const statusPath = /^\/(healthz|livez|readyz|metrics)(\/|$)/;

/**
 * Returns the denial of a request if the follower is stale; nothing if the authorizer is to decide. Questions about health
 * and metrics are decided by the last state: a server that shows why it denies must not be taken for a dead one.
 */
export function staleDenial(
  { isStale }: Pick<Following, 'isStale'>,
  authorizer: string,
  attributes: AccessAttributes,
): AccessDecision | undefined {
  if (!isStale || ('path' in attributes && statusPath.test(attributes.path))) return undefined;
  return { decision: 'deny', reason: staleReason(authorizer) };
}

/** Why an authorizer grants nothing. */
export const staleReason = (authorizer: string): string =>
  `${authorizer}: the server has not kept up with the stored objects for more than 30 seconds`;
