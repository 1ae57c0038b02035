/** Tries tokens of every method that are wrong in every way, on one server. The server accepts none of them. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { send as sendTo } from '../../support/ask.js';
import { type Method, none, testMethod } from '../../support/credential-matrix.js';
import {
  type IdentityProvider,
  inSeconds,
  makeIssuingKey,
  startIdentityProvider,
} from '../../support/identity-provider.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';
import { reviewed, startTokenWebhook, type TokenWebhook } from '../../support/token-webhook.js';

const file = filesIn(scratchFolder());
const issuer = 'https://tokens.example.com';
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = own.publicKey.export({ type: 'spki', format: 'pem' }).toString();

let server: ListeningServer;
let provider: IdentityProvider;
let webhook: TokenWebhook;

beforeAll(async () => {
  [provider, webhook] = [await startIdentityProvider(), await startTokenWebhook()];
  webhook.answer = (review) => {
    const token = stringAt(objectAt(review, 'spec'), 'token');
    const other = { apiVersion: 'authentication.k8s.io/v1beta1' };
    return reviewed(token === 'hook-version' ? other : review, statusOf(token));
  };
  server = await startServer({
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      anonymous: 'anonymous',
      tokenFile: file('tokens.csv', 'static-token,stan,u1\n'),
      bootstrapTokens: true,
      serviceAccounts: {
        issuer: [issuer, 'https://old.example.com'],
        signingKeyFile: file('key.pem', own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      },
      oidc: {
        issuerUrl: provider.url,
        clientId: 'kindforge',
        caFile: file('ca.pem', provider.ca),
        usernamePrefix: '-',
      },
      tokenWebhook: { configFile: file('webhook', webhook.configFile()), cacheTtlMs: 0, version: 'v1' },
    },
  });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([provider.close(), webhook.close()]);
});

const send = (method: string, path: string, body?: JsonObject, token?: string): Promise<Response> =>
  sendTo(server, method, path, { ...(body && { body }), ...(token !== undefined && { token }) });

/**
 * Returns the user that the server takes the owner of a token for, or the code of its answer if it refuses the token.
 */
async function userOf(token: string): Promise<string | number> {
  const review = { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' };
  const answer = await send('POST', '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews', review, token);
  if (answer.status !== 201) return answer.status;
  const { status }: { status: { userInfo: { username: string } } } = await answer.json();
  return status.userInfo.username;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes a token with any header and claims. Without a key, the signature is empty. A text is a key for HMAC. */
function jwt(claims: object, key: KeyObject | string | undefined, header: object = { alg: 'RS256' }): string {
  const signed = `${part(header)}.${part(claims)}`;
  if (key === undefined) return `${signed}.`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(signed).digest('base64url')
      : sign('sha256', Buffer.from(signed), key).toString('base64url');
  return `${signed}.${signature}`;
}

/** Returns the claims of a service account's token that the server has signed. */
const claimsOf = (token: string): JsonObject =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const accounts = '/api/v1/namespaces/default/serviceaccounts';

async function accountToken(name: string): Promise<string> {
  await send('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = await send('POST', `${accounts}/${name}/token`, request);
  const { status }: { status: { token: string } } = await answer.json();
  return status.token;
}

const bootstrapSecret = (id: string, more: Record<string, string> = {}, namespace = 'kube-system'): Promise<Response> =>
  send('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
      ...more,
    },
  });

/** Answers as the webhook, which knows these tokens. */
function statusOf(token: string): JsonObject {
  const user = { username: 'wanda' };
  if (token === 'hook-good' || token === `hook-${'x'.repeat(70_000)}`) return { authenticated: true, user };
  if (token === 'hook-version') return { authenticated: true, user };
  if (token === 'hook-audience') return { authenticated: true, user, audiences: ['other'] };
  if (token === 'hook-expired' || token === 'hook-early') return { authenticated: false, error: 'not now' };
  if (token === 'hook-nobody') return { authenticated: true, user: { username: '' } };
  return { authenticated: false };
}

const methods: Readonly<Record<string, Method<string>>> = {
  'OpenID Connect': {
    good: async () => [await provider.issue({ sub: 'olga' }), 'olga'],
    async wrong() {
      const [key] = provider.keys;
      const claims = { iss: provider.url, aud: 'kindforge', sub: 'olga', exp: inSeconds(3600) };
      const revoked = await provider.issue({ sub: 'olga' });
      const secret = JSON.stringify(key?.publicJwk);
      const tokens = {
        expired: await provider.issue({ exp: inSeconds(-1) }),
        'not yet valid': await provider.issue({ nbf: inSeconds(600) }),
        'wrong key': await provider.issue({}, await makeIssuingKey(key?.publicJwk.kid)),
        'wrong audience': await provider.issue({ aud: 'other' }),
        'wrong issuer': await provider.issue({ iss: 'https://other.example.com' }),
        malformed: `${await provider.issue()}.x`,
        oversized: await provider.issue({ pad: 'x'.repeat(70_000) }),
        'alg none': jwt(claims, undefined, { alg: 'none' }),
        'key confusion': jwt(claims, secret, { alg: 'HS256', kid: key?.publicJwk.kid }),
      };
      // The provider replaces its key. The old key counts as revoked once the server knows the new key.
      provider.keys = [await makeIssuingKey()];
      expect(await userOf(await provider.issue({ sub: 'olga' }))).toBe('olga');
      return { ...tokens, revoked };
    },
  },
  'service account': {
    good: async () => [await accountToken('sam'), 'system:serviceaccount:default:sam'],
    async wrong() {
      const claims = claimsOf(await accountToken('sam'));
      const revoked = await accountToken('gone');
      await send('DELETE', `${accounts}/gone`);
      // The same claims, signed here with the server's key, are good. So the tokens below are wrong in only one way.
      expect(await userOf(jwt(claims, own.privateKey))).toBe('system:serviceaccount:default:sam');
      expect(await userOf(jwt({ ...claims, iss: 'https://old.example.com' }, own.privateKey))).toBe(
        'system:serviceaccount:default:sam',
      );
      return {
        expired: jwt({ ...claims, exp: inSeconds(-1) }, own.privateKey),
        'not yet valid': jwt({ ...claims, nbf: inSeconds(600) }, own.privateKey),
        'wrong key': jwt(claims, stranger.privateKey),
        'wrong audience': jwt({ ...claims, aud: ['other'] }, own.privateKey),
        'wrong issuer': jwt({ ...claims, iss: 'https://other.example.com' }, own.privateKey),
        malformed: `x${await accountToken('sam')}`,
        oversized: jwt({ ...claims, pad: 'x'.repeat(70_000) }, own.privateKey),
        revoked,
        'alg none': jwt(claims, undefined, { alg: 'none' }),
        'key confusion': jwt(claims, publicPem, { alg: 'HS256' }),
      };
    },
  },
  'token webhook': {
    good: async () => ['hook-good', 'wanda'],
    wrong: async () => ({
      expired: 'hook-expired',
      'not yet valid': 'hook-early',
      // The webhook names a user without a name.
      'wrong key': 'hook-nobody',
      'wrong audience': 'hook-audience',
      // The webhook answers in another version than the review's.
      'wrong issuer': 'hook-version',
      malformed: 'hook-',
      oversized: `hook-${'x'.repeat(70_000)}`,
      revoked: 'hook-gone',
      'alg none': jwt({ sub: 'wanda' }, undefined, { alg: 'none' }),
      'key confusion': jwt({ sub: 'wanda' }, publicPem, { alg: 'HS256' }),
    }),
  },
  'token file': {
    good: async () => ['static-token', 'stan'],
    wrong: async () => ({
      expired: none('tokens of the file have no end'),
      'not yet valid': none('tokens of the file have no beginning'),
      'wrong audience': none('tokens of the file are for this server'),
      'wrong issuer': none('tokens of the file have no issuer'),
      'wrong key': 'static-tokem',
      malformed: 'Static-token',
      oversized: `static-token${'x'.repeat(70_000)}`,
      revoked: 'static-token-of-before',
      'alg none': jwt({ sub: 'stan' }, undefined, { alg: 'none' }),
      'key confusion': jwt({ sub: 'stan' }, 'static-token', { alg: 'HS256' }),
    }),
  },
  'bootstrap token': {
    async good() {
      await bootstrapSecret('abcdef');
      return ['abcdef.0123456789abcdef', 'system:bootstrap:abcdef'];
    },
    async wrong() {
      await bootstrapSecret('expire', { expiration: new Date(Date.now() - 1000).toISOString() });
      await bootstrapSecret('forwha', { 'usage-bootstrap-authentication': 'false' });
      await bootstrapSecret('revoke');
      await bootstrapSecret('strang', {}, 'default');
      await send('DELETE', '/api/v1/namespaces/kube-system/secrets/bootstrap-token-revoke');
      return {
        expired: 'expire.0123456789abcdef',
        'not yet valid': none('bootstrap tokens have an end and no beginning'),
        // Many users may write secrets, but only secrets in the system's namespace issue tokens.
        'wrong issuer': 'strang.0123456789abcdef',
        'wrong key': 'abcdef.0123456789abcdee',
        // A bootstrap token does not have an audience. The nearest is its usage.
        'wrong audience': 'forwha.0123456789abcdef',
        malformed: 'ABCDEF.0123456789abcdef',
        oversized: `abcdef.0123456789abcdef${'x'.repeat(70_000)}`,
        revoked: 'revoke.0123456789abcdef',
        'alg none': jwt({ sub: 'system:bootstrap:abcdef' }, undefined, { alg: 'none' }),
        'key confusion': jwt({ sub: 'system:bootstrap:abcdef' }, '0123456789abcdef', { alg: 'HS256' }),
      };
    },
  },
};

describe.each(Object.entries(methods))('by %s', (_, method) => testMethod(method, userOf));
