import { createPublicKey } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineOidc, type OidcOptions } from '../../../../plugins/index.js';
import type { Authentication, Credentials } from '../../../../runtime/contract/index.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';
import {
  type IdentityProvider,
  inSeconds,
  makeIssuingKey,
  startIdentityProvider,
} from '../../../support/identity-provider.js';

const provider: IdentityProvider = await startIdentityProvider();
afterAll(() => provider.close());

const bearer = (token: string): Credentials => ({ headers: { authorization: `Bearer ${token}` } });
const define = (options: Partial<OidcOptions> = {}, clock?: () => number) =>
  defineOidc({ issuerUrl: provider.url, clientId: 'kindforge', ...options }, () => provider.ca, clock);
const ask = async (token: string, options: Partial<OidcOptions> = {}): Promise<Authentication> =>
  define(options).authenticate(bearer(token));

testAuthenticator({
  authenticator: define(),
  recognized: bearer(await provider.issue()),
  name: `${provider.url}#anna`,
  wrong: bearer(await provider.issue({ exp: inSeconds(-1) })),
  foreign: bearer('some-token'),
});

describe('the name of a user', () => {
  it.each<[Partial<OidcOptions>, Record<string, unknown>, string]>([
    [{ usernamePrefix: '-' }, {}, 'anna'],
    [{ usernamePrefix: 'oidc:' }, {}, 'oidc:anna'],
    [{ usernameClaim: 'login' }, { login: 'a1' }, `${provider.url}#a1`],
    [{ usernameClaim: 'email' }, { email: 'a@b.c', email_verified: true }, 'a@b.c'],
    [{ usernameClaim: 'email' }, { email: 'a@b.c' }, 'a@b.c'],
    [{ usernameClaim: 'email', usernamePrefix: 'm:' }, { email: 'a@b.c' }, 'm:a@b.c'],
  ])('by %j of %j is %s', async (options, claims, name) =>
    expect(await ask(await provider.issue(claims), options)).toMatchObject({ user: { name, uid: '' } }),
  );

  it.each<[Partial<OidcOptions>, Record<string, unknown>, string]>([
    [{ usernameClaim: 'email' }, { email: 'a@b.c', email_verified: false }, 'not verified'],
    [{ usernameClaim: 'email' }, { email: 'a@b.c', email_verified: 'true' }, 'not verified'],
    [{ usernameClaim: 'login' }, {}, 'is not a text, or is empty'],
    [{}, { sub: '' }, 'is not a text, or is empty'],
    [{ usernameClaim: 'login' }, { login: ['a'] }, 'is not a text, or is empty'],
  ])('by %j of %j is refused', async (options, claims, problem) =>
    expect(await ask(await provider.issue(claims), options)).toHaveProperty(
      'refused',
      expect.stringContaining(problem),
    ),
  );
});

describe('groups', () => {
  it.each([
    [{ groups: ['a', 'b'] }, ['g:a', 'g:b']],
    [{ groups: 'a' }, ['g:a']],
    [{}, []],
  ])('of %j are %j', async (claims, groups) => {
    const found = await ask(await provider.issue(claims), { groupsClaim: 'groups', groupsPrefix: 'g:' });
    expect(found).toMatchObject({ user: { groups: [...groups, 'system:authenticated'] } });
  });

  it('are empty without a groups claim', async () => {
    const found = await ask(await provider.issue({ groups: ['a'] }));
    expect(found).toMatchObject({ user: { groups: ['system:authenticated'] } });
  });

  it('that are not strings are refused', async () =>
    expect(await ask(await provider.issue({ groups: [1] }), { groupsClaim: 'groups' })).toHaveProperty('refused'));
});

it('requires claims', async () => {
  const options = { requiredClaims: { tenant: 'one' } };
  expect(await ask(await provider.issue({ tenant: 'one' }), options)).toHaveProperty('user');
  for (const claims of [{}, { tenant: 'two' }, { tenant: ['one'] }]) {
    expect(await ask(await provider.issue(claims), options)).toHaveProperty('refused');
  }
});

describe('a token is refused', () => {
  const unsigned = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

  it('without a signature, or with one that the public key made as a secret', async () => {
    const claims = { iss: provider.url, aud: 'kindforge', sub: 'anna', exp: inSeconds(3600) };
    const [key] = provider.keys;
    const pem = createPublicKey({ key: { ...key?.publicJwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    for (const secret of [pem.toString(), String(key?.publicJwk.n)]) {
      const header = { alg: 'HS256', kid: key?.publicJwk.kid ?? '' };
      const confused = await new SignJWT(claims).setProtectedHeader(header).sign(Buffer.from(secret));
      expect(await ask(confused)).toHaveProperty('refused', expect.stringContaining('"HS256" is not accepted'));
      expect(await ask(confused, { signingAlgorithms: ['RS256', 'HS256'] })).toHaveProperty('refused');
    }
    expect(await ask(`${unsigned({ alg: 'none' })}.${unsigned(claims)}.`)).toHaveProperty('refused');
  });

  it('with a secret that the provider publishes by mistake', async () => {
    const { keys } = provider;
    const secret = { kty: 'oct', k: Buffer.from('x'.repeat(32)).toString('base64url'), kid: 'secret' };
    provider.answers.set('/odd-keys', () => JSON.stringify({ keys: [secret] }));
    const before = provider.answers.get('/.well-known/openid-configuration');
    provider.answers.set('/.well-known/openid-configuration', () =>
      JSON.stringify({ issuer: provider.url, jwks_uri: `${provider.url}/odd-keys` }),
    );
    const token = await new SignJWT({ iss: provider.url, aud: 'kindforge', sub: 'anna', exp: inSeconds(60) })
      .setProtectedHeader({ alg: 'HS256', kid: 'secret' })
      .sign(await importJWK(secret, 'HS256'));
    expect(await ask(token, { signingAlgorithms: ['HS256'] })).toHaveProperty('refused');
    if (before) provider.answers.set('/.well-known/openid-configuration', before);
    expect(provider.keys).toBe(keys);
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another client', { aud: 'other' }],
    ['for no client', { aud: undefined }],
    ['that has ended', { exp: inSeconds(-1) }],
    ['that has no end', { exp: undefined }],
    ['whose end is no number', { exp: `${inSeconds(60)}` }],
    ['that has not begun', { nbf: inSeconds(120) }],
    ['whose begin is no number', { nbf: 'now' }],
  ])('%s', async (_, claims) => {
    const token = await sign(claims);
    expect(await ask(token)).toHaveProperty('refused');
  });

  /** Signs claims of any type, which `SignJWT` does not accept. */
  async function sign(claims: Record<string, unknown>): Promise<string> {
    const { CompactSign } = await import('jose');
    const [key] = provider.keys;
    if (!key) throw new Error('no key');
    const all = { iss: provider.url, aud: 'kindforge', sub: 'anna', exp: inSeconds(3600), ...claims };
    return new CompactSign(Buffer.from(JSON.stringify(all)))
      .setProtectedHeader({ alg: 'RS256', kid: key.publicJwk.kid ?? '' })
      .sign(key.privateKey);
  }

  it('not if it starts within a minute or is for several clients', async () =>
    expect(await ask(await provider.issue({ nbf: inSeconds(30), aud: ['other', 'kindforge'] }))).toHaveProperty(
      'user',
    ));

  it('if its key is not published or its algorithm is not accepted', async () => {
    const [own] = provider.keys;
    const stranger = await makeIssuingKey(own?.publicJwk.kid);
    expect(await ask(await provider.issue({}, stranger))).toHaveProperty('refused');
    const other = await makeIssuingKey('p-256', 'ES256');
    provider.keys.push(other);
    const token = await provider.issue({}, other);
    expect(await ask(token)).toHaveProperty('refused');
    expect(await ask(token, { signingAlgorithms: ['RS256', 'ES256'] })).toHaveProperty('user');
    provider.keys.pop();
  });

  it('of another issuer is ignored', async () =>
    expect(await ask(await provider.issue({ iss: `${provider.url}/` }))).toBeUndefined());
});

describe('the keys of a provider', () => {
  let own: IdentityProvider;
  beforeAll(async () => {
    own = await startIdentityProvider();
  });
  afterAll(() => own.close());

  it('are fetched once, and again for an unknown key, but not too often', async () => {
    let [now, elapsed] = [Date.now(), 1];
    const oidc = defineOidc(
      { issuerUrl: own.url, clientId: 'kindforge' },
      () => own.ca,
      () => now,
      () => elapsed,
    );
    const look = async (token: string) => oidc.authenticate(bearer(token));
    const questions = () => own.asked.filter((path) => path === '/keys').length;
    expect(questions()).toBe(0);
    const first = await own.issue();
    for (let i = 0; i < 3; i++) expect(await look(first)).toHaveProperty('user');
    expect(questions()).toBe(1);

    own.keys.unshift(await makeIssuingKey());
    expect(await look(await own.issue())).toHaveProperty('user');
    expect(await look(first)).toHaveProperty('user');
    expect(questions()).toBe(2);

    const stranger = await makeIssuingKey();
    for (let i = 0; i < 20; i++) expect(await look(await own.issue({}, stranger))).toHaveProperty('refused');
    expect(questions()).toBe(3);

    // A withdrawn key no longer counts once the keys are fetched again.
    own.keys.pop();
    now += 600_001;
    expect(await look(first)).toHaveProperty('user');
    // The system's clock goes back; the age of the keys does not.
    now -= 3_600_000;
    elapsed += 600_001;
    expect(await look(await own.issue({ exp: inSeconds(7200) }))).toHaveProperty('user');
    expect(await look(first)).toHaveProperty('refused');
    own.isDown = true;
    elapsed += 600_001;
    expect(await look(await own.issue({ exp: inSeconds(7200) }))).toHaveProperty('user');
    own.isDown = false;
  });

  it('that cannot be fetched fail only their own tokens, until they can be fetched', async () => {
    let elapsed = 1;
    own.isDown = true;
    const oidc = defineOidc(
      { issuerUrl: own.url, clientId: 'kindforge' },
      () => own.ca,
      Date.now,
      () => elapsed,
    );
    const token = await own.issue();
    for (let i = 0; i < 10; i++) expect(await oidc.authenticate(bearer(token))).toHaveProperty('refused');
    expect(oidc.authenticate(bearer('another'))).toBeUndefined();
    own.isDown = false;
    elapsed += 10_001;
    expect(await oidc.authenticate(bearer(token))).toHaveProperty('user');
  });

  it('count only if the provider confirms the issuer and its certificate is trusted', async () => {
    own.answers.set('/other/.well-known/openid-configuration', () =>
      JSON.stringify({ issuer: own.url, jwks_uri: `${own.url}/keys` }),
    );
    const issuerUrl = `${own.url}/other`;
    const token = await own.issue({ iss: issuerUrl });
    const lying = await defineOidc({ issuerUrl, clientId: 'kindforge' }, () => own.ca).authenticate(bearer(token));
    expect(lying).toHaveProperty('refused', expect.stringContaining('names the issuer'));
    const strange = await defineOidc({ issuerUrl: own.url, clientId: 'kindforge' }).authenticate(
      bearer(await own.issue()),
    );
    expect(strange).toHaveProperty('refused', expect.stringContaining('self-signed'));
  });
});

describe('groups that a token leaves to another source', () => {
  const options = { groupsClaim: 'groups' };
  const elsewhere = (source: object, names: object = { groups: 'src' }) => ({
    _claim_names: names,
    _claim_sources: { src: source },
  });

  it('are looked up there', async () => {
    const groups = await provider.issue({ groups: ['far'] });
    let sent: string | undefined;
    provider.answers.set('/groups', (authorization) => {
      sent = authorization;
      return `${groups}\n`;
    });
    const claims = elsewhere({ endpoint: `${provider.url}/groups`, access_token: 'secret' });
    expect(await ask(await provider.issue(claims), options)).toMatchObject({
      user: { groups: ['far', 'system:authenticated'] },
    });
    expect(sent).toBe('Bearer secret');
    const both = await provider.issue({ ...claims, groups: ['near'] });
    expect(await ask(both, options)).toMatchObject({ user: { groups: ['near', 'system:authenticated'] } });
    expect(await ask(await provider.issue(claims))).toMatchObject({ user: { groups: ['system:authenticated'] } });
  });

  it('are of a token that is verified like others', async () => {
    const stranger = await makeIssuingKey();
    const bad = [
      await provider.issue({ groups: ['far'] }, stranger),
      await provider.issue({ groups: ['far'], aud: 'other' }),
      await provider.issue({ groups: ['far'], exp: inSeconds(-5) }),
      await provider.issue({ groups: ['far'], iss: 'https://127.0.0.1:1' }),
      await provider.issue({}),
      'none',
    ];
    for (const token of bad) {
      provider.answers.set('/groups', () => token);
      const claims = elsewhere({ endpoint: `${provider.url}/groups` });
      expect(await ask(await provider.issue(claims), options)).toHaveProperty(
        'refused',
        expect.stringContaining('distributed claims'),
      );
    }
  });

  it.each([
    [{ endpoint: 'http://127.0.0.1:1/groups' }, { groups: 'src' }, 'refused'],
    [{ endpoint: 'https://127.0.0.1:1/groups' }, { groups: 'src' }, 'refused'],
    [{}, { groups: 'gone' }, 'refused'],
    [{ JWT: 'here' }, { groups: 'src' }, 'user'],
    [{}, { address: 'src' }, 'user'],
  ])('from %j by %j: %s', async (source, names, expected) =>
    expect(await ask(await provider.issue(elsewhere(source, names)), options)).toHaveProperty(expected),
  );
});
