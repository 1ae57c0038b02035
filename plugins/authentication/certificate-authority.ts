/** An authority of a server's own, which signs its certificate or those of its clients. */
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { authorityParts } from '../../runtime/codec/certificates/certificate-parts.js';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { keyId } from '../../runtime/codec/certificates/extensions.js';
import {
  type CertificateContents,
  type Issuer,
  issueCertificate,
  nameOf,
} from '../../runtime/codec/certificates/issue-certificate.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import { canSign } from '../../runtime/codec/certificates/sign-certificate.js';

/** A certificate and its private key, in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** An authority whose key never leaves the process. */
export interface Authority {
  /** Its certificate in PEM. */
  readonly certificate: string;
  /** Signs certificates for keys that others have made. */
  readonly signing: SigningAuthority;
  /** Makes a key and a certificate for it, which begins and ends when it is told to. */
  issue(contents: Omit<CertificateContents, 'publicKey'>): KeyPair;
}

/** How an authority is made. */
export interface AuthorityOptions {
  /** Its key follows from it: the same data has the same authority. Made up where there is none. */
  readonly secret: Uint8Array | undefined;
  /** The name of the authority, as in `kindforge-ca`; another name is another key. */
  readonly name: string;
  /** An earlier certificate in PEM, which stays where it is of this authority and does not end soon. */
  readonly kept?: string | undefined;
  readonly now: number;
}

const dayMs = 86_400_000;
const lifeMs = 3650 * dayMs;

/** Clocks of clients may be late by this much. */
export const clockToleranceMs = 300_000;

export function defineAuthority({ secret = randomBytes(32), name, kept, now }: AuthorityOptions): Authority {
  const privateKey = deriveKey(secret, `authority ${name}`);
  const publicKey = createPublicKey(privateKey);
  const subject = { commonName: name, organizations: [] };
  const self: Issuer = { subject, privateKey, publicKey };
  const certificate =
    kept !== undefined && isGoodStill(kept, name, publicKey, now)
      ? kept
      : issueCertificate(
          {
            subject,
            publicKey,
            notBefore: new Date(now - clockToleranceMs),
            notAfter: new Date(now + lifeMs),
            use: 'authority',
          },
          self,
        );
  return {
    certificate,
    signing: {
      name: nameOf(subject),
      keyId: keyId(publicKey),
      privateKey,
      until: Date.parse(new X509Certificate(certificate).validTo),
    },
    issue(contents) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      return {
        cert: issueCertificate({ ...contents, publicKey: pair.publicKey }, self),
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

/** Whether a certificate is that of the authority, and ends no sooner than what the authority signs with it may. */
function isGoodStill(pem: string, name: string, publicKey: KeyObject, now: number): boolean {
  try {
    const certificate = new X509Certificate(pem);
    const isOurs = certificate.subject === `CN=${name}` && certificate.publicKey.equals(publicKey);
    const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    return isOurs && from <= now && until - now > lifeMs / 5;
  } catch {
    return false;
  }
}

export interface SigningAuthority {
  /** Its name in DER. */
  readonly name: Uint8Array;
  /** The short name of its key. */
  readonly keyId: Uint8Array;
  readonly privateKey: KeyObject;
  /** The end of its certificate, milliseconds since 1970. */
  readonly until: number;
}

type SigningAuthorityResult =
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

// Derives private keys from a secret of the data, so that servers over the same data have the same ones, now and later.

const curve = 'prime256v1';
const scalarBytes = 32;

/** A private key on the curve P-256 that follows from a secret; another one for each purpose. */
export function deriveKey(secret: Uint8Array, purpose: string): KeyObject {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', `${purpose} ${attempt}`, scalarBytes));
    const key = keyOfScalar(scalar);
    // Some scalars are larger than the order of the curve: one in four thousand millions.
    if (key) return key;
  }
}

function keyOfScalar(scalar: Buffer): KeyObject | undefined {
  const pair = createECDH(curve);
  try {
    pair.setPrivateKey(scalar);
  } catch {
    return undefined;
  }
  const point = pair.getPublicKey();
  const coordinate = (from: number): string => point.subarray(from, from + scalarBytes).toString('base64url');
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: coordinate(1),
    y: coordinate(1 + scalarBytes),
    d: scalar.toString('base64url'),
  };
  return createPrivateKey({ key, format: 'jwk' });
}
