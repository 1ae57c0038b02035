/** A server and its clients trust a real identity provider, over TLS. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ListeningServer, type OidcOption, startServer } from '../../../server/index.js';
import { send } from '../../../test/support/ask.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { type OpenIdProvider, startOpenIdProvider } from '../openid-provider.js';

const folder = scratchFolder();
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  writeFileSync(join(folder, 'ca.pem'), provider.ca);
});
afterAll(async () => {
  await provider.close();
});

async function withServer<T>(oidc: Partial<OidcOption>, use: (server: ListeningServer) => Promise<T>): Promise<T> {
  const server = await startServer({
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      oidc: { issuerUrl: provider.url, clientId: 'kindforge', caFile: join(folder, 'ca.pem'), ...oidc },
    },
  });
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

async function review(server: ListeningServer, token: string): Promise<unknown> {
  const answer = await send(server, 'POST', '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews', {
    token,
    body: { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' },
  });
  if (answer.status !== 201) return answer.status;
  const { status }: { status: { userInfo: unknown } } = await answer.json();
  return status.userInfo;
}

it('recognizes users who log in there, with their groups', async () => {
  const token = await provider.login('anna');
  await withServer({ groupsClaim: 'groups', groupsPrefix: 'oidc:' }, async (server) => {
    expect(await review(server, token)).toEqual({
      username: `${provider.url}#anna`,
      groups: ['oidc:anna-team', 'oidc:all', 'system:authenticated'],
    });
  });
});

it('refuses a user with an unverified address', async () => {
  await withServer({ usernameClaim: 'email' }, async (server) => {
    expect(await review(server, await provider.login('anna'))).toMatchObject({ username: 'anna@example.com' });
    expect(await review(server, await provider.login('mallory'))).toBe(401);
  });
});

it('accepts only tokens for its client, signed with an accepted algorithm', async () => {
  const token = await provider.login('anna');
  for (const wrong of [{ clientId: 'another' }, { signingAlgorithms: ['ES256'] }, { requiredClaims: { sub: 'ben' } }]) {
    expect(await withServer(wrong, (server) => review(server, token))).toBe(401);
  }
});
