/** TokenRequest: a token of a service account, signed by the server. */
import type {
  ApiObject,
  Failure,
  JsonObject,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { getOwn, isStringArray, objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { invalid, notFound } from '../../runtime/objects/status.js';
import { formatTime } from '../../runtime/objects/time/time.js';
import { findBoundObject } from './bound-object.js';

/** Makes tokens. */
export interface TokenIssuer {
  /** Signs what a token says; `iss` is the issuer's to add. */
  readonly issue: (claims: JsonObject) => Promise<string>;
  /** Longest life of a token in seconds; absent for no limit but that of the API. */
  readonly maxSeconds?: number;
}

const group = 'authentication.platform.io';

/** Bounds of `expirationSeconds`: ten minutes, and what fits 32 bits. */
const shortest = 600;
const longest = 2 ** 32;

export function defineTokenRequest(names: Naming, issuer: TokenIssuer): VirtualHandler {
  return {
    group: '',
    resource: 'serviceaccounts',
    subresource: 'token',
    check: (request, context) => check(names, request, context),
    create: (request, context) => issueToken(names, issuer, request, context),
  };
}

const accountOf = ({ namespace, name, objects }: VirtualContext): ApiObject | undefined =>
  objects.get({ group: '', resource: 'serviceaccounts', namespace, name });

/** Also fills in what the request left open, so that admission sees it. */
function check(names: Naming, request: ApiObject, context: VirtualContext): Failure | undefined {
  const { metadata } = request;
  const subject = names.rename(group);
  if (metadata.name && metadata.name !== context.name) {
    const why = 'must match the service account name if specified';
    return invalid(subject, request.kind, context.name, [invalidValue('metadata.name', metadata.name, why)]);
  }
  if (!accountOf(context)) return notFound('', 'serviceaccounts', context.name);
  const spec = objectAt(request, 'spec') ?? {};
  metadata.name = context.name;
  metadata.creationTimestamp = formatTime(context.now);
  request.spec = { ...spec, audiences: [...audiencesOf(spec, context)], boundObjectRef: spec.boundObjectRef ?? null };
  request.status = {};
  const why = lifeProblem(secondsOf(request));
  if (why === undefined) return undefined;
  return invalid(subject, request.kind, '', [invalidValue('spec.expirationSeconds', secondsOf(request), why)]);
}

function audiencesOf(spec: JsonObject, { audiences }: VirtualContext): readonly string[] {
  const asked = getOwn(spec, 'audiences');
  return isStringArray(asked) && asked.length > 0 ? asked : audiences;
}

function secondsOf(request: ApiObject): number | bigint {
  const seconds = objectAt(request, 'spec')?.expirationSeconds;
  return typeof seconds === 'number' || typeof seconds === 'bigint' ? seconds : 0;
}

function lifeProblem(seconds: number | bigint): string | undefined {
  if (seconds < shortest) return 'may not specify a duration less than 10 minutes';
  return seconds > longest ? 'may not specify a duration larger than 2^32 seconds' : undefined;
}

async function issueToken(
  names: Naming,
  issuer: TokenIssuer,
  request: ApiObject,
  context: VirtualContext,
): Promise<Result<ApiObject>> {
  const account = accountOf(context);
  if (!account) return { ok: false, failure: notFound('', 'serviceaccounts', context.name) };
  const spec = objectAt(request, 'spec') ?? {};
  const bound = findBoundObject(objectAt(spec, 'boundObjectRef'), context);
  if (!bound.ok) return bound;
  const seconds = shortened(issuer, request, spec, context);
  const token = await issuer.issue({
    ...lifeOf(context.now, seconds),
    aud: [...audiencesOf(spec, context)],
    sub: `system:serviceaccount:${context.namespace}:${context.name}`,
    [names.wellKnown.tokenClaim]: {
      namespace: context.namespace,
      serviceaccount: { name: context.name, uid: account.metadata.uid },
      ...bound.value,
    },
  });
  const expirationTimestamp = formatTime(context.now + seconds * 1000);
  return { ok: true, value: { ...request, status: { token, expirationTimestamp } } };
}

/** Times of a token (RFC 7519 section 4.1), in seconds since the epoch. */
function lifeOf(now: number, seconds: number): JsonObject {
  const start = Math.floor(now / 1000);
  return { iat: start, nbf: start, exp: start + seconds };
}

/** The life of the token; where the issuer allows no such, the request is changed to what it does allow. */
function shortened(
  { maxSeconds }: TokenIssuer,
  request: ApiObject,
  spec: JsonObject,
  { warn }: VirtualContext,
): number {
  const seconds = Number(secondsOf(request));
  if (maxSeconds === undefined || seconds <= maxSeconds) return seconds;
  warn(`requested expiration of ${seconds} seconds shortened to ${maxSeconds} seconds`);
  spec.expirationSeconds = maxSeconds;
  return maxSeconds;
}
