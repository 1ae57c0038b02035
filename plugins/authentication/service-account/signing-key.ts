/** Keys that tokens of service accounts are signed and checked with. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey } from '../derived-key.js';

/** A key that can check tokens, with its name in their headers and the algorithm (RFC 7518 section 3.1) it is for. */
export interface CheckingKey {
  readonly id: string;
  readonly algorithm: 'ES256' | 'RS256';
  readonly publicKey: KeyObject;
}

/** A key that can sign tokens too. */
export interface SigningKey extends CheckingKey {
  readonly privateKey: KeyObject;
}

/** A key, or why a text is none. */
export type KeyResult<T> = { readonly ok: true; readonly key: T } | { readonly ok: false; readonly problem: string };

const curve = 'prime256v1';

/**
 * A key on the curve P-256 that follows from a secret: servers over the same data sign alike, now and later. Without a
 * secret it is made up, and its tokens end with the process.
 */
export function deriveSigningKey(secret: Uint8Array = randomBytes(32)): SigningKey {
  const derived = toSigningKey(deriveKey(secret, 'service account tokens'));
  if (!derived.ok) throw new Error(derived.problem);
  return derived.key;
}

/** Reads a private key in PEM: RSA, or on the curve P-256. */
export function readSigningKey(pem: string): KeyResult<SigningKey> {
  try {
    return toSigningKey(createPrivateKey(pem));
  } catch {
    return { ok: false, problem: 'no private key in PEM' };
  }
}

/** Reads a public key in PEM, or the public part of a private one. */
export function readCheckingKey(pem: string): KeyResult<CheckingKey> {
  try {
    return toCheckingKey(createPublicKey(pem));
  } catch {
    return { ok: false, problem: 'no public or private key in PEM' };
  }
}

function toSigningKey(privateKey: KeyObject): KeyResult<SigningKey> {
  const checking = toCheckingKey(createPublicKey(privateKey));
  return checking.ok ? { ok: true, key: { ...checking.key, privateKey } } : checking;
}

function toCheckingKey(publicKey: KeyObject): KeyResult<CheckingKey> {
  const algorithm = algorithmOf(publicKey);
  if (algorithm === undefined) return { ok: false, problem: 'the key is neither RSA nor on the curve P-256' };
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { ok: true, key: { id: createHash('sha256').update(der).digest('base64url'), algorithm, publicKey } };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): CheckingKey['algorithm'] | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === curve ? 'ES256' : undefined;
}
