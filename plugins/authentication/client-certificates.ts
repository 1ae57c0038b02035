/** Recognizes users by client certificates: the common name is the user, each organization a group. */
import { X509Certificate } from 'node:crypto';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import { certificateSubject } from '../../runtime/codec/certificates/read-name.js';
import type { Authentication, Authenticator, ClientCertificate } from '../../runtime/contract/index.js';
import { authenticatedUser } from './user-info.js';
import { credentialId } from './user-record.js';
import type { Revocation, UserCertificate } from './users.js';

/** The answer for a certificate, the authorities that it was verified with, and when the answer is valid. */
interface Seen {
  readonly authorities: readonly X509Certificate[];
  readonly from: number;
  readonly until: number;
  readonly answer: Authentication;
  /** The certificate if it names a user, so that it can be revoked. */
  readonly certificate?: UserCertificate;
}

/**
 * Creates an authenticator for certificates that one of `authorities` issued. `authorities` is called for each request;
 * after a new list, it verifies every certificate again. It refuses a certificate that does not verify, whatever its
 * subject says. It verifies signatures once per connection, and checks times and revocation on each request.
 */
export function defineClientCertificates(
  authorities: () => readonly X509Certificate[],
  now: () => number = Date.now,
  revocation?: Revocation,
): Authenticator {
  const known = new WeakMap<ClientCertificate, Seen>();
  const seenNow = (shown: ClientCertificate): Seen => {
    const current = authorities();
    const time = now();
    const before = known.get(shown);
    if (before?.authorities === current && time >= before.from && time <= before.until) return before;
    const seen = { authorities: current, ...look(shown, current, time, revocation) };
    known.set(shown, seen);
    return seen;
  };
  const answerFor = (shown: ClientCertificate): Authentication => {
    const { answer, certificate } = seenNow(shown);
    return (certificate && revocation?.refusalOf(certificate)) ?? answer;
  };
  return {
    name: 'client-certificate',
    authenticate: ({ clientCertificate: shown }) => shown && answerFor(shown),
  };
}

function look(
  { chain, problem }: ClientCertificate,
  authorities: readonly X509Certificate[],
  now: number,
  revocation: Revocation | undefined,
): Omit<Seen, 'authorities'> {
  const [der = new Uint8Array()] = chain;
  if (problem !== undefined && problem !== expiredProblem) return refusal(unverified(problem));
  const certificates = chain.map((one) => new X509Certificate(one));
  const end = certificates[0] ? Date.parse(certificates[0].validTo) : now;
  const certificateOf = (user: string): UserCertificate => ({ user, id: credentialId(der), until: end });
  // A certificate that has expired is verified as of its last moment, to find its user.
  const verified = verifyChain(certificates, authorities, Math.min(now, end));
  const subject = certificateSubject(der);
  if (end < now) {
    const told = verified.ok && subject ? revocation?.refusalOf(certificateOf(subject.commonName)) : undefined;
    const refused = problem === undefined ? 'x509: certificate has expired or is not yet valid' : unverified(problem);
    return told ? { ...refusal(refused), answer: told } : refusal(refused);
  }
  if (problem !== undefined) return refusal(unverified(problem));
  if (!verified.ok) return refusal(verified.problem);
  if (!subject) return refusal('x509: malformed certificate');
  const { from, until } = verified;
  // As in the reference, a certificate without a common name is ignored, not refused.
  if (subject.commonName === '') return { from, until, answer: undefined };
  const certificate = certificateOf(subject.commonName);
  const user = authenticatedUser(subject.commonName, '', subject.organizations);
  const onEnd = revocation && ((ended: () => void) => revocation.onRevoked(certificate, ended));
  return { from, until, answer: { user, ...(onEnd && { onEnd }) }, certificate };
}

/** The problem that Node reports for a certificate that has expired. */
const expiredProblem = 'CERT_HAS_EXPIRED';

const unverified = (problem: string): string => `the client certificate is not verified: ${problem}`;

/** Creates a refusal. It is not cached, because a certificate can become valid later. */
const refusal = (refused: string): Omit<Seen, 'authorities'> => ({
  from: Number.POSITIVE_INFINITY,
  until: Number.NEGATIVE_INFINITY,
  answer: { refused },
});

/**
 * The time in milliseconds since 1970 when the whole chain is valid, or the problem of a chain that does not verify.
 */
type Verification =
  | { readonly ok: true; readonly from: number; readonly until: number }
  | { readonly ok: false; readonly problem: string };

/** The most certificates that a client may send beside its own. */
const most = 10;

/** Verifies `chain`, which begins with the client's own certificate, at `now` (milliseconds since 1970). */
export function verifyChain(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: number,
): Verification {
  const [own, ...others] = chain;
  if (!own) return { ok: false, problem: 'x509: no certificate' };
  if (!isTimely(own, now)) return { ok: false, problem: 'x509: certificate has expired or is not yet valid' };
  if (!isForClients(own)) return { ok: false, problem: 'x509: the certificate is not for clients' };
  const timely = (one: X509Certificate): boolean => isTimely(one, now);
  const path = pathFrom(own, others.slice(0, most).filter(timely), authorities.filter(timely));
  if (!path) return { ok: false, problem: 'x509: certificate signed by unknown authority' };
  return {
    ok: true,
    from: Math.max(...path.map(({ validFrom }) => Date.parse(validFrom))),
    until: Math.min(...path.map(({ validTo }) => Date.parse(validTo))),
  };
}

/**
 * Finds the shortest path from a certificate to a trusted one, both included. Each certificate is visited once, so the
 * cost is at most the square of the chain's length.
 */
function pathFrom(
  own: X509Certificate,
  others: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const waiting = new Set(others.filter(isForClients));
  const paths: (readonly [X509Certificate, ...X509Certificate[]])[] = [[own]];
  for (const path of paths) {
    const [last] = path;
    if (authorities.some(({ raw }) => raw.equals(last.raw))) return path;
    const trusted = authorities.find((issuer) => isIssuedBy(last, issuer));
    if (trusted) return [trusted, ...path];
    for (const issuer of waiting) {
      if (!isIssuedBy(last, issuer)) continue;
      waiting.delete(issuer);
      paths.push([issuer, ...path]);
    }
  }
  return undefined;
}

/** Checks names and signature: names alone prove nothing. */
const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);

const isTimely = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  now >= Date.parse(validFrom) && now <= Date.parse(validTo);

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyPurpose = '2.5.29.37.0';

/** Returns whether a certificate is for clients. Without key purposes it is for everything. */
function isForClients({ keyUsage: purposes }: X509Certificate): boolean {
  return purposes === undefined || purposes.includes(clientAuth) || purposes.includes(anyPurpose);
}

type AuthoritiesResult =
  | { readonly ok: true; readonly authorities: readonly X509Certificate[] }
  | { readonly ok: false; readonly problem: string };

/** Reads the certificates of a PEM bundle. As in the reference, it ignores other blocks. */
export function readAuthorities(pem: Uint8Array): AuthoritiesResult {
  const authorities: X509Certificate[] = [];
  for (const { type, bytes } of pemBlocks(pem)) {
    if (type !== 'CERTIFICATE') continue;
    const certificate = parseCertificate(bytes);
    if (!certificate) return { ok: false, problem: 'a block holds no certificate' };
    authorities.push(certificate);
  }
  return authorities.length === 0 ? { ok: false, problem: 'no certificate in PEM' } : { ok: true, authorities };
}
