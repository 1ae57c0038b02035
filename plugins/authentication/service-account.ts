/** Recognizes service accounts by tokens that this server, or another one with the same keys, signed. */
import { timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import type {
  ApiObject,
  Authentication,
  AuthenticationContext,
  Authenticator,
  Credentials,
  JsonObject,
} from '../../runtime/contract/index.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { dayOf } from '../../runtime/objects/scan/time.js';
import {
  type AccountClaims,
  accountUser,
  audiencesOf,
  type NamedObject,
  objectProblem,
  readAccountClaims,
  timeProblem,
} from './claims.js';
import type { CheckingKey } from './issuer.js';
import { bearerToken } from './tokens.js';

export interface ServiceAccountTokensOptions {
  /** The accepted issuers (claim `iss`). */
  readonly issuers: readonly string[];
  readonly keys: readonly CheckingKey[];
  /** Finds further keys by the ID that a token names. */
  readonly findKey?: (id: string) => Promise<CheckingKey | undefined>;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly names: Naming;
  /**
   * Whether tokens of secrets, which do not expire, need their secret and their account to exist. Other tokens always
   * need their objects. Default: true.
   */
  readonly lookup?: boolean;
  /** Receives each use of a token. */
  readonly onUse?: (use: TokenUse) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly clock?: () => number;
}

/**
 * The use of a token: `valid` tokens expire, and `stale` ones should have been renewed. A token of a secret counts as
 * `legacy`, and also as `auto` if the account lists the secret, else as `manual`.
 */
export type TokenUse = 'valid' | 'stale' | 'legacy' | 'auto' | 'manual';

/** Longer tokens are ignored, characters: this server never issues them. */
const maxLength = 16 * 1024;

export function defineServiceAccountTokens(options: ServiceAccountTokensOptions): Authenticator {
  const issuers = [...options.issuers, options.names.wellKnown.legacyTokenIssuer];
  return {
    name: 'service-account',
    authenticate(credentials, context) {
      const token = bearerToken(credentials);
      if (token === undefined || token.length > maxLength) return undefined;
      // Leave tokens of other issuers to other authenticators.
      if (!issuers.includes(stringAt(decode(token), 'iss'))) return undefined;
      return verify(token, options).then((claims) =>
        claims ? recognize(options, { token, claims }, credentials, context) : refuse('the signature is not valid'),
      );
    },
  };
}

/** Reads the claims of a token before its signature is verified. */
function decode(token: string): JsonObject {
  try {
    const claims: unknown = decodeJwt(token);
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Returns the claims of a token if its key signed it: the key that it names, or any key if it names none. */
async function verify(
  token: string,
  { keys, findKey }: Pick<ServiceAccountTokensOptions, 'keys' | 'findKey'>,
): Promise<JsonObject | undefined> {
  // Loaded with the first token: starting needs none of it, and each loaded file delays the start.
  const { compactVerify } = await import('jose/jws/compact/verify');
  const kid = keyIdOf(token);
  const found = kid === undefined ? undefined : await findKey?.(kid);
  for (const { id, algorithm, publicKey } of found ? [found] : keys) {
    if (kid !== undefined && kid !== id) continue;
    try {
      const { payload } = await compactVerify(token, publicKey, { algorithms: [algorithm] });
      const claims: unknown = JSON.parse(Buffer.from(payload).toString());
      if (isObject(claims)) return claims;
    } catch {
      // Not signed with this key.
    }
  }
  return undefined;
}

/** Returns the key ID of a token, or `undefined` if its header cannot be read; then no key signed it either. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** The claims of a token with a good signature. */
interface Verified {
  readonly token: string;
  readonly claims: JsonObject;
}

function recognize(
  options: ServiceAccountTokensOptions,
  verified: Verified,
  credentials: Credentials,
  context: AuthenticationContext | undefined,
): Authentication {
  if (!context) return { refused: 'the server cannot look up the account' };
  const isLegacy = stringAt(verified.claims, 'iss') === options.names.wellKnown.legacyTokenIssuer;
  return isLegacy
    ? recognizeLegacy(options, verified, credentials, context)
    : recognizeBound(options, verified, credentials, context);
}

/** Recognizes a token of a secret. Such tokens are for the audiences of this server. */
function recognizeLegacy(
  { audiences: own, names, lookup = true, onUse = () => {}, clock = Date.now }: ServiceAccountTokensOptions,
  { token, claims }: Verified,
  { audiences: wanted = own }: Credentials,
  context: AuthenticationContext,
): Authentication {
  const audiences = wanted.filter((audience) => own.includes(audience));
  if (audiences.length === 0 && own.length > 0) return refuse(foreignAudiences(own, wanted));
  const account = readLegacyClaims(claims, names);
  if (!account) return refuse('sub claim does not match the claims about the account');
  const problem = lookup ? legacyProblem(account, token, context, clock()) : undefined;
  if (problem !== undefined) return refuse(problem);
  if (lookup) onUse(isListed(account, context) ? 'auto' : 'manual');
  onUse('legacy');
  noteUse(account, names, context, clock());
  return { user: accountUser(account, names), audiences };
}

function recognizeBound(
  { audiences: own, names, onUse = () => {}, clock = Date.now }: ServiceAccountTokensOptions,
  { claims }: Verified,
  { audiences: wanted = own }: Credentials,
  context: AuthenticationContext,
): Authentication {
  const audiences = audiencesOf(claims).filter((audience) => wanted.includes(audience));
  if (audiences.length === 0) return refuse(foreignAudiences(audiencesOf(claims), wanted));
  const now = clock();
  const late = timeProblem(claims, now);
  if (late !== undefined) return refuse(late);
  const account = readAccountClaims(claims, names);
  if (!account) return refuse('sub claim does not match the claims about the account');
  const problem = objectProblem(account, context, now);
  if (problem !== undefined) return refuse(problem);
  const renewBy = objectAt(claims, names.wellKnown.tokenClaim)?.warnafter;
  onUse(typeof renewBy === 'number' && renewBy * 1000 < now ? 'stale' : 'valid');
  // In the order of the request, as in the answer of a token review.
  const matched = wanted.filter((audience) => audiences.includes(audience));
  return { user: accountUser(account, names), audiences: matched };
}

function foreignAudiences(said: readonly string[], wanted: readonly string[]): string {
  const print = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
  return `token audiences ${print(said)} is invalid for the target audiences ${print(wanted)}`;
}

const refuse = (why: string): Authentication => ({ refused: why, publicReason: why });

// Labels secrets with the day when their token was last used, so that unused ones can be found and removed.

/**
 * Writes the current day into a label of a token's secret, at most once a day, if the server tracks such uses. Does not
 * delay the request; after a failure, the next use tries again.
 */
function noteUse(
  { namespace, secretName: name }: LegacyClaims,
  { namespaces, wellKnown }: Naming,
  { get, update }: AuthenticationContext,
  now: number,
): void {
  const { legacyTokenLastUsed: label, legacyTokenTracking } = wellKnown;
  if (!get({ group: '', resource: 'configmaps', namespace: namespaces.system, name: legacyTokenTracking })) return;
  const place = { group: '', resource: 'secrets', namespace, name };
  const today = dayOf(now);
  const secret = get(place);
  if (!secret || isNoted(secret, label, today)) return;
  update(place, (found) => {
    if (!isNoted(found, label, today)) found.metadata.labels = { ...found.metadata.labels, [label]: today };
    return undefined;
  }).catch(() => undefined);
}

/** Compares days as texts. The clock of another server may be ahead. */
const isNoted = ({ metadata }: ApiObject, label: string, today: string): boolean =>
  (metadata.labels?.[label] ?? '') >= today;

// Tokens of secrets: they do not expire, have no audiences, and are valid as long as their secret exists.

interface LegacyClaims extends AccountClaims {
  readonly secretName: string;
}

/** Reads the claims, or returns `undefined` if one is missing or they do not match the subject. */
function readLegacyClaims(claims: JsonObject, names: Naming): LegacyClaims | undefined {
  const said = (name: string): string => stringAt(claims, `${names.wellKnown.tokenClaim}/serviceaccount/${name}`);
  const [namespace, secretName] = [said('namespace'), said('secret.name')];
  const account: NamedObject = { name: said('service-account.name'), uid: said('service-account.uid') };
  if (namespace === '' || secretName === '' || account.name === '' || account.uid === '') return undefined;
  if (stringAt(claims, 'sub') !== `system:serviceaccount:${namespace}:${account.name}`) return undefined;
  return { namespace, account, secretName };
}

/** Reports whether an account lists a secret. It lists the secret that a controller once made for it. */
function isListed({ namespace, account, secretName }: LegacyClaims, { get }: AuthenticationContext): boolean {
  const found = get({ group: '', resource: 'serviceaccounts', namespace, name: account.name });
  return objectsAt(found, 'secrets').some((secret) => stringAt(secret, 'name') === secretName);
}

/** Returns why a token is no longer valid: its secret is gone or holds another token, or its account is gone. */
function legacyProblem(
  claims: LegacyClaims,
  token: string,
  context: AuthenticationContext,
  now: number,
): string | undefined {
  const { namespace, secretName: name } = claims;
  const secret = context.get({ group: '', resource: 'secrets', namespace, name });
  if (!secret || secret.metadata.deletionTimestamp !== undefined) return 'Token has been invalidated';
  const held = Buffer.from(stringAt(objectAt(secret, 'data'), 'token'), 'base64');
  const sent = Buffer.from(token);
  if (held.length !== sent.length || !timingSafeEqual(held, sent)) return "Token does not match server's copy";
  return objectProblem(claims, context, now);
}
