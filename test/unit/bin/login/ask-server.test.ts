import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askServer, problemOf } from '../../../../bin/login/ask-server.js';
import { type PublishedLogin, readPublishedLogin } from '../../../../bin/login/published-login.js';
import { loaded } from '../../../../client/node/loaded.js';
import { listenLocally } from '../../../support/local-server.js';

const now = Date.UTC(2030, 0, 1);
const seconds = now / 1000;
const rules: PublishedLogin = {
  issuer: 'https://id.example.com',
  clientId: 'shop',
  signingAlgorithms: ['RS256'],
  usernameClaim: 'email',
  usernamePrefix: '',
  groupsClaim: 'groups',
  groupsPrefix: '',
  requiredClaims: [],
};
const good = {
  iss: 'https://id.example.com',
  aud: ['shop', 'other'],
  exp: seconds + 300,
  email: 'a@example.com',
  groups: ['devs'],
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const token = (claims: object, alg = 'RS256'): string => `${encoded({ alg })}.${encoded({ ...good, ...claims })}.x`;

describe('the reason of a server to refuse a token', () => {
  it.each<[string, object, Partial<PublishedLogin>, string]>([
    ['iss', { iss: 'https://id.example.com/' }, {}, '--oidc-issuer-url https://id.example.com, letter by letter'],
    ['aud', { aud: 'web' }, {}, '--oidc-client-id shop'],
    ['email', { email: undefined }, {}, 'Let the provider put email into ID tokens'],
    ['email', { email: 7 }, {}, '--oidc-username-claim'],
    ['email_verified', { email_verified: false }, {}, 'Verify the address'],
    ['groups', { groups: [{ id: 1 }] }, {}, '--oidc-groups-claim'],
    ['tenant', {}, { requiredClaims: ['tenant'] }, '--oidc-required-claim'],
  ])('is found in the claim %s of %j', (name, claims, more, advice) => {
    const found = problemOf(token(claims), { ...rules, ...more }, now);
    expect(found?.problem).toContain(`its claim "${name}" is`);
    expect(found?.advice).toContain(advice);
  });

  it('is not searched if the token is from another provider that the server trusts', () => {
    const published = { ...rules, otherIssuers: ['https://two.example.com'] };
    expect(problemOf(token({ iss: 'https://two.example.com', aud: 'x' }), published, now)).toBeUndefined();
    expect(problemOf(token({ iss: 'https://three.example.com' }), published, now)?.problem).toContain('"iss"');
  });

  it('is found in all audiences, and not in a name from an expression', () => {
    const { usernameClaim: _, ...others } = rules;
    const published = { ...others, audiences: ['shop', 'web'] };
    expect(problemOf(token({ aud: 'web', email: undefined }), published, now)).toBeUndefined();
    expect(problemOf(token({ aud: 'x' }), published, now)?.problem).toContain('the server wants "shop" or "web"');
  });

  it('is found in the algorithm', () => {
    expect(problemOf(token({}, 'ES256'), rules, now)).toEqual({
      problem: 'it is signed by ES256, and the server wants RS256',
      advice: 'Start the server with --oidc-signing-algs RS256,ES256',
    });
  });

  it('is found by the clock of the server', () => {
    expect(problemOf(token({}), rules, now + 300_000)?.problem).toBe(
      'it expired at 2030-01-01T00:05:00.000Z, and the server has 2030-01-01T00:05:00.000Z',
    );
    expect(problemOf(token({ nbf: seconds + 61 }), rules, now)?.problem).toContain('it begins at 2030-01-01T00:01:01');
    expect(problemOf(token({ nbf: seconds + 60 }), rules, now)).toBeUndefined();
  });

  it('may be another text of a claim that the server requires, which it does not publish', () => {
    const found = problemOf(token({ tenant: 'two' }), { ...rules, requiredClaims: ['tenant'] }, now);
    expect(found?.problem).toContain('--oidc-required-claim says in one of: its claim "tenant" is "two"');
  });

  it('is none of these for a token with all claims, or without groups', () => {
    expect(problemOf(token({}), rules, now)).toBeUndefined();
    expect(problemOf(token({ groups: undefined, email_verified: true }), rules, now)).toBeUndefined();
    expect(problemOf(token({ email: 7 }), { ...rules, usernameClaim: 'iss' }, now)).toBeUndefined();
  });
});

/** Connects to a server with these answers at paths with a word, and 404 at others. */
async function connectionTo(status: number, body = '', word = ''): Promise<ReturnType<typeof loaded>> {
  const server = createServer(({ url = '' }, response) => {
    if (url.includes(word)) response.writeHead(status).end(body);
    else response.writeHead(404).end();
  });
  const port = await listenLocally(server);
  const connection = loaded({ baseUrl: `http://127.0.0.1:${port}`, tls: { insecure: false } }, '', {});
  onTestFinished(async () => {
    await connection.close();
    server.close();
  });
  return connection;
}

describe('another server', () => {
  it('may not name the user if it has no SelfSubjectReview and publishes nothing', async () => {
    expect(await askServer(await connectionTo(404), token({}))).toEqual({ groups: [] });
  });

  it('may have the review under platform names', async () => {
    const body = JSON.stringify({ status: { userInfo: { username: 'anna', groups: ['devs'] } } });
    const connection = await connectionTo(201, body, 'authentication.platform.io');
    expect(await askServer(connection, token({}))).toEqual({ name: 'anna', groups: ['devs'] });
  });

  it('is named if it answers with an error', async () => {
    await expect(askServer(await connectionTo(503, 'busy'), token({}))).rejects.toThrow(/answers 503: busy$/);
    await expect(readPublishedLogin(await connectionTo(503))).rejects.toThrow(
      /^http:\S+oauth-protected-resource answers 503$/,
    );
  });

  it.each([
    '<html>',
    '{}',
    '{"authorization_servers":[7],"kindforge_login":{"client_id":"a"}}',
    '{"authorization_servers":["a"]}',
  ])('publishes no provider by %s', async (body) => {
    expect(await readPublishedLogin(await connectionTo(200, body))).toBeUndefined();
  });
});
