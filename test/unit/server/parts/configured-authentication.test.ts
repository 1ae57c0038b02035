import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Credentials } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { openConfiguredAuthentication } from '../../../../server/parts/configured-authentication.js';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { type IdentityProvider, startIdentityProvider } from '../../../support/identity-provider.js';
import { testFolder } from '../../../support/scratch-folder.js';

const providers = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
afterAll(() => Promise.all(providers.map((provider) => provider.close())));
const [one, two] = providers;

const bearer = async (provider: IdentityProvider, claims = {}): Promise<Credentials> => ({
  headers: { authorization: `Bearer ${await provider.issue(claims)}` },
});

const issuer = ({ url, ca }: IdentityProvider, prefix: string, more = {}) => ({
  issuer: { url, audiences: ['kindforge'], certificateAuthority: ca, ...more },
  claimMappings: { username: { claim: 'sub', prefix } },
});

it('knows several issuers, and keeps the current ones if a changed file cannot be used', async () => {
  const file = join(testFolder(), 'a.yaml');
  const use = (...jwt: readonly object[]): void => {
    const anonymous = { enabled: true, conditions: [{ path: '/livez' }] };
    const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
    writeFileSync(file, JSON.stringify({ ...head, anonymous, jwt }));
  };
  const reloads: boolean[] = [];
  const fetches: boolean[] = [];
  use(issuer(one, 'one:'));
  const opened = openConfiguredAuthentication(file, {
    release: emulate('latest'),
    featureEnabled: () => true,
    ownIssuers: [],
    calls: new OutgoingCalls(),
    follow: () => {},
    onProblem: () => {},
    observer: {
      read: () => {},
      reloaded: (used) => reloads.push(used),
      authenticated: () => {},
      fetched: () => (keys) => fetches.push(keys !== undefined),
    },
  });
  const nameOf = async (provider: IdentityProvider, claims = {}) => {
    const found = await opened.authenticator.authenticate(await bearer(provider, claims));
    return found && ('user' in found ? found.user.name : 'refused');
  };
  expect(opened.anonymousPaths).toEqual(['/livez']);
  expect([await nameOf(one), await nameOf(two)]).toEqual(['one:anna', undefined]);

  // The document of this issuer is elsewhere.
  two.answers.set('/elsewhere', two.answers.get('/.well-known/openid-configuration') ?? (() => ''));
  const discoveryURL = `${two.url}/elsewhere`;
  const audiences = { audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny', discoveryURL };
  use(issuer(one, 'one:'), issuer(two, 'two:', audiences));
  await opened.file.reload();
  expect(opened.issuers().map(({ issuerUrl }) => issuerUrl)).toEqual([one.url, two.url]);
  expect([await nameOf(one), await nameOf(two, { aud: ['x', 'b'] }), await nameOf(two)]).toEqual([
    'one:anna',
    'two:anna',
    'refused',
  ]);

  use({ issuer: { url: one.url } });
  expect(() => opened.file.reload()).toThrow('audiences: Required value');
  writeFileSync(file, '{');
  expect(() => opened.file.reload()).toThrow();
  writeFileSync(file, 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n');
  expect(() => opened.file.reload()).toThrow('anonymous: Forbidden: changed from initial configuration file');
  // An issuer must answer before it is used.
  one.isDown = true;
  use(issuer(one, 'other:'));
  await expect(opened.file.reload()).rejects.toThrow('answers with 503; trying again every 60 seconds');
  one.isDown = false;
  expect([await nameOf(one), await nameOf(two, { aud: 'a' })]).toEqual(['one:anna', 'two:anna']);
  expect(reloads).toEqual([true, false, false, false, false]);
  expect(fetches).toEqual([true, true, false]);
});
