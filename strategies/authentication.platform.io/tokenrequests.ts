/** TokenRequest: a token of a service account, signed by the server. */
import { randomUUID } from 'node:crypto';
import type { TokenRequest } from '../../generated/authentication.platform.io/v1/tokenrequests/types.js';
import type { BoundObjectReference } from '../../generated/types/authentication/v1/types.js';
import type {
  ApiObject,
  Draft,
  DraftObject,
  Failure,
  JsonObject,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { parseGroupVersion } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { formatTime } from '../../runtime/objects/scan/time.js';
import { badRequest, conflict, internalFailure, invalid, notFound } from '../../runtime/objects/status.js';

/** A kind that tokens can be bound to. */
interface BoundKind {
  readonly resource: string;
  /** The claim that names the object. */
  readonly claim: string;
  /** Absent for namespaced kinds: their objects are in the namespace of the account. */
  readonly scope?: 'cluster';
  /** The gate without which no token is bound to it. */
  readonly gate?: string;
}

/** The kinds of the core group. */
const kinds: Readonly<Record<string, BoundKind | undefined>> = {
  Node: { resource: 'nodes', claim: 'node', scope: 'cluster', gate: 'ServiceAccountTokenNodeBinding' },
  Pod: { resource: 'pods', claim: 'pod' },
  Secret: { resource: 'secrets', claim: 'secret' },
};

/** Issues tokens. */
export interface TokenIssuer {
  /** Signs claims; the issuer adds `iss`. */
  readonly issue: (claims: JsonObject) => Promise<string>;
  /** The longest life of a token in seconds. By default, only the API's limit applies. */
  readonly maxSeconds?: number;
}

const group = 'authentication.platform.io';

/** Bounds of `expirationSeconds`: ten minutes and the largest 32-bit number. */
const shortest = 600;
const longest = 2 ** 32;

type Request = DraftObject<TokenRequest>;
type Spec = NonNullable<Request['spec']>;

export const defineTokenRequest = (names: Naming, issuer: TokenIssuer, release: Release = emulate()): VirtualHandler =>
  defineVirtualHandler<TokenRequest>({
    group: '',
    resource: 'serviceaccounts',
    subresource: 'token',
    check: (request, context) => check(names, request, context),
    create: (request, context) => issueToken(names, issuer, release, request, context),
  });

/** Returns the claims about the object of a reference, or none without a reference. */
function findBoundObject(
  reference: Draft<BoundObjectReference> | null | undefined,
  context: VirtualContext,
): Result<JsonObject> {
  if (!reference) return { ok: true, value: {} };
  const { kind = '', name = '', apiVersion = '', uid: wanted = '' } = reference;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const known = group === '' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!known || (known.gate !== undefined && !context.featureEnabled(known.gate))) {
    return refuse(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  if (name === '') return refuse('Name parameter required.');
  const namespace = known.scope === 'cluster' ? '' : context.namespace;
  const found = context.objects.get({ group, resource: known.resource, namespace, name });
  if (!found) return { ok: false, failure: notFound('', known.resource, name) };
  const isPod = known.resource === 'pods';
  if (isPod && !runsAs(found, context.name)) {
    const account = quote(context.name);
    return refuse(`cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`);
  }
  const uid = found.metadata.uid ?? '';
  if (wanted !== '' && wanted !== uid) return { ok: false, failure: conflict('', kind, name, anotherObject(wanted)) };
  return { ok: true, value: { [known.claim]: { name, uid }, ...(isPod ? nodeClaim(found, context) : {}) } };
}

/** Returns the claim about the node of a pod, for information: the token outlives the node. A node may have no object. */
function nodeClaim(pod: ApiObject, { objects, featureEnabled }: VirtualContext): JsonObject {
  const name = stringAt(objectAt(pod, 'spec'), 'nodeName');
  if (name === '' || !featureEnabled('ServiceAccountTokenPodNodeInfo')) return {};
  const uid = objects.get({ group: '', resource: 'nodes', namespace: '', name })?.metadata.uid;
  return { node: { name, ...(uid === undefined ? {} : { uid }) } };
}

const runsAs = (pod: ApiObject, account: string): boolean =>
  stringAt(objectAt(pod, 'spec'), 'serviceAccountName') === account;

const refuse = (why: string): Result<never> => ({ ok: false, failure: badRequest(why) });

const anotherObject = (uid: string): string =>
  `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;

const accountOf = ({ namespace, name, objects }: VirtualContext): ApiObject | undefined =>
  objects.get({ group: '', resource: 'serviceaccounts', namespace, name });

/** Checks a request. Also fills in missing fields, so that admission sees them. */
function check(names: Naming, request: Request, context: VirtualContext): Failure | undefined {
  const { metadata } = request;
  const subject = names.rename(group);
  if (metadata.name && metadata.name !== context.name) {
    const why = 'must match the service account name if specified';
    return invalid(subject, request.kind, context.name, [invalidValue('metadata.name', metadata.name, why)]);
  }
  if (!accountOf(context)) return notFound('', 'serviceaccounts', context.name);
  metadata.name = context.name;
  metadata.creationTimestamp = formatTime(context.now);
  fillIn(request, request.spec ?? {}, context);
  const seconds = request.spec?.expirationSeconds ?? 0;
  const why = lifeProblem(seconds);
  if (why === undefined) return undefined;
  return invalid(subject, request.kind, '', [invalidValue('spec.expirationSeconds', seconds, why)]);
}

function fillIn(request: Request, spec: Spec, context: VirtualContext): void {
  request.spec = { ...spec, audiences: [...audiencesOf(spec, context)] };
  request.status = {};
}

const audiencesOf = ({ audiences: asked }: Spec, { audiences }: VirtualContext): readonly string[] =>
  asked && asked.length > 0 ? asked : audiences;

function lifeProblem(seconds: number | bigint): string | undefined {
  if (seconds < shortest) return 'may not specify a duration less than 10 minutes';
  return seconds > longest ? 'may not specify a duration larger than 2^32 seconds' : undefined;
}

async function issueToken(
  names: Naming,
  issuer: TokenIssuer,
  release: Release,
  request: Request,
  context: VirtualContext,
): Promise<Result<Request>> {
  const account = accountOf(context);
  if (!account) return { ok: false, failure: notFound('', 'serviceaccounts', context.name) };
  const { spec = {} } = request;
  const bound = findBoundObject(spec.boundObjectRef, context);
  if (!bound.ok) return bound;
  const seconds = shortened(issuer, spec, context);
  const jti = context.featureEnabled('ServiceAccountTokenJTI') ? randomUUID() : undefined;
  const issued = await tokenOf(issuer, {
    ...(jti === undefined ? {} : { jti }),
    ...lifeOf(context.now, seconds),
    aud: [...audiencesOf(spec, context)],
    sub: `system:serviceaccount:${context.namespace}:${context.name}`,
    [names.wellKnown.tokenClaim]: {
      namespace: context.namespace,
      serviceaccount: { name: context.name, uid: account.metadata.uid },
      ...bound.value,
    },
  });
  if (!issued.ok) return issued;
  const { value: token } = issued;
  if (jti !== undefined) context.annotate(names.wellKnown.issuedTokenAnnotation, `JTI=${jti}`);
  const expirationTimestamp = formatTime(context.now + seconds * 1000);
  const metadata = release.does('tokenRequestsOfAccounts')
    ? { ...request.metadata, uid: account.metadata.uid }
    : request.metadata;
  return { ok: true, value: { ...request, metadata, status: { token, expirationTimestamp } } };
}

/** Signs claims. A signer outside of the server may fail. */
async function tokenOf({ issue }: TokenIssuer, claims: JsonObject): Promise<Result<string>> {
  try {
    return { ok: true, value: await issue(claims) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, failure: internalFailure(`failed to generate token: ${why}`) };
  }
}

/** Returns the times of a token (RFC 7519 section 4.1), in seconds since 1970. */
function lifeOf(now: number, seconds: number): JsonObject {
  const start = Math.floor(now / 1000);
  return { iat: start, nbf: start, exp: start + seconds };
}

/** Returns the life of the token. If the request asks for more than the issuer allows, it is changed to the maximum. */
function shortened({ maxSeconds }: TokenIssuer, spec: Spec, { warn }: VirtualContext): number {
  const seconds = Number(spec.expirationSeconds ?? 0);
  if (maxSeconds === undefined || seconds <= maxSeconds) return seconds;
  warn(`requested expiration of ${seconds} seconds shortened to ${maxSeconds} seconds`);
  spec.expirationSeconds = maxSeconds;
  return maxSeconds;
}
