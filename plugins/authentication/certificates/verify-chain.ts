/** Verifies that a certificate leads to a trusted authority, for a client (RFC 5280 section 6). */
import type { X509Certificate } from 'node:crypto';

/** The time in which a whole chain is valid, in milliseconds since 1970; or what is wrong with it. */
export type Verification =
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
