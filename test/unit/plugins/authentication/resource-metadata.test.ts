import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  configuredProvider,
  providerOf,
  resourceMetadata,
} from '../../../../plugins/authentication/resource-metadata.js';
import { testFolder } from '../../../support/scratch-folder.js';
import { type ServingFlags, startServing } from '../../../support/serving.js';

const oidc = { issuerUrl: 'https://id.example.com', clientId: 'shop' };

describe('the metadata of a server that trusts an identity provider', () => {
  it('names the provider and the client, with defaults', () => {
    const { path, isPublic, read } = resourceMetadata(() => [providerOf(oidc)]);
    expect({ path, isPublic }).toEqual({ path: '/.well-known/oauth-protected-resource', isPublic: true });
    expect(read('0.0.0.0:6443', 'api.example.com')).toEqual({
      resource: 'https://api.example.com',
      authorization_servers: ['https://id.example.com'],
      bearer_methods_supported: ['header'],
      kindforge_login: {
        client_id: 'shop',
        signing_algorithms: ['RS256'],
        username_claim: 'sub',
        username_prefix: 'https://id.example.com#',
        required_claims: [],
      },
    });
  });

  it('names the claims of users, and no values that tokens must have', () => {
    const provider = providerOf({
      ...oidc,
      usernameClaim: 'email',
      groupsClaim: 'roles',
      groupsPrefix: 'id:',
      requiredClaims: { tenant: 'secret' },
      signingAlgorithms: ['ES256'],
    });
    const document = resourceMetadata(() => [provider]).read('', '');
    expect(document.kindforge_login).toEqual({
      client_id: 'shop',
      signing_algorithms: ['ES256'],
      username_claim: 'email',
      username_prefix: '',
      groups_claim: 'roles',
      groups_prefix: 'id:',
      required_claims: ['tenant'],
    });
    expect(JSON.stringify(document)).not.toContain('secret');
  });

  it('names all issuers of a file, and how to log in at the first', () => {
    const rules = { username: { claim: 'sub', prefix: 'id:' }, requiredClaims: new Map([['tenant', 'secret']]) };
    const first = { issuerUrl: 'https://one.example.com', audiences: ['shop', 'web'], rules };
    let issuers = [first, { ...first, issuerUrl: 'https://two.example.com' }];
    const { read } = resourceMetadata(() => issuers.map(configuredProvider));
    const document = read('', '');
    expect(document.authorization_servers).toEqual(['https://one.example.com', 'https://two.example.com']);
    expect(document.kindforge_login).toEqual({
      client_id: 'shop',
      audiences: ['shop', 'web'],
      signing_algorithms: expect.arrayContaining(['RS256', 'ES256']),
      username_claim: 'sub',
      username_prefix: 'id:',
      required_claims: ['tenant'],
    });
    expect(JSON.stringify(document)).not.toContain('secret');
    issuers = [];
    expect(read('', '')).not.toHaveProperty('kindforge_login');
  });
});

describe('a server', () => {
  const path = '/.well-known/oauth-protected-resource';
  const flags: ServingFlags = { oidcIssuerUrl: 'https://id.example.com', oidcClientId: 'shop', anonymousAuth: 'false' };
  const start = async (given: ServingFlags): Promise<string> => {
    const server = await startServing(given);
    onTestFinished(() => server.stop());
    return server.url;
  };

  it('sends the metadata to everybody, under the requested host name, and nothing else', async () => {
    const url = await start(flags);
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      resource: url.replace('http:', 'https:'),
      kindforge_login: { client_id: 'shop' },
    });
    expect((await fetch(url + path, { headers: { authorization: 'Bearer wrong' } })).status).toBe(200);
    expect((await fetch(url + path, { method: 'POST', body: '{}' })).status).toBe(405);
    for (const other of [`${path}/`, `${path}/x`, '/.well-known/openid-configuration', '/api', '/']) {
      expect((await fetch(url + other)).status, other).toBe(401);
    }
  });

  it('names the first issuer of a file, and nothing of its expressions', async () => {
    const authenticationConfig = join(testFolder(), 'authentication.json');
    const issuer = { url: 'https://id.example.com', audiences: ['shop'] };
    const claimMappings = { username: { expression: 'claims.sub' } };
    const document = {
      apiVersion: 'apiserver.config.k8s.io/v1beta1',
      kind: 'AuthenticationConfiguration',
      jwt: [{ issuer, claimMappings }],
    };
    writeFileSync(authenticationConfig, JSON.stringify(document));
    const url = await start({ authenticationConfig });
    const answer = await (await fetch(url + path)).json();
    expect(answer).toMatchObject({ authorization_servers: [issuer.url], kindforge_login: { client_id: 'shop' } });
    expect(answer.kindforge_login).not.toHaveProperty('username_claim');
  });

  it('has no metadata if it trusts no provider', async () => {
    const url = await start({ anonymousAuth: 'false' });
    expect((await fetch(url + path)).status).toBe(401);
    expect((await fetch((await start({ allowEveryone: true })) + path)).status).toBe(404);
  });
});
