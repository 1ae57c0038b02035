/** Recognizes service accounts by tokens that the server, or another one with the same keys, has signed. */
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
} from '../../../runtime/contract/index.js';
import { isObject, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { dayOf } from '../../../runtime/objects/time.js';
import { bearerToken } from '../bearer.js';
import {
  type AccountClaims,
  accountUser,
  audiencesOf,
  type NamedObject,
  objectProblem,
  readAccountClaims,
  timeProblem,
} from './claims.js';
import type { CheckingKey } from './signing-key.js';

export interface ServiceAccountTokensOptions {
  /** The accepted issuers: values of the claim `iss`. */
  readonly issuers: readonly string[];
  readonly keys: readonly CheckingKey[];
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly names: Naming;
  /**
   * Whether tokens of secrets, which have no end, count only as long as their secret and their account are there. Other
   * tokens always count so. Default: true.
   */
  readonly lookup?: boolean;
  /** Milliseconds since the epoch; the system's where absent. */
  readonly clock?: () => number;
}

/** Longest token that is looked at, in characters; longer ones are of nobody's making here. */
const maxLength = 16 * 1024;

export function defineServiceAccountTokens(options: ServiceAccountTokensOptions): Authenticator {
  const issuers = [...options.issuers, options.names.wellKnown.legacyTokenIssuer];
  return {
    name: 'service-account',
    authenticate(credentials, context) {
      const token = bearerToken(credentials);
      if (token === undefined || token.length > maxLength) return undefined;
      // Tokens of other issuers are for other methods to look at.
      if (!issuers.includes(stringAt(decode(token), 'iss'))) return undefined;
      return verify(token, options.keys).then((claims) =>
        claims ? recognize(options, { token, claims }, credentials, context) : refuse('the signature is not valid'),
      );
    },
  };
}

/** The claims of a token, before its signature is checked. */
function decode(token: string): JsonObject {
  try {
    const claims: unknown = decodeJwt(token);
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** The claims of a token that one of the keys has signed: the key that it names, or any if it names none. */
async function verify(token: string, keys: readonly CheckingKey[]): Promise<JsonObject | undefined> {
  // Loaded with the first token: a start needs none, and each file that is loaded delays it.
  const { compactVerify } = await import('jose/jws/compact/verify');
  const kid = keyIdOf(token);
  for (const { id, algorithm, publicKey } of keys) {
    if (kid !== undefined && kid !== id) continue;
    try {
      const { payload } = await compactVerify(token, publicKey, { algorithms: [algorithm] });
      const claims: unknown = JSON.parse(Buffer.from(payload).toString());
      if (isObject(claims)) return claims;
    } catch {
      // Not of this key.
    }
  }
  return undefined;
}

/** The key that a token names; none where its header cannot be read, which then no key has signed either. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** A token whose signature is good, and its claims. */
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
  if (!context) return { refused: 'there is no server to ask for the account' };
  const isLegacy = stringAt(verified.claims, 'iss') === options.names.wellKnown.legacyTokenIssuer;
  return isLegacy
    ? recognizeLegacy(options, verified, credentials, context)
    : recognizeBound(options, verified, credentials, context);
}

/** A token of a secret is for the audiences of this server. */
function recognizeLegacy(
  { audiences: own, names, lookup = true, clock = Date.now }: ServiceAccountTokensOptions,
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
  noteUse(account, names, context, clock());
  return { user: accountUser(account, names), audiences };
}

function recognizeBound(
  { audiences: own, names, clock = Date.now }: ServiceAccountTokensOptions,
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
  // In the order of the question, as the answer to a review has them.
  const matched = wanted.filter((audience) => audiences.includes(audience));
  return { user: accountUser(account, names), audiences: matched };
}

function foreignAudiences(said: readonly string[], wanted: readonly string[]): string {
  const print = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
  return `token audiences ${print(said)} is invalid for the target audiences ${print(wanted)}`;
}

const refuse = (why: string): Authentication => ({ refused: why, told: why });

// Writes on secrets when their tokens were last used, so that those that nobody uses can be found and removed.

/**
 * Labels the secret of a token with today's day, at most once a day, on servers that track such uses. Nobody waits for it,
 * and a failure only means that the next use tries again.
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

/** Days of the calendar are compared as texts. The clock of another server may be ahead. */
const isNoted = ({ metadata }: ApiObject, label: string, today: string): boolean =>
  (metadata.labels?.[label] ?? '') >= today;

// Reads and checks the claims of tokens that secrets hold: they have no end and no audiences, and go with their secret.

/** The account of such a token, and the name of the secret. */
interface LegacyClaims extends AccountClaims {
  readonly secretName: string;
}

/** Nothing where a claim is missing, or they do not fit the subject. */
function readLegacyClaims(claims: JsonObject, names: Naming): LegacyClaims | undefined {
  const said = (name: string): string => stringAt(claims, `${names.wellKnown.tokenClaim}/serviceaccount/${name}`);
  const [namespace, secretName] = [said('namespace'), said('secret.name')];
  const account: NamedObject = { name: said('service-account.name'), uid: said('service-account.uid') };
  if (namespace === '' || secretName === '' || account.name === '' || account.uid === '') return undefined;
  if (stringAt(claims, 'sub') !== `system:serviceaccount:${namespace}:${account.name}`) return undefined;
  return { namespace, account, secretName };
}

/** Returns why a token no longer counts: its secret is gone or holds another one, or its account is gone. */
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
