/** Checks certificates as signers hand them out: PEM blocks with X.509 certificates (RFC 5280) and text around them. */
import { X509Certificate } from 'node:crypto';
import { readAll } from './der.js';
import { pemBlocks } from './pem.js';

/**
 * Returns the problem of a text of certificates; `undefined` where there is none. An empty one has no certificate
 * yet.
 */
export function certificatesProblem(pem: Uint8Array): string | undefined {
  if (pem.length === 0) return undefined;
  const blocks = pemBlocks(pem);
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found "${type}"`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    const problem = blockProblem(bytes);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A block holds one certificate after the other. */
function blockProblem(der: Uint8Array): string | undefined {
  const certificates = readAll(der);
  if (!certificates) return 'x509: malformed certificate';
  if (certificates.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
  return certificates.every(({ whole }) => parseCertificate(whole) !== undefined)
    ? undefined
    : 'x509: malformed certificate';
}

/** A certificate in DER; `undefined` where the bytes are none. */
export function parseCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(der));
  } catch {
    return undefined;
  }
}
