/** The objects of a resource for authorizers, which follow them before anything is served. */
import type {
  AccessAttributes,
  AccessDecision,
  FollowedPart,
  Following,
  JsonObject,
} from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { placeOf } from '../../runtime/objects/key-place.js';

/** Puts and takes away the objects of one resource; the namespace of objects of the cluster is empty. */
export interface ObjectHandler {
  readonly put: (namespace: string, name: string, object: JsonObject) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/** Hands the objects below a prefix to a handler, as they are stored. */
export const objectPart = (prefix: string, { put, remove }: ObjectHandler): FollowedPart => ({
  prefix,
  put: ({ key, bytes }) => put(...placeOf(prefix, key), read(bytes)),
  remove: (key) => remove(...placeOf(prefix, key)),
});

function read(bytes: Uint8Array): JsonObject {
  const object: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return isObject(object) ? object : {};
}

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
