/** Recognizes users by headers of an authenticating proxy, which proves with a certificate that it may set them. */
import { X509Certificate } from 'node:crypto';
import { certificateSubject } from '../../runtime/codec/certificates/read-name.js';
import type { Authentication, Authenticator, ClientCertificate, Credentials } from '../../runtime/contract/index.js';
import { quote } from '../../runtime/objects/printing.js';
import { extrasOfHeaders, valuesOfHeader } from '../../runtime/objects/tracing.js';
import { verifyChain } from './client-certificates.js';
import { authenticatedUser } from './user-info.js';

/** The headers that name users, and the proxies that may set them. Header names ignore case. */
export interface RequestHeaders {
  /** The first of these headers with a value holds the user's name. */
  readonly usernameHeaders: readonly string[];
  /** All values of all these headers are groups. Default: none. */
  readonly groupHeaders?: readonly string[] | undefined;
  /** Prefixes of headers; the rest of the header's name is the key of an extra. Default: none. */
  readonly extraHeadersPrefixes?: readonly string[] | undefined;
  /** Common names of the certificates of proxies. Default: any. */
  readonly allowedNames?: readonly string[] | undefined;
}

/**
 * Creates an authenticator for proxies with a certificate from `authorities`. Ignores the headers of other clients, and
 * of a proxy that names no user.
 */
export function defineRequestHeaders(
  headers: RequestHeaders,
  authorities: () => readonly X509Certificate[],
  now: () => number = Date.now,
): Authenticator {
  const rules = inLowerCase(headers);
  return {
    name: 'request-header',
    authenticate(credentials) {
      if (!credentials.clientCertificate || !namesUser(credentials, rules)) return undefined;
      const problem = proxyProblem(credentials.clientCertificate, rules.allowedNames, authorities(), now());
      return problem === undefined ? userOfHeaders(credentials, rules) : { refused: `request header: ${problem}` };
    },
  };
}

/**
 * Returns a function that reports whether a header (in lower case) identifies a user. Only the authenticator may see
 * such headers.
 */
export function identifiesUser(headers: RequestHeaders): (name: string) => boolean {
  const { usernameHeaders, groupHeaders, extraHeadersPrefixes } = inLowerCase(headers);
  const names = new Set([...usernameHeaders, ...groupHeaders]);
  return (name) => names.has(name) || extraHeadersPrefixes.some((prefix) => name.startsWith(prefix));
}

type Rules = Required<{ [K in keyof RequestHeaders]: readonly string[] }>;

function inLowerCase(headers: RequestHeaders): Rules {
  const { usernameHeaders, groupHeaders = [], extraHeadersPrefixes = [], allowedNames = [] } = headers;
  const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());
  return {
    usernameHeaders: lower(usernameHeaders),
    groupHeaders: lower(groupHeaders),
    extraHeadersPrefixes: lower(extraHeadersPrefixes),
    allowedNames,
  };
}

const nameIn = (credentials: Credentials, { usernameHeaders }: Rules): string =>
  usernameHeaders.map((header) => valuesOfHeader(credentials, header)[0] ?? '').find((name) => name !== '') ?? '';

const namesUser = (credentials: Credentials, rules: Rules): boolean => nameIn(credentials, rules) !== '';

/** Returns why a certificate does not belong to an allowed proxy, or `undefined` if it does. */
function proxyProblem(
  { chain, problem }: ClientCertificate,
  allowedNames: readonly string[],
  authorities: readonly X509Certificate[],
  now: number,
): string | undefined {
  if (problem !== undefined) return `the client certificate is not verified: ${problem}`;
  const verified = verifyChain(
    chain.map((der) => new X509Certificate(der)),
    authorities,
    now,
  );
  if (!verified.ok) return verified.problem;
  const { commonName = '' } = certificateSubject(chain[0] ?? new Uint8Array()) ?? {};
  if (allowedNames.length === 0 || allowedNames.includes(commonName)) return undefined;
  return `x509: subject with cn=${quote(commonName)} is not in the allowed list`;
}

function userOfHeaders(credentials: Credentials, rules: Rules): Authentication {
  const groups = rules.groupHeaders.flatMap((header) => valuesOfHeader(credentials, header));
  const user = authenticatedUser(nameIn(credentials, rules), '', groups);
  return { user: { ...user, extra: extrasOfHeaders(credentials, rules.extraHeadersPrefixes) } };
}
