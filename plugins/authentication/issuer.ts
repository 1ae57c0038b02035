/** Signs the tokens of service accounts. */

import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../runtime/contract/index.js';
import { deriveKey } from './certificate-authority.js';

export interface IssuerOptions {
  /** The value of the claim `iss`. */
  readonly issuer: string;
  readonly key: SigningKey;
  /** Longest life of a token in seconds; absent for no limit but that of the API. */
  readonly maxSeconds?: number;
}

/** Makes tokens (RFC 7519) of claims. */
export function defineTokenIssuer({ issuer, key, maxSeconds }: IssuerOptions) {
  return {
    issue: async (claims: JsonObject): Promise<string> => {
      // Many servers never sign a token, and start sooner without what does.
      const { SignJWT } = await import('jose/jwt/sign');
      return new SignJWT({ ...claims, iss: issuer })
        .setProtectedHeader({ alg: key.algorithm, kid: key.id })
        .sign(key.privateKey);
    },
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
  };
}

// The documents by which others check tokens of service accounts: OpenID Connect Discovery 1.0, and keys (RFC 7517).

interface IssuerDocumentsOptions {
  /** The issuer of the tokens that the server signs. */
  readonly issuer: string;
  readonly keys: readonly CheckingKey[];
  /** Where others find the keys; the server's own address where absent. */
  readonly jwksUri?: string | undefined;
}

/** A document, and the path that it is served at. */
export interface IssuerDocument {
  readonly path: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly read: (address: string) => JsonObject;
}

const keysPath = '/openid/v1/jwks';

/** Others may keep the documents for an hour. */
const headers = { 'cache-control': 'public, max-age=3600' };

/** None for an issuer that others could not look up: one that is no HTTPS URL, or has a query or a fragment. */
export function issuerDocuments({ issuer, keys, jwksUri }: IssuerDocumentsOptions): readonly IssuerDocument[] {
  if (!isIssuerUrl(issuer)) return [];
  const set = { keys: keys.map(toJwk) };
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))].sort();
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
        id_token_signing_alg_values_supported: algorithms,
      }),
    },
    { path: keysPath, contentType: 'application/jwk-set+json', headers, read: () => set },
  ];
}

function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return protocol === 'https:' && search === '' && hash === '';
}

/** The public part of a key. */
function toJwk({ id, algorithm, publicKey }: CheckingKey): JsonObject {
  const { kty = '', crv, n, e, x, y } = publicKey.export({ format: 'jwk' });
  const parts = { crv, n, e, x, y };
  const present = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return { use: 'sig', kty, kid: id, alg: algorithm, ...Object.fromEntries(present) };
}

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
