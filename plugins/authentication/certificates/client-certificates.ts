/** Recognizes users by client certificates: the common name is the user, each organization a group. */
import { X509Certificate } from 'node:crypto';
import { certificateSubject } from '../../../runtime/codec/certificates/certificate-subject.js';
import type { Authentication, Authenticator, ClientCertificate } from '../../../runtime/contract/index.js';
import { authenticatedUser } from '../users.js';
import { verifyChain } from './verify-chain.js';

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
