/** Reads the authorities of a bundle: certificates in PEM, one after the other, with any text around them. */
import type { X509Certificate } from 'node:crypto';
import { parseCertificate } from '../../../runtime/codec/certificates/certificates.js';
import { pemBlocks } from '../../../runtime/codec/certificates/pem.js';

/** The certificates, or what is wrong with the bundle. */
export type AuthoritiesResult =
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
