import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { claimsOf, currentTokens, endOf, scopesFor, signIn } from '../../../../bin/login/sign-in.js';
import { readTokens, tokenFile, writeTokens } from '../../../../bin/login/token-cache.js';
import type { ProviderOptions } from '../../../../examples/login/provider.js';
import { type LoginBench, startLogin } from '../../../support/login.js';
import { testFolder } from '../../../support/scratch-folder.js';

let open: LoginBench | undefined;
afterEach(() => open?.close());

async function start(options: Partial<ProviderOptions> = {}): Promise<LoginBench> {
  open = await startLogin(options);
  return open;
}

/** Counts requests by the kind that they are for the provider. */
function counted(): { readonly asked: string[]; readonly instead: NonNullable<ProviderOptions['instead']> } {
  const asked: string[] = [];
  return {
    asked,
    instead: (path, parameters) => {
      if (path === '/token') asked.push(parameters.get('grant_type') ?? '');
      return undefined;
    },
  };
}

const past = (): { exp: number } => ({ exp: Math.floor(Date.now() / 1000) - 3600 });

describe('a login by the browser', () => {
  it('returns an ID token and a refresh token, and shows a page at the end', async () => {
    const { settings, people, said, pages } = await start();
    const { idToken, refreshToken } = await signIn(settings, people);
    expect(decodeJwt(idToken)).toMatchObject({ iss: settings.issuer, aud: 'shop', sub: 'anna' });
    expect(refreshToken).toMatch(/./);
    expect(said).toEqual([expect.stringContaining(`Opening ${settings.issuer}/authorize?`)]);
    await expect.poll(() => pages).toEqual([expect.stringContaining('You are logged in. You can close this tab.')]);
  });

  it('sends a challenge by S256, a state and a nonce, and the scopes that the provider has', async () => {
    const { settings, people, said } = await start();
    await signIn(settings, people);
    const { searchParams } = new URL(said[0]?.split(' ')[1] ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid email groups offline_access',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
  });

  it('opens no browser on request, and prints the address', async () => {
    const { settings, people, said, browse } = await start();
    const tell = (line: string): void => {
      people.tell(line);
      void browse(line.split(': ')[1] ?? '');
    };
    const openBrowser = (): void => expect.unreachable();
    await signIn({ ...settings, browser: false }, { ...people, tell, openBrowser });
    expect(said[0]).toMatch(/^Open this address in a browser on this machine: https/);
  });

  it('waits on after an answer with another state, and reports it', async () => {
    const { settings, people, said, pages, browse } = await start();
    const openBrowser = async (url: string): Promise<void> => {
      const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
      await browse(`${redirect}?code=stolen&state=wrong`);
      await browse(url);
    };
    await signIn(settings, { ...people, openBrowser: (url) => void openBrowser(url) });
    expect(pages[0]).toContain('This answer belongs to another login');
    expect(said[1]).toContain('its state is not the one that was sent');
  });

  it('ends if only an answer with another state comes, and names that', async () => {
    const { settings, people, browse } = await start();
    const openBrowser = (url: string): void =>
      void browse(`${new URL(url).searchParams.get('redirect_uri')}?code=stolen&state=wrong`);
    await expect(signIn({ ...settings, timeoutMs: 400 }, { ...people, openBrowser })).rejects.toThrow(
      'nobody logged in within 0.4 s; only an answer of another login came (its state is not the one that was sent)',
    );
  });

  it('ends if nobody comes back', async () => {
    const { settings, people } = await start();
    const gone = signIn({ ...settings, timeoutMs: 50 }, { ...people, openBrowser: () => undefined });
    await expect(gone).rejects.toMatchObject({
      message: 'nobody logged in within 0.05 s',
      advice: expect.arrayContaining([expect.stringContaining('--device-code')]),
    });
  });

  it('shows the error of the provider in the browser and in the terminal', async () => {
    const { settings, people, pages } = await start({
      instead: (path, asked) =>
        path === '/authorize'
          ? {
              status: 302,
              location: `${asked.get('redirect_uri')}?error=access_denied&error_description=%3Cb%3Eno&state=${asked.get('state')}`,
            }
          : undefined,
    });
    await expect(signIn(settings, people)).rejects.toThrow(
      `the provider ${settings.issuer} refused the client "shop" (access_denied): <b>no`,
    );
    await expect.poll(() => pages[0]).toContain('You are not logged in');
    expect(pages[0]).toContain('&lt;b>no');
  });

  it('refuses a port that is in use', async () => {
    const { settings, people, provider } = await start();
    const listenPort = Number(new URL(provider.url).port);
    await expect(signIn({ ...settings, listenPort }, people)).rejects.toThrow(
      `--listen-port ${listenPort}: listen EADDR`,
    );
  });

  it('refuses a provider without an ID token or an authorization_endpoint', async () => {
    const { settings, people } = await start({
      instead: (path) => (path === '/token' ? { body: { access_token: 'a', token_type: 'Bearer' } } : undefined),
    });
    await expect(signIn(settings, people)).rejects.toThrow('"response" body "id_token" property');
    await open?.close();
    const other = await start({
      instead: (path) => (path.includes('well-known') ? { body: { issuer: other.provider.url } } : undefined),
    });
    await expect(signIn(other.settings, other.people)).rejects.toThrow('has no authorization_endpoint');
  });
});

describe('an invalid ID token', () => {
  it.each([
    ['nonce', { nonce: 'other' }, 'has the wrong claim "nonce": it is "other", and should be "'],
    ['audience', { aud: 'other' }, 'has the wrong claim "aud": it is "other", and should be "shop"'],
    ['issuer', { iss: 'https://other.example.com' }, 'has the wrong claim "iss": it is "https://other.example.com"'],
    ['time', past(), 'has expired already: its claim "exp" is 20'],
    [
      'beginning',
      { nbf: 4_000_000_000 },
      'is not valid yet: its claim "nbf" is 2096-10-02T07:06:40.000Z, and this machine has 20',
    ],
  ])('is refused for its %s', async (_name, claims, message) => {
    const { settings, people } = await start({ claims: () => claims });
    await expect(signIn(settings, people)).rejects.toThrow(`the ID token of ${settings.issuer} ${message}`);
  });
});

describe('a provider that cannot be used', () => {
  it('is named with the reason if it does not answer, or its certificate is not trusted', async () => {
    const { settings, people, provider } = await start();
    const { ca: _ca, ...untrusting } = settings;
    await expect(signIn(untrusting, people)).rejects.toMatchObject({
      message: expect.stringContaining(`the provider ${provider.url} cannot be reached: self-signed certificate`),
      advice: [expect.stringContaining('--oidc-ca-file')],
    });
    await provider.close();
    await expect(signIn(settings, people)).rejects.toMatchObject({
      message: expect.stringContaining(`the provider ${provider.url} cannot be reached: connect ECONNREFUSED`),
      advice: [expect.stringContaining('HTTPS_PROXY')],
    });
  });

  it.each([
    [
      'is not there',
      { status: 404, body: 'no' },
      '/.well-known/openid-configuration does not answer as an OpenID provider (404)',
    ],
    ['is not JSON', { body: '<html>' }, 'does not answer as an OpenID provider'],
    ['has no issuer', { body: {} }, 'does not answer as an OpenID provider'],
    [
      'has another issuer',
      { body: { issuer: 'https://a.example.com' } },
      'names another issuer: "https://a.example.com"',
    ],
  ])('is named if its discovery document %s', async (_name, answer, message) => {
    const { settings, people } = await start({ instead: (path) => (path.includes('well-known') ? answer : undefined) });
    await expect(signIn(settings, people)).rejects.toThrow(message);
  });

  it.each([
    ['invalid_client', '--oidc-client-secret'],
    ['invalid_scope', '--oidc-scopes'],
    ['unauthorized_client', 'Allow this way of logging in'],
    ['something_else', 'See the log of the provider'],
  ])('gets advice for its error %s', async (error, advice) => {
    const { settings, people } = await start({
      instead: (path) => (path === '/token' ? { status: 400, body: { error } } : undefined),
    });
    await expect(signIn(settings, people)).rejects.toMatchObject({
      message: expect.stringContaining(`(${error})`),
      advice: [expect.stringContaining(advice)],
    });
  });
});

describe('a login by a device code', () => {
  /** Answers like this, one answer after the other, and then as usual. */
  const answering = (...errors: readonly string[]): ProviderOptions['instead'] => {
    const left = [...errors];
    return (path) => {
      const error = path === '/token' ? left.shift() : undefined;
      return error === undefined ? undefined : { status: 400, body: { error } };
    };
  };

  it('waits until the user enters the code, and more slowly if the provider asks for it', async () => {
    const { settings, people, said, waits, browse } = await start({
      instead: answering('authorization_pending', 'slow_down', 'authorization_pending'),
    });
    const tell = (line: string): void => {
      people.tell(line);
      void browse(`${line.split('or open ')[1]}&login_hint=ben`);
    };
    const { idToken } = await signIn({ ...settings, deviceCode: true }, { ...people, tell });
    expect(claimsOf(idToken).sub).toBe('ben');
    expect(said[0]).toMatch(/^Open https:\S+\/device on any device, and enter the code \w{8}\nor open https/);
    expect(waits.slice(0, 4)).toEqual([1000, 1000, 6000, 6000]);
  });

  it('polls again after a connection that failed, and more slowly', async () => {
    const { settings, people, waits, provider, restart } = await start();
    const sleep = async (ms: number): Promise<void> => {
      await (waits.length === 0 ? provider.close() : restart());
      await people.sleep(ms);
    };
    // The provider that answers again does not know the code.
    await expect(signIn({ ...settings, deviceCode: true }, { ...people, sleep })).rejects.toThrow('(expired_token)');
    expect(waits).toEqual([1000, 6000]);
  });

  it.each([
    ['access_denied', 'did not agree'],
    ['expired_token', 'not entered in time'],
  ])('ends with %s', async (error, advice) => {
    const { settings, people } = await start({ instead: answering(error) });
    await expect(signIn({ ...settings, deviceCode: true }, people)).rejects.toMatchObject({
      message: expect.stringContaining(`(${error})`),
      advice: [expect.stringContaining(advice)],
    });
  });

  it('ends if nobody enters the code in time', async () => {
    const { settings, people, waits } = await start();
    const gone = signIn({ ...settings, deviceCode: true, timeoutMs: 2500 }, people);
    await expect(gone).rejects.toThrow(/^nobody entered the code \w{8} within 3 s$/);
    expect(waits).toEqual([1000, 1000, 1000]);
  });

  it('is refused if the provider has no device codes', async () => {
    const bench = await start({
      instead: (path) => (path.includes('well-known') ? { body: { issuer: bench.provider.url } } : undefined),
    });
    await expect(signIn({ ...bench.settings, deviceCode: true }, bench.people)).rejects.toThrow(
      'has no device_authorization_endpoint',
    );
  });
});

describe('the tokens of a login', () => {
  const fileIn = (settings: LoginBench['settings']): string => tokenFile({ user: 'oidc' }, settings, testFolder());

  it('are used until they expire, and then renewed once for all callers', async () => {
    const { asked, instead } = counted();
    const { settings, people, said } = await start({ instead });
    const file = fileIn(settings);
    const first = await currentTokens(settings, people, file);
    expect(await currentTokens(settings, people, file)).toEqual(first);
    expect(asked).toEqual(['authorization_code']);
    writeTokens(file, { ...first, idToken: 'expired' });
    const [one, two] = await Promise.all([1, 2].map(() => currentTokens(settings, people, file)));
    expect(one).toEqual(two);
    expect(asked).toEqual(['authorization_code', 'refresh_token']);
    expect(claimsOf(one?.idToken ?? '').sub).toBe('anna');
    // The refresh token was valid for one use, so the next one is kept.
    expect(readTokens(file)?.refreshToken).not.toBe(first.refreshToken);
    expect(said).toHaveLength(1);
  });

  it('come from a new login if the refresh token is revoked', async () => {
    const { asked, instead } = counted();
    const { settings, people, said } = await start({ instead });
    const file = fileIn(settings);
    writeTokens(file, { idToken: 'expired', refreshToken: 'revoked' });
    await currentTokens(settings, people, file);
    expect(asked).toEqual(['refresh_token', 'authorization_code']);
    expect(said[0]).toBe(`kindforge: ${settings.issuer} has ended the session; log in again`);
  });

  it('come from a new login if renewing brings no ID token', async () => {
    const { settings, people } = await start({
      instead: (_path, asked) =>
        asked.get('grant_type') === 'refresh_token' ? { body: { access_token: 'a', token_type: 'Bearer' } } : undefined,
    });
    const file = fileIn(settings);
    writeTokens(file, { idToken: 'expired', refreshToken: 'one' });
    expect(claimsOf((await currentTokens(settings, people, file)).idToken).sub).toBe('anna');
  });

  it('are kept if the provider does not answer, so that the next try can renew them', async () => {
    const { settings, people, provider } = await start();
    const file = fileIn(settings);
    const before = { idToken: 'expired', refreshToken: 'one' };
    writeTokens(file, before);
    await provider.close();
    await expect(currentTokens(settings, people, file)).rejects.toThrow('cannot be reached');
    expect(readTokens(file)).toEqual(before);
  });

  it('end ten seconds early', () => {
    const token = `x.${Buffer.from(JSON.stringify({ exp: 1000 })).toString('base64url')}.x`;
    expect(endOf(token)).toBe(990_000);
    expect(endOf('no token')).toBeLessThan(0);
  });
});

it('asks for the given scopes, or for the useful ones of the provider', () => {
  expect(scopesFor({ scopes: ['openid', 'x'] }, ['email'])).toBe('openid x');
  expect(scopesFor({}, ['openid', 'address', 'offline_access', 'email'])).toBe('openid email offline_access');
  expect(scopesFor({}, undefined)).toBe('openid');
});
