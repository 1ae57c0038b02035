/** Reads and checks the claims of service account tokens. */
import type { ApiObject, AuthenticationContext, JsonObject, UserInfo } from '../../runtime/contract/index.js';
import { getOwn, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { authenticatedUser } from './user-info.js';

/** The service account of a token, and the object that the token is bound to. */
export interface AccountClaims {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly pod?: NamedObject;
  readonly secret?: NamedObject;
  /** The node that the token is bound to, or the node of its pod. A token that is bound to a pod outlives the node. */
  readonly node?: NamedObject;
  /** The ID of the token (claim `jti`), if it has one. */
  readonly tokenId?: string;
}

/** An object that a token names. */
export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/**
 * How long tokens stay valid after their object is deleted, milliseconds. A pod that is stopping can still use its
 * token.
 */
const graceMs = 60_000;

/** Reads the private claims, or returns `undefined` if they do not match the subject. */
export function readAccountClaims(claims: JsonObject, names: Naming): AccountClaims | undefined {
  const said = objectAt(claims, names.wellKnown.tokenClaim);
  const account = named(said, 'serviceaccount');
  const namespace = stringAt(said, 'namespace');
  if (!account || stringAt(claims, 'sub') !== `system:serviceaccount:${namespace}:${account.name}`) return undefined;
  const [pod, secret, node] = [named(said, 'pod'), named(said, 'secret'), named(said, 'node')];
  const tokenId = stringAt(claims, 'jti');
  return {
    namespace,
    account,
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    ...(node ? { node } : {}),
    ...(tokenId === '' ? {} : { tokenId }),
  };
}

function named(claims: JsonObject | undefined, key: string): NamedObject | undefined {
  const object = objectAt(claims, key);
  return object && { name: stringAt(object, 'name'), uid: stringAt(object, 'uid') };
}

/** Returns the audiences of a token. The claim holds one or a list. */
export function audiencesOf(claims: JsonObject): readonly string[] {
  const audiences = getOwn(claims, 'aud');
  if (typeof audiences === 'string') return [audiences];
  return isStringArray(audiences) ? audiences : [];
}

/** Returns why a token is not valid at `now` (milliseconds since 1970), or `undefined` if it is. */
export function timeProblem(claims: JsonObject, now: number): string | undefined {
  const [end, start] = [getOwn(claims, 'exp'), getOwn(claims, 'nbf')];
  if (typeof end !== 'number' || now >= end * 1000) return 'service account token has expired';
  return typeof start === 'number' && now < start * 1000 ? 'service account token is not valid yet' : undefined;
}

/** Returns why a token is no longer valid: its account, or the object that it is bound to, was deleted or replaced. */
export function objectProblem(
  claims: AccountClaims,
  { get, featureEnabled }: AuthenticationContext,
  now: number,
): string | undefined {
  const { namespace, account, pod, secret, node } = claims;
  const find = (resource: string, { name }: NamedObject, namespace: string): ApiObject | undefined =>
    get({ group: '', resource, namespace, name });
  const found = find('serviceaccounts', account, namespace);
  if (!found) return `serviceaccounts ${quote(account.name)} not found`;
  if (isGone(found, now)) return 'service account has been deleted';
  if (found.metadata.uid !== account.uid)
    return `service account UID (${found.metadata.uid}) does not match claim (${account.uid})`;
  const holds = (resource: string, claim: NamedObject, place: string): boolean => {
    const bound = find(resource, claim, place);
    return bound !== undefined && !isGone(bound, now) && bound.metadata.uid === claim.uid;
  };
  if (node && !pod && !featureEnabled(nodeValidation)) {
    return `token is bound to a Node object but the ${nodeValidation} feature gate is disabled`;
  }
  const isValid = pod
    ? holds('pods', pod, namespace)
    : secret
      ? holds('secrets', secret, namespace)
      : !node || holds('nodes', node, '');
  return isValid ? undefined : 'service account token has been invalidated';
}

/** The gate for tokens that are bound to nodes. With it, the server accepts them, and they end with their node. */
const nodeValidation = 'ServiceAccountTokenNodeBindingValidation';

function isGone({ metadata }: ApiObject, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < now - graceMs;
}

/** Returns the user of a service account. */
export function accountUser({ namespace, account, pod, node, tokenId }: AccountClaims, names: Naming): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const user = authenticatedUser(`system:serviceaccount:${namespace}:${account.name}`, account.uid, groups);
  const { podNameExtra, podUidExtra, nodeNameExtra, nodeUidExtra, tokenIdExtra } = names.wellKnown;
  const extra: Record<string, readonly string[]> = {};
  if (tokenId !== undefined) extra[tokenIdExtra] = [`JTI=${tokenId}`];
  // A node that had no object when the token was issued has no UID.
  if (node) extra[nodeNameExtra] = [node.name];
  if (node && node.uid !== '') extra[nodeUidExtra] = [node.uid];
  if (pod) Object.assign(extra, { [podNameExtra]: [pod.name], [podUidExtra]: [pod.uid] });
  return { ...user, extra };
}
