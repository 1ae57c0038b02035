/** An authority that signs the certificates of requests: its certificate, and the key that belongs to it. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { authorityParts } from '../../runtime/codec/certificates/certificate-parts.js';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { keyId } from '../../runtime/codec/certificates/extensions.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import { canSign } from '../../runtime/codec/certificates/sign-certificate.js';

export interface SigningAuthority {
  /** Its name in DER. */
  readonly name: Uint8Array;
  /** The short name of its key. */
  readonly keyId: Uint8Array;
  readonly privateKey: KeyObject;
  /** The end of its certificate, milliseconds since 1970. */
  readonly until: number;
}

export type SigningAuthorityResult =
  | { readonly ok: true; readonly authority: SigningAuthority }
  | { readonly ok: false; readonly problem: string };

/** Reads it from PEM: the first certificate counts, and the key that it was made for. */
export function readSigningAuthority(certificatePem: Uint8Array, keyPem: Uint8Array): SigningAuthorityResult {
  const block = pemBlocks(certificatePem).find(({ type }) => type === 'CERTIFICATE');
  const certificate = block && parseCertificate(block.bytes);
  const parts = block && authorityParts(block.bytes);
  if (!certificate || !parts) return { ok: false, problem: 'the first file holds no certificate in PEM' };
  if (!certificate.ca) return { ok: false, problem: 'the certificate is not of an authority' };
  const privateKey = readKey(keyPem);
  if (!privateKey || !canSign(privateKey)) {
    return {
      ok: false,
      problem: 'the second file holds no private key that signs: RSA, P-256, P-384, P-521 or Ed25519',
    };
  }
  if (!certificate.checkPrivateKey(privateKey)) return { ok: false, problem: 'certificate and key are no pair' };
  return {
    ok: true,
    authority: {
      name: parts.name,
      keyId: parts.keyId ?? keyId(certificate.publicKey),
      privateKey,
      until: Date.parse(certificate.validTo),
    },
  };
}

function readKey(pem: Uint8Array): KeyObject | undefined {
  try {
    return createPrivateKey(Buffer.from(pem));
  } catch {
    return undefined;
  }
}
