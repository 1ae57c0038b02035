/** A server's own certificate authority. It signs the server's certificate and the certificates of clients. */
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
import { authorityParts, parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { keyId } from '../../runtime/codec/certificates/extensions.js';
import {
  type CertificateContents,
  type Issuer,
  issueCertificate,
  nameOf,
} from '../../runtime/codec/certificates/issue-certificate.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import { canSign } from '../../runtime/codec/certificates/sign-certificate.js';

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** PEM. */
  readonly certificate: string;
  /** Signs certificates for keys that others made. */
  readonly signing: SigningAuthority;
  /** Makes a key and a certificate for it. `contents` says when the certificate begins and ends. */
  issue(contents: Omit<CertificateContents, 'publicKey'>): KeyPair;
}

export interface AuthorityOptions {
  /**
   * The authority's key is derived from it, so the same data has the same authority. Without a secret, the key is
   * random.
   */
  readonly secret: Uint8Array | undefined;
  /** The name of the authority, as in `kindforge-ca`. Each name has its own key. */
  readonly name: string;
  /** An earlier certificate in PEM. It is kept if this authority issued it and it does not end soon. */
  readonly kept?: string | undefined;
  readonly now: number;
}

const dayMs = 86_400_000;
const lifeMs = 3650 * dayMs;

/** How far clocks of clients may be behind, milliseconds. */
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

/** Returns whether a certificate belongs to the authority and outlives the certificates that the authority signs. */
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
  /** The subject name in DER. */
  readonly name: Uint8Array;
  /** The key identifier. */
  readonly keyId: Uint8Array;
  readonly privateKey: KeyObject;
  /** The end of its certificate, milliseconds since 1970. */
  readonly until: number;
}

type SigningAuthorityResult =
  | { readonly ok: true; readonly authority: SigningAuthority }
  | { readonly ok: false; readonly problem: string };

/** Reads an authority from PEM: the first certificate, and its private key. */
export function readSigningAuthority(certificatePem: Uint8Array, keyPem: Uint8Array): SigningAuthorityResult {
  const block = pemBlocks(certificatePem).find(({ type }) => type === 'CERTIFICATE');
  const certificate = block && parseCertificate(block.bytes);
  const parts = block && authorityParts(block.bytes);
  if (!certificate || !parts) return { ok: false, problem: 'the first file holds no certificate in PEM' };
  if (!certificate.ca) return { ok: false, problem: 'the certificate is not a CA certificate' };
  const privateKey = readKey(keyPem);
  if (!privateKey || !canSign(privateKey)) {
    return {
      ok: false,
      problem: 'the second file holds no private key that signs: RSA, P-256, P-384, P-521 or Ed25519',
    };
  }
  if (!certificate.checkPrivateKey(privateKey))
    return { ok: false, problem: 'the key does not belong to the certificate' };
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

// Keys derived from a secret of the data: all servers over the same data have the same keys, now and later.

const curve = 'prime256v1';
const scalarBytes = 32;

/** Derives a private key on the curve P-256 from a secret. Each purpose has its own key. */
export function deriveKey(secret: Uint8Array, purpose: string): KeyObject {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', `${purpose} ${attempt}`, scalarBytes));
    const key = keyOfScalar(scalar);
    // Some scalars are larger than the order of the curve: one in four billion.
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
