/** How authorizers follow stored objects, and what they answer once they fall behind. */
import type {
  AccessAttributes,
  AccessDecision,
  FollowedPart,
  Following,
  JsonObject,
} from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { placeOf } from '../../runtime/objects/lines.js';

/** Adds and removes the objects of one resource. The namespace of cluster-scoped objects is empty. */
export interface ObjectHandler {
  readonly put: (namespace: string, name: string, object: JsonObject) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/** Passes the stored objects under a prefix to a handler. */
export const objectPart = (prefix: string, { put, remove }: ObjectHandler): FollowedPart => ({
  prefix,
  put: ({ key, bytes }) => put(...placeOf(prefix, key), read(bytes)),
  remove: (key) => remove(...placeOf(prefix, key)),
});

function read(bytes: Uint8Array): JsonObject {
  const object: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return isObject(object) ? object : {};
}

/** Paths that report the health of a server. */
const statusPath = /^\/(healthz|livez|readyz|metrics)(\/|$)/;

/**
 * Returns the denial of a request if the follower is stale, else `undefined`. Requests for health and metrics are still
 * decided by the last known state: a server that reports why it denies must not look dead.
 */
export function staleDenial(
  { isStale }: Pick<Following, 'isStale'>,
  authorizer: string,
  attributes: AccessAttributes,
): AccessDecision | undefined {
  if (!isStale || ('path' in attributes && statusPath.test(attributes.path))) return undefined;
  return { decision: 'deny', reason: staleReason(authorizer) };
}

/** Returns why an authorizer grants nothing. */
export const staleReason = (authorizer: string): string =>
  `${authorizer}: the server has not kept up with the stored objects for more than 30 seconds`;
