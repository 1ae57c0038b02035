/** An authority of a server's own, which signs its certificate or those of its clients. */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { keyId } from '../../../runtime/codec/certificates/extensions.js';
import {
  type CertificateContents,
  type Issuer,
  issueCertificate,
  nameOf,
} from '../../../runtime/codec/certificates/issue-certificate.js';
import type { SigningAuthority } from '../../signing/signing-authority.js';
import { deriveKey } from '../derived-key.js';

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
