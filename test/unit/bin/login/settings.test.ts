import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execCommandOf, type LoginFlags, settingsOf } from '../../../../bin/login/settings.js';
import { usualLoginFlags } from '../../../support/login.js';

const named = { ...usualLoginFlags, oidcIssuerUrl: 'https://id.example.com', oidcClientId: 'shop' };

describe('the settings of a login', () => {
  it('come from the flags, or else from the server', () => {
    const published = { issuer: 'https://other.example.com', clientId: 'other' };
    expect(settingsOf(named, published, {})).toMatchObject({ issuer: 'https://id.example.com', clientId: 'shop' });
    expect(settingsOf(usualLoginFlags, published, {})).toMatchObject(published);
    // The client belongs to another provider.
    const elsewhere = { ...usualLoginFlags, oidcIssuerUrl: 'https://id.example.com' };
    expect(() => settingsOf(elsewhere, published, {})).toThrow('--oidc-client-id is not given');
    expect(settingsOf({ ...named, timeout: '1m30s', oidcScopes: 'openid, email' }, undefined, {})).toMatchObject({
      timeoutMs: 90_000,
      scopes: ['openid', 'email'],
      parameters: { login_hint: 'anna' },
      deviceCode: false,
    });
  });

  it('read the secret from the flag, or else from the environment', () => {
    const environment = { KINDFORGE_OIDC_CLIENT_SECRET: 'hush' };
    expect(settingsOf(named, undefined, environment).clientSecret).toBe('hush');
    expect(settingsOf({ ...named, oidcClientSecret: 'own' }, undefined, environment).clientSecret).toBe('own');
    expect(settingsOf(named, undefined, {})).not.toHaveProperty('clientSecret');
  });

  it.each<[string, Partial<LoginFlags>]>([
    ['--oidc-issuer-url http://id.example.com: must be an HTTPS URL', { oidcIssuerUrl: 'http://id.example.com' }],
    ['--oidc-scopes email: must have openid', { oidcScopes: 'email' }],
    ['--oidc-auth-param hint: must be a name with a text', { oidcAuthParam: ['hint'] }],
    ['--listen-port 70000: must be a port', { listenPort: '70000' }],
    ['--timeout 0s: must be longer than nothing', { timeout: '0s' }],
    ['--timeout soon', { timeout: 'soon' }],
    ['--oidc-ca-file missing.pem: ENOENT', { oidcCaFile: 'missing.pem' }],
  ])('are refused: %s', (message, flags) => {
    expect(() => settingsOf({ ...named, ...flags }, undefined, {})).toThrow(message);
  });

  it('need a provider and a client, from the flags or the server', () => {
    expect(() => settingsOf(usualLoginFlags)).toThrow(
      '--oidc-issuer-url is not given, and the server does not publish it',
    );
    const { oidcClientId: _id, ...withoutClient } = named;
    expect(() => settingsOf(withoutClient)).toThrow('--oidc-client-id is not given');
  });
});

describe('the arguments in a kubeconfig', () => {
  it('are as few as necessary', () => {
    expect(
      execCommandOf({ ...named, oidcAuthParam: [] }, settingsOf({ ...named, timeout: '5m' }), ['node', 'kf']),
    ).toEqual({
      command: 'node',
      args: [
        ...[
          'kf',
          'login',
          '--exec-credential',
          '--oidc-issuer-url',
          'https://id.example.com',
          '--oidc-client-id',
          'shop',
        ],
        ...['--timeout', '20s'],
      ],
      env: [],
    });
  });

  it('include each flag for logging in, with full paths, and the secret in the environment', () => {
    const flags = {
      ...named,
      user: 'work',
      oidcClientSecret: 'hush',
      oidcCaFile: 'package.json',
      oidcScopes: 'openid email',
      deviceCode: true,
      browser: false,
      listenPort: '8000',
      redirectHost: 'localhost',
    };
    const { args, env } = execCommandOf(flags, settingsOf(flags), ['kf']);
    expect(args.slice(6)).toEqual([
      ...['--user', 'work', '--oidc-ca-file', resolve('package.json'), '--oidc-scopes', 'openid,email'],
      ...['--oidc-auth-param', 'login_hint=anna', '--device-code', '--no-browser', '--listen-port', '8000'],
      ...['--redirect-host', 'localhost', '--timeout', '20s'],
    ]);
    expect(env).toEqual([{ name: 'KINDFORGE_OIDC_CLIENT_SECRET', value: 'hush' }]);
    expect(args.join()).not.toContain('hush');
  });
});
