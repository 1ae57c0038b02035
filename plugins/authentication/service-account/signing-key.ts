/** Keys that tokens of service accounts are signed and checked with. */
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

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
const scalarBytes = 32;

/**
 * A key on the curve P-256 that follows from a secret: servers over the same data sign alike, now and later. Without a
 * secret it is made up, and its tokens end with the process.
 */
export function deriveSigningKey(secret: Uint8Array = randomBytes(scalarBytes)): SigningKey {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', `service account tokens ${attempt}`, scalarBytes));
    const key = keyOfScalar(scalar);
    // Some scalars are larger than the order of the curve: one in four thousand millions.
    if (key) return key;
  }
}

function keyOfScalar(scalar: Buffer): SigningKey | undefined {
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
  const signing = toSigningKey(createPrivateKey({ key, format: 'jwk' }));
  return signing.ok ? signing.key : undefined;
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
