/** Asks a server which user it makes of an ID token. If it refuses the token, finds out why. */
import { decodeProtectedHeader } from 'jose';
import type { LoadedConnection } from '../../client/node/loaded.js';
import { NoServer, Refusal } from '../objects/failure.js';
import { fieldsOf, listOf } from '../objects/printing.js';
import { explainServer } from './explain.js';
import { type PublishedLogin, readPublishedLogin } from './published-login.js';
import { claimsOf } from './sign-in.js';

/** The user that a server makes of a token; without a name if the server only accepts the token. */
export interface KnownUser {
  readonly name?: string;
  readonly groups: readonly string[];
}

/**
 * Sends one SelfSubjectReview. If the server refuses the token, rejects with a `Refusal` that names the wrong claim.
 */
export async function askServer(connection: LoadedConnection, idToken: string): Promise<KnownUser> {
  const answer = await review(connection, 'authentication.k8s.io');
  // Under platform names the group has another name.
  const other = answer.status === 404 ? await review(connection, 'authentication.platform.io') : answer;
  if (other.status === 401) throw await refusedBy(connection, idToken, other.date);
  if (other.status >= 500)
    throw new NoServer(`the server ${connection.baseUrl} answers ${other.status}: ${other.text}`);
  const { username, groups } = fieldsOf(fieldsOf(fieldsOf(parse(other.text)).status).userInfo);
  if (typeof username === 'string') return { name: username, groups: listOf(groups).map(String) };
  // By default, servers do not have this version. Then the name follows from the rules that they publish.
  const published = await readPublishedLogin(connection);
  const claims = claimsOf(idToken);
  return published && claims.iss === published.issuer ? userOf(claims, published) : { groups: [] };
}

interface Reviewed {
  readonly status: number;
  readonly text: string;
  /** The time of the server, milliseconds since 1970. */
  readonly date: number;
}

async function review({ fetch: send, baseUrl }: LoadedConnection, group: string): Promise<Reviewed> {
  const apiVersion = `${group}/v1beta1`;
  const answer = await send(`${baseUrl.replace(/\/$/, '')}/apis/${apiVersion}/selfsubjectreviews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ apiVersion, kind: 'SelfSubjectReview' }),
  }).catch((error: unknown) => {
    throw explainServer(error, baseUrl);
  });
  return { status: answer.status, text: await answer.text(), date: Date.parse(answer.headers.get('date') ?? '') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes a user from claims, as the server does. */
function userOf(claims: Readonly<Record<string, unknown>>, published: PublishedLogin): KnownUser {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = published;
  if (usernameClaim === undefined) return { groups: [] };
  const groups = groupsClaim === undefined ? [] : [claims[groupsClaim] ?? []].flat();
  return {
    name: usernamePrefix + String(claims[usernameClaim]),
    groups: [...groups.map((group) => groupsPrefix + String(group)), 'system:authenticated'],
  };
}

async function refusedBy(connection: LoadedConnection, idToken: string, date: number): Promise<Refusal> {
  const published = await readPublishedLogin(connection);
  if (!published) {
    return new Refusal(
      `the server ${connection.baseUrl} refuses the ID token: it trusts no identity provider, or does not publish which one`,
      'Start it with --oidc-issuer-url and --oidc-client-id, the same as here',
    );
  }
  const why = problemOf(idToken, published, date);
  if (why) return new Refusal(`the server ${connection.baseUrl} refuses the ID token: ${why.problem}`, why.advice);
  return new Refusal(
    `the server ${connection.baseUrl} refuses the ID token, and its claims do not show why`,
    'See the log of the server; the server must reach the provider, and trust its certificate (--oidc-ca-file)',
  );
}

interface TokenProblem {
  readonly problem: string;
  readonly advice: string;
}

/** Compares a token with the rules that the server publishes, in the order in which the server checks them. */
export function problemOf(idToken: string, rules: PublishedLogin, serverTime: number): TokenProblem | undefined {
  const claims = claimsOf(idToken);
  const claim = (name: string): string => `its claim "${name}" is ${JSON.stringify(claims[name]) ?? 'missing'}`;
  if (rules.otherIssuers?.some((issuer) => issuer === claims.iss)) return undefined;
  if (claims.iss !== rules.issuer) {
    return {
      problem: `${claim('iss')}, and the server wants ${JSON.stringify(rules.issuer)}`,
      advice: `Log in with --oidc-issuer-url ${rules.issuer}, letter by letter, or change that flag of kindforge serve`,
    };
  }
  const { alg = '' } = decodeProtectedHeader(idToken);
  if (!rules.signingAlgorithms.includes(alg)) {
    return {
      problem: `it is signed by ${alg}, and the server wants ${rules.signingAlgorithms.join(', ')}`,
      advice: `Start the server with --oidc-signing-algs ${[...rules.signingAlgorithms, alg].join(',')}`,
    };
  }
  const { audiences = [rules.clientId] } = rules;
  const named: readonly unknown[] = [claims.aud].flat();
  if (!audiences.some((audience) => named.includes(audience))) {
    return {
      problem: `${claim('aud')}, and the server wants ${audiences.map((one) => JSON.stringify(one)).join(' or ')}`,
      advice: `Log in with --oidc-client-id ${rules.clientId}, or change that flag of kindforge serve`,
    };
  }
  return timeProblem(claims, serverTime) ?? claimProblem(claims, rules, claim);
}

/** The server accepts tokens that begin up to a minute ahead of its clock, milliseconds. */
const aheadMs = 60_000;

function timeProblem({ exp, nbf }: Readonly<Record<string, unknown>>, serverTime: number): TokenProblem | undefined {
  const advice = 'Set the clocks of the server and the provider with NTP (timedatectl set-ntp true)';
  const shown = (ms: number): string => new Date(ms).toISOString();
  if (Number(exp) * 1000 <= serverTime) {
    return { problem: `it expired at ${shown(Number(exp) * 1000)}, and the server has ${shown(serverTime)}`, advice };
  }
  if (typeof nbf !== 'number' || nbf * 1000 <= serverTime + aheadMs) return undefined;
  return { problem: `it begins at ${shown(nbf * 1000)}, and the server has ${shown(serverTime)}`, advice };
}

function claimProblem(
  claims: Readonly<Record<string, unknown>>,
  { usernameClaim, groupsClaim, requiredClaims }: PublishedLogin,
  claim: (name: string) => string,
): TokenProblem | undefined {
  const name = usernameClaim === undefined ? undefined : claims[usernameClaim];
  if (usernameClaim !== undefined && (typeof name !== 'string' || name === '')) {
    return {
      problem: `${claim(usernameClaim)}, and the server wants the name of the user there`,
      advice: `Let the provider put ${usernameClaim} into ID tokens (a scope or a mapper), or start the server with another --oidc-username-claim`,
    };
  }
  if (usernameClaim === 'email' && (claims.email_verified ?? true) !== true) {
    return {
      problem: `${claim('email_verified')}, and the server accepts only verified addresses`,
      advice: 'Verify the address at the provider, or start the server with another --oidc-username-claim',
    };
  }
  const groups = groupsClaim === undefined ? [] : [claims[groupsClaim] ?? []].flat();
  if (groupsClaim !== undefined && groups.some((group) => typeof group !== 'string')) {
    return {
      problem: `${claim(groupsClaim)}, and the server wants a list of texts`,
      advice: 'Change the claim at the provider, or start the server with another --oidc-groups-claim',
    };
  }
  const missing = requiredClaims.find((one) => typeof claims[one] !== 'string');
  if (missing !== undefined) {
    return {
      problem: `${claim(missing)}, and the server requires it`,
      advice: 'Let the provider put this claim into ID tokens, or change --oidc-required-claim of kindforge serve',
    };
  }
  if (requiredClaims.length === 0) return undefined;
  return {
    problem: `it has another text than --oidc-required-claim says in one of: ${requiredClaims.map(claim).join('; ')}`,
    advice: 'Only users with the required texts may come in; ask the administrator of the server',
  };
}
