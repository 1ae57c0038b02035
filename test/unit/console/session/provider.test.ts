/** Signing in at an identity provider: which of its answers are accepted. The whole flow is tested in Chromium. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { publishedLogin, renewed } from '../../../../packages/console/src/session/provider.js';

const issuer = 'https://login.example.com/realm';
const renewal = {
  issuer,
  clientId: 'shop',
  tokenEndpoint: `${issuer}/token`,
  refreshToken: 'refresh-1',
  subject: 'änna',
};
const claims = { iss: issuer, aud: ['other', 'shop'], sub: 'änna', exp: 4_000_000_000 };
const tokenOf = (given: object): string => `head.${Buffer.from(JSON.stringify(given)).toString('base64url')}.signature`;

/** Answers all requests with one value, and returns what was sent. */
function answering(value: unknown): { readonly sent: string[] } {
  const sent: string[] = [];
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:8080' });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    sent.push(`${url} ${String(init.body ?? '')}`);
    if (value instanceof Error) throw value;
    return new Response(typeof value === 'string' ? value : JSON.stringify(value));
  });
  return { sent };
}
afterEach(() => void vi.unstubAllGlobals());

describe('renewing a token', () => {
  it('sends the refresh token, and keeps it if the provider gives no other', async () => {
    const { sent } = answering({ id_token: tokenOf(claims) });
    expect(await renewed(renewal)).toEqual({ idToken: tokenOf(claims), renewal });
    expect(sent).toEqual([`${issuer}/token grant_type=refresh_token&refresh_token=refresh-1&client_id=shop`]);
    answering({ id_token: tokenOf(claims), refresh_token: 'refresh-2' });
    expect((await renewed(renewal)).renewal).toEqual({ ...renewal, refreshToken: 'refresh-2' });
  });

  it.each([
    ['of another user', { ...claims, sub: 'joe' }],
    ['for another client', { ...claims, aud: 'other' }],
    ['of another issuer', { ...claims, iss: 'https://login.example.com' }],
    ['that has expired', { ...claims, exp: 1 }],
    ['without an end', { ...claims, exp: undefined }],
  ])('refuses a token %s', async (_, given) => {
    answering({ id_token: tokenOf(given) });
    await expect(renewed(renewal)).rejects.toThrow('gave an ID token that is not for this request');
  });

  it.each([
    [{ error: 'invalid_grant', error_description: 'The session has ended' }, /realm: The session has ended/],
    [{ error: 'invalid_grant' }, /realm: invalid_grant/],
    ['<html>', /gave no ID token/],
    [{ id_token: 'no token' }, /not for this request/],
    [new Error('CORS'), /must allow the origin http:\/\/127.0.0.1:8080/],
  ])('reports the problem with the answer %j', async (answer, message) => {
    answering(answer);
    await expect(renewed(renewal)).rejects.toThrow(message);
  });
});

describe('the provider that a server names', () => {
  const document = { authorization_servers: [issuer], kindforge_login: { client_id: 'shop' } };

  it('is read from its metadata', async () => {
    const { sent } = answering(document);
    expect(await publishedLogin()).toEqual({ issuer, clientId: 'shop' });
    expect(sent).toEqual(['/.well-known/oauth-protected-resource ']);
  });

  it.each([
    [{ kind: 'Status', code: 401 }],
    [{ ...document, authorization_servers: ['javascript:alert(1)'] }],
    [{ ...document, kindforge_login: undefined }],
    ['<html>'],
    [new Error('away')],
  ])('is absent with the answer %j', async (answer) => {
    answering(answer);
    expect(await publishedLogin()).toBeUndefined();
  });

  it('is absent in pages without cryptography', async () => {
    answering(document);
    vi.stubGlobal('isSecureContext', false);
    expect(await publishedLogin()).toBeUndefined();
  });
});
