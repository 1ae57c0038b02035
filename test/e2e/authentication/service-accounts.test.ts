/** Others can check tokens of service accounts. Tokens may have one of several issuers, and secrets may hold them. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { EmulatedVersion } from '../../../runtime/objects/release.js';
import { type ListeningServer, type ServiceAccountOptions, startServer } from '../../../server/index.js';
import { send } from '../../support/ask.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const folder = scratchFolder();
const open: ListeningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));

const [issuer, before] = ['https://new.example.com', 'https://old.example.com'];

async function start(
  serviceAccounts: ServiceAccountOptions = {},
  emulatedVersion?: EmulatedVersion,
): Promise<ListeningServer> {
  const server = await startServer({
    naming: 'kubernetes',
    controllers: [],
    emulatedVersion,
    authentication: {
      anonymous: 'anonymous',
      serviceAccounts: { issuer: [issuer, before], signingKeyFile: keyFile, ...serviceAccounts },
    },
  });
  open.push(server);
  return server;
}

const tokenOfAdmin = ({ kubeconfig }: ListeningServer): string => /"token": "([^"]+)"/.exec(kubeconfig)?.[1] ?? '';

const ask = (server: ListeningServer, path: string, token: string | undefined, body?: JsonObject, method?: string) =>
  send(server, method ?? (body ? 'POST' : 'GET'), path, {
    ...(body && { body }),
    ...(token !== undefined && { token }),
  });

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sam' } };

async function requestToken(server: ListeningServer): Promise<string> {
  const admin = tokenOfAdmin(server);
  await ask(server, accounts, admin, account);
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer: { status: { token: string } } = await (
    await ask(server, `${accounts}/sam/token`, admin, request)
  ).json();
  return answer.status.token;
}

const jwt = (claims: object): string => {
  const signed = [{ alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), keys.privateKey).toString('base64url')}`;
};

describe('the documents of the issuer', () => {
  const [configuration, keySet] = ['/.well-known/openid-configuration', '/openid/v1/jwks'];

  it('contain everything that a check of a token needs', async () => {
    const server = await start();
    const token = await requestToken(server);
    const found = await ask(server, configuration, token);
    expect(found.headers.get('content-type')).toBe('application/json');
    expect(found.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await found.json()).toEqual({
      issuer,
      jwks_uri: `https://${new URL(server.url).host}${keySet}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
    const answer = await ask(server, keySet, token);
    expect(answer.headers.get('content-type')).toBe('application/jwk-set+json');
    const set: { keys: { kty: string }[] } = await answer.json();
    expect(set.keys).toMatchObject([{ use: 'sig', kty: 'RSA', alg: 'RS256' }]);
    expect(set.keys.flatMap((key) => Object.keys(key)).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const { payload } = await jwtVerify(token, createLocalJWKSet(set), { issuer, audience: issuer });
    expect(payload.sub).toBe('system:serviceaccount:default:sam');
  });

  it('can be read by everyone with rights for their paths, by GET', async () => {
    const server = await start();
    for (const path of [configuration, keySet]) {
      expect((await ask(server, path, undefined)).status).toBe(403);
      expect((await ask(server, path, tokenOfAdmin(server), undefined, 'POST')).status).toBe(405);
    }
    const { paths }: { paths: string[] } = await (await ask(server, '/', tokenOfAdmin(server))).json();
    expect(paths).toEqual(expect.arrayContaining([configuration, keySet]));
  });

  it('name another place for the keys', async () => {
    const server = await start({ jwksUri: 'https://keys.example.com/set' });
    const document = await (await ask(server, configuration, tokenOfAdmin(server))).json();
    expect(document).toHaveProperty('jwks_uri', 'https://keys.example.com/set');
  });

  it('do not exist for an issuer that no client could look up', async () => {
    const server = await start({ issuer: 'me' });
    expect((await ask(server, configuration, tokenOfAdmin(server))).status).toBe(404);
  });
});

describe('several issuers', () => {
  it('are accepted, and the first one signs', async () => {
    const server = await start();
    const token = await requestToken(server);
    const claims: { iss: string; aud: string[] } = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({ iss: issuer, aud: [issuer, before] });
    for (const [iss, code] of [
      [issuer, 200],
      [before, 200],
      ['https://other.example.com', 401],
    ] as const) {
      expect((await ask(server, '/api', jwt({ ...claims, iss }))).status).toBe(code);
    }
  });
});

it.each([
  ['1.29', undefined],
  ['1.30', [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)]],
] as const)('whether reviews show the ID of a token, under release %s: %j', async (release, expected) => {
  const server = await start({}, release);
  const token = await requestToken(server);
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const answer = await ask(server, '/apis/authentication.k8s.io/v1/tokenreviews', tokenOfAdmin(server), review);
  const { status }: { status: { user: { extra?: JsonObject } } } = await answer.json();
  expect(status.user.extra?.['authentication.kubernetes.io/credential-id']).toEqual(expected);
});

describe('a token in a secret', () => {
  async function withSecret(server: ListeningServer): Promise<string> {
    const admin = tokenOfAdmin(server);
    const { metadata }: { metadata: { uid: string } } = await (await ask(server, accounts, admin, account)).json();
    const token = jwt({
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:sam',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'sam-token',
      'kubernetes.io/serviceaccount/service-account.name': 'sam',
      'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
    });
    await ask(server, '/api/v1/namespaces/default/secrets', admin, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sam-token', annotations: { 'kubernetes.io/service-account.name': 'sam' } },
      type: 'kubernetes.io/service-account-token',
      stringData: { token },
    });
    return token;
  }
  const secret = '/api/v1/namespaces/default/secrets/sam-token';

  it.each([
    [true, 401],
    [false, 200],
  ])('with lookup %j is answered with %i once the secret is gone', async (lookup, code) => {
    const server = await start({ lookup });
    const token = await withSecret(server);
    expect((await ask(server, '/api', token)).status).toBe(200);
    await ask(server, secret, tokenOfAdmin(server), undefined, 'DELETE');
    expect((await ask(server, '/api', token)).status).toBe(code);
  });

  it('ends when the secret has another token, or when its account is deleted', async () => {
    const server = await start();
    const token = await withSecret(server);
    const [claims = ''] = token.split('.').slice(1);
    const other = jwt({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), extra: 1 });
    expect((await ask(server, '/api', other)).status).toBe(401);
    await ask(server, `${accounts}/sam`, tokenOfAdmin(server), undefined, 'DELETE');
    expect((await ask(server, '/api', token)).status).toBe(401);
  });
});
