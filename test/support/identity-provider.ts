/** An identity provider over TLS. Tests decide its answers, keys and tokens. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { makeServerCertificate } from './certificates.js';

/** A key that signs, and its public part. */
export interface IssuingKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export interface IdentityProvider {
  readonly url: string;
  /** The provider's authority, in PEM. */
  readonly ca: string;
  /** The published keys. The first key signs. */
  keys: IssuingKey[];
  /** Further answers, by path. */
  readonly answers: Map<string, (authorization: string | undefined) => string>;
  /** The paths of the requests so far. */
  readonly asked: string[];
  /** Whether the provider answers with errors. */
  isDown: boolean;
  /** Issues a token for the client `kindforge` that expires in an hour; `undefined` removes a claim. */
  issue(claims?: JWTPayload, key?: IssuingKey): Promise<string>;
  close(): Promise<void>;
}

/** Makes a new key, for RS256 by default. */
export async function makeIssuingKey(kid: string = crypto.randomUUID(), alg = 'RS256'): Promise<IssuingKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Returns the Unix time so many seconds from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Starts a provider on a free port. */
export async function startIdentityProvider(port = 0): Promise<IdentityProvider> {
  const certificate = await makeServerCertificate();
  const server = createServer(certificate, ({ url: path = '', headers }, response) => {
    provider.asked.push(path);
    const answer = provider.isDown ? undefined : answers.get(path);
    response.writeHead(answer ? 200 : 503).end(answer?.(headers.authorization));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${addressOf(server.address()).port}`;
  const answers: IdentityProvider['answers'] = new Map([
    ['/.well-known/openid-configuration', () => JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` })],
    ['/keys', () => JSON.stringify({ keys: provider.keys.map(({ publicJwk }) => publicJwk) })],
  ]);
  const provider: IdentityProvider = {
    url,
    ca: certificate.cert,
    keys: [await makeIssuingKey()],
    answers,
    asked: [],
    isDown: false,
    issue(claims = {}, key = provider.keys[0]) {
      if (!key) throw new Error('no key');
      const all = { iss: url, aud: 'kindforge', sub: 'anna', exp: inSeconds(3600), ...claims };
      const { alg, publicJwk, privateKey } = key;
      return new SignJWT(all).setProtectedHeader({ alg, kid: publicJwk.kid ?? '' }).sign(privateKey);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return provider;
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (typeof address === 'object' && address) return address;
  throw new Error('the server does not listen');
}
