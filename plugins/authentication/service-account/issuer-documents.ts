/** The documents by which others check tokens of service accounts: OpenID Connect Discovery 1.0, and keys (RFC 7517). */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { CheckingKey } from './signing-key.js';

export interface IssuerDocumentsOptions {
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
