/** Recognizes users by client certificates: the common name is the user, each organization a group. */
import { X509Certificate } from 'node:crypto';
import { certificateSubject } from '../../runtime/codec/certificates/certificate-subject.js';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import type { Authentication, Authenticator, ClientCertificate } from '../../runtime/contract/index.js';
import { authenticatedUser } from './users.js';

/** The answer for a certificate, the authorities that it was held against, and the time that the answer is good for. */
interface Seen {
  readonly authorities: readonly X509Certificate[];
  readonly from: number;
  readonly until: number;
  readonly answer: Authentication;
}

/**
 * An authenticator of the certificates that `authorities` vouch for; it is asked for them at each request, and a
 * new list has every certificate verified again. A certificate that does not verify is refused, whatever its subject says.
 * Signatures are verified once for a connection, times for each request.
 */
export function defineClientCertificates(
  authorities: () => readonly X509Certificate[],
  now: () => number = Date.now,
): Authenticator {
  const known = new WeakMap<ClientCertificate, Seen>();
  const answerFor = (shown: ClientCertificate): Authentication => {
    const current = authorities();
    const time = now();
    const before = known.get(shown);
    if (before?.authorities === current && time >= before.from && time <= before.until) return before.answer;
    const seen = { authorities: current, ...look(shown, current, time) };
    known.set(shown, seen);
    return seen.answer;
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
): Omit<Seen, 'authorities'> {
  if (problem !== undefined) return refusal(`the client certificate is not verified: ${problem}`);
  const certificates = chain.map((der) => new X509Certificate(der));
  const verified = verifyChain(certificates, authorities, now);
  if (!verified.ok) return refusal(verified.problem);
  const subject = certificateSubject(chain[0] ?? new Uint8Array());
  if (!subject) return refusal('x509: malformed certificate');
  const { from, until } = verified;
  // As in the reference, a certificate without a name is nobody's, and no wrong one either.
  if (subject.commonName === '') return { from, until, answer: undefined };
  return { from, until, answer: { user: authenticatedUser(subject.commonName, '', subject.organizations) } };
}

/** A refusal is worked out again for each request: a certificate can become valid. */
const refusal = (refused: string): Omit<Seen, 'authorities'> => ({
  from: Number.POSITIVE_INFINITY,
  until: Number.NEGATIVE_INFINITY,
  answer: { refused },
});

/** The time in which a whole chain is valid, in milliseconds since 1970; or what is wrong with it. */
type Verification =
  | { readonly ok: true; readonly from: number; readonly until: number }
  | { readonly ok: false; readonly problem: string };

/** The most certificates that a client may send besides its own. */
const most = 10;

/** Verifies `chain`, the client's own certificate first, at a time. */
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
 * The shortest way from a certificate to a trusted one, both included. Each certificate is gone through once, however many
 * others it is issued by, so that what a client sends costs no more than its length squared.
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

/** Names alone say nothing: the signature counts. */
const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);

const isTimely = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  now >= Date.parse(validFrom) && now <= Date.parse(validTo);

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyPurpose = '2.5.29.37.0';

/** A certificate that names no purposes is for all of them. */
function isForClients({ keyUsage: purposes }: X509Certificate): boolean {
  return purposes === undefined || purposes.includes(clientAuth) || purposes.includes(anyPurpose);
}

/** The certificates, or what is wrong with the bundle. */
type AuthoritiesResult =
  | { readonly ok: true; readonly authorities: readonly X509Certificate[] }
  | { readonly ok: false; readonly problem: string };

/** Blocks of other kinds are passed over, as in the reference. */
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
