/** Issues service account tokens: the signer, its keys, and the documents by which others verify tokens. */

import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../runtime/contract/index.js';
import { deriveKey } from './certificate-authority.js';

export interface IssuerOptions {
  /** The value of the claim `iss`. */
  readonly issuer: string;
  /** The key, or a function that signs all claims. */
  readonly key: SigningKey | ((claims: JsonObject) => Promise<string>);
  /** The longest life of a token in seconds. By default, only the API's limit applies. */
  readonly maxSeconds?: number;
}

/** Creates a function that signs tokens (RFC 7519) with given claims. */
export function defineTokenIssuer({ issuer, key, maxSeconds }: IssuerOptions) {
  return {
    issue: async (claims: JsonObject): Promise<string> => {
      if (typeof key === 'function') return key({ ...claims, iss: issuer });
      // Loaded on first use: many servers never sign a token, and start faster without it.
      const { SignJWT } = await import('jose/jwt/sign');
      return new SignJWT({ ...claims, iss: issuer })
        .setProtectedHeader({ alg: key.algorithm, kid: key.id })
        .sign(key.privateKey);
    },
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
  };
}

// Documents by which others verify service account tokens: OpenID Connect Discovery 1.0 and keys (RFC 7517).

interface IssuerDocumentsOptions {
  /** The issuer of the tokens that this server signs. */
  readonly issuer: string;
  /** Returns the keys, which may change if a signer outside of the server has them. */
  readonly keys: () => readonly CheckingKey[];
  /** The URL of the keys for others. Default: the server's own address. */
  readonly jwksUri?: string | undefined;
}

/** A document and its path. */
export interface IssuerDocument {
  readonly path: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly read: (address: string) => JsonObject;
}

const keysPath = '/openid/v1/jwks';

/** Clients may cache the documents for an hour. */
const headers = { 'cache-control': 'public, max-age=3600' };

/**
 * Returns the documents. There are none if the issuer is not an HTTPS URL or has a query or fragment, because then
 * nobody could fetch them.
 */
export function issuerDocuments({ issuer, keys, jwksUri }: IssuerDocumentsOptions): readonly IssuerDocument[] {
  if (!isIssuerUrl(issuer)) return [];
  return [
    {
      path: '/.well-known/openid-configuration',
      contentType: 'application/json',
      headers,
      read: (address) => ({
        issuer,
        jwks_uri: jwksUri ?? `https://${address}${keysPath}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [...new Set(keys().map(({ algorithm }) => algorithm))].sort(),
      }),
    },
    { path: keysPath, contentType: 'application/jwk-set+json', headers, read: () => ({ keys: keys().map(toJwk) }) },
  ];
}

function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return protocol === 'https:' && search === '' && hash === '';
}

/** Returns the public part of a key as a JWK. */
function toJwk({ id, algorithm, publicKey }: CheckingKey): JsonObject {
  const { kty = '', crv, n, e, x, y } = publicKey.export({ format: 'jwk' });
  const parts = { crv, n, e, x, y };
  const present = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return { use: 'sig', kty, kid: id, alg: algorithm, ...Object.fromEntries(present) };
}

/** A key that verifies tokens, with its key ID and its algorithm (RFC 7518 section 3.1). */
export interface CheckingKey {
  readonly id: string;
  readonly algorithm: 'ES256' | 'ES384' | 'ES512' | 'RS256';
  readonly publicKey: KeyObject;
}

/** A key that also signs tokens. */
export interface SigningKey extends CheckingKey {
  readonly privateKey: KeyObject;
}

/** A key, or why a text is not one. */
export type KeyResult<T> = { readonly ok: true; readonly key: T } | { readonly ok: false; readonly problem: string };

/** The algorithms of keys on a curve. */
const algorithmsOfCurves: Readonly<Record<string, CheckingKey['algorithm'] | undefined>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/**
 * Derives a key on the curve P-256 from a secret, so that all servers over the same data sign with the same key.
 * Without a secret the key is random, and its tokens become invalid when the process ends.
 */
export function deriveSigningKey(secret: Uint8Array = randomBytes(32)): SigningKey {
  const derived = toSigningKey(deriveKey(secret, 'service account tokens'));
  if (!derived.ok) throw new Error(derived.problem);
  return derived.key;
}

/** Reads a private key in PEM: RSA, or the curve P-256, P-384 or P-521. */
export function readSigningKey(pem: string): KeyResult<SigningKey> {
  try {
    return toSigningKey(createPrivateKey(pem));
  } catch {
    return { ok: false, problem: 'no private key in PEM' };
  }
}

/** Reads all public keys in PEM; of private keys and certificates, their public parts. */
export function readCheckingKeys(pem: string): KeyResult<readonly CheckingKey[]> {
  const blocks = [...pem.matchAll(pemBlocks)].filter(([, label]) => label !== 'EC PARAMETERS').map(([block]) => block);
  const keys: CheckingKey[] = [];
  // A text without blocks is read too, and refused.
  for (const block of blocks.length === 0 ? [pem] : blocks) {
    const read = readCheckingKey(block);
    if (!read.ok) return read;
    keys.push(read.key);
  }
  return { ok: true, key: keys };
}

/** Blocks of RFC 7468, with their labels. */
const pemBlocks = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

function readCheckingKey(pem: string): KeyResult<CheckingKey> {
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

/** Returns a key that checks tokens: RSA, or on a curve that tokens can be signed on. */
export function toCheckingKey(publicKey: KeyObject): KeyResult<CheckingKey> {
  const algorithm = algorithmOf(publicKey);
  if (algorithm === undefined)
    return { ok: false, problem: 'the key is neither RSA nor on the curve P-256, P-384 or P-521' };
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { ok: true, key: { id: createHash('sha256').update(der).digest('base64url'), algorithm, publicKey } };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): CheckingKey['algorithm'] | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  return asymmetricKeyType === 'ec' ? algorithmsOfCurves[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
}
