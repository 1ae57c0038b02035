import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServeFlags } from '../../../../bin/flags/serve/index.js';
import { readServeOptions } from '../../../../bin/flags/serve-options.js';
import { usualFlags } from '../../../support/serving.js';

const read = (flags: Partial<ServeFlags> = {}) => readServeOptions({ ...usualFlags, ...flags });

describe('the release that sets the rules', () => {
  it.each(['1.27', '1.36', 'latest'])('may be %s', (emulatedVersion) =>
    expect(read({ emulatedVersion }).emulatedVersion).toBe(emulatedVersion),
  );

  it('is not chosen without the flag', () => expect(read().emulatedVersion).toBe(undefined));

  it('cannot be another one', () =>
    expect(() => read({ emulatedVersion: '1.26' })).toThrow(/--emulated-version 1\.26: must be .*1\.36 or latest/));
});

it('prints its flags, without passwords', () => {
  const shown = read({ storage: 'unstorage:redis?url=redis://me:secret@there' });
  expect(shown.shownFlags).toMatchObject({
    storage: 'unstorage:redis?***',
    'enable-priority-and-fairness': 'true',
    'tls-san': '',
  });
  expect(shown.shownFlags).not.toHaveProperty('emulated-version');
  const { storage } = read({ storage: 'postgres://me:secret@there/shop?password=secret' }).shownFlags ?? {};
  expect(storage).toBe('postgres://***@there/shop?***');
});

describe('a server behind a cluster', () => {
  it('has no built-in kinds and no administrator of its own', () => {
    expect(read({ aggregated: true, kubeconfig: 'k', naming: 'kubernetes' })).toMatchObject({
      aggregated: { kubeconfig: 'k', cacheTtlMs: 10_000 },
      kinds: [],
      authentication: { administrator: false, anonymous: 'anonymous' },
      credentials: undefined,
    });
    expect(read()).not.toHaveProperty('kinds');
  });

  it('is the only use of a kubeconfig', () =>
    expect(() => read({ kubeconfig: 'k' })).toThrow('--kubeconfig is the way to the cluster in front of the server'));
});

describe('the version of token reviews', () => {
  it.each([
    ['v1', 'v1'],
    ['v1beta1', 'v1beta1'],
    ['authentication.k8s.io/v1', 'v1'],
    ['authentication.k8s.io/v1beta1', 'v1beta1'],
    ['authentication.platform.io/v1', 'v1'],
  ])('%s is %s', (authenticationTokenWebhookVersion, version) => {
    const flags = { authenticationTokenWebhookConfigFile: 'hook', authenticationTokenWebhookVersion };
    expect(read(flags).authentication?.tokenWebhook).toMatchObject({ version });
  });
});

describe('listening', () => {
  it.each([
    [{}, { http: { host: '127.0.0.1', port: 'auto' } }],
    [
      { httpPort: '0', securePort: '6443', bindAddress: '::' },
      { http: false, tls: { host: '::', port: 6443, names: [], named: [], minVersion: 'VersionTLS12' } },
    ],
    [
      {
        securePort: 'auto',
        tlsCertFile: 'c',
        tlsPrivateKeyFile: 'k',
        tlsSniCertKey: ['a,b', 'c,d:*.x.y,x.y'],
        tlsMinVersion: 'VersionTLS13',
        tlsCipherSuites: 'TLS_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_GCM_SHA256',
      },
      {
        http: { host: '127.0.0.1', port: 'auto' },
        tls: {
          host: '127.0.0.1',
          port: 'auto',
          certificate: { certFile: 'c', keyFile: 'k' },
          names: [],
          named: [
            { certFile: 'a', keyFile: 'b' },
            { certFile: 'c', keyFile: 'd', patterns: ['*.x.y', 'x.y'] },
          ],
          minVersion: 'VersionTLS13',
          cipherSuites: ['TLS_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_128_GCM_SHA256'],
        },
      },
    ],
  ])('with %j uses %j', (flags, expected) => {
    const { http, tls } = read(flags);
    expect({ http, ...(tls && { tls }) }).toEqual(expected);
  });
});

describe('start and stop', () => {
  it('have the given time, and no limit by default', () => {
    expect(read()).toMatchObject({ shutdownDelayMs: 0, livezGraceMs: 0 });
    const given = read({ shutdownDelayDuration: '1m10s', livezGracePeriod: '500ms' });
    expect(given).toMatchObject({ shutdownDelayMs: 70_000, livezGraceMs: 500 });
  });
});

describe('credentials', () => {
  it.each([
    [{ storage: 'lmdb:data' }, { folder: join('data', 'credentials') }],
    [{ storage: 'memory' }, { folder: undefined }],
    [{ storage: 'lmdb:data', credentialsDir: 'own' }, { folder: 'own' }],
    [{ tokenAuthFile: 'tokens.csv' }, { folder: undefined }],
    [{ allowEveryone: true, securePort: '0' }, { folder: undefined }],
    [{ administrator: 'false', securePort: 'auto' }, { folder: undefined }],
    [{ administrator: 'false', securePort: '0' }, undefined],
  ])('with %j are written to %j', (flags, expected) => expect(read(flags).credentials).toEqual(expected));
});

describe('controllers', () => {
  it.each([
    ['*', ['*']],
    ['*,-namespace', ['*', '-namespace']],
    ['none', []],
    ['', []],
    ['namespace, other', ['namespace', 'other']],
  ])('%j are %j', (controllers, expected) => expect(read({ controllers }).controllers).toEqual(expected));
});

describe('the authorities for certificates of users', () => {
  it('do not exist by default', () => {
    const { oidc, tokenWebhook, requestHeader, serviceAccounts } = read().authentication ?? {};
    expect([oidc, tokenWebhook, requestHeader]).toEqual([undefined, undefined, undefined]);
    expect(serviceAccounts).toMatchObject({
      issuer: ['https://platform.local'],
      audiences: ['https://platform.local'],
    });
  });

  it('are set by flags', () => {
    const { authentication } = read({
      oidcIssuerUrl: 'https://a',
      oidcClientId: 'b',
      oidcRequiredClaim: ['c=d=e', 'f=g,h=i'],
      oidcSigningAlgs: 'ES256, RS256',
      authenticationTokenWebhookConfigFile: 'hook',
      authenticationTokenWebhookCacheTtl: '0s',
      requestheaderClientCaFile: 'ca',
      requestheaderUsernameHeaders: ['X-User,X-Login', 'X-Name'],
      serviceAccountIssuer: ['https://one', 'https://two'],
    });
    expect(authentication).toMatchObject({
      oidc: {
        issuerUrl: 'https://a',
        clientId: 'b',
        requiredClaims: { c: 'd=e', f: 'g', h: 'i' },
        signingAlgorithms: ['ES256', 'RS256'],
      },
      tokenWebhook: { configFile: 'hook', cacheTtlMs: 0, version: 'v1beta1' },
      requestHeader: { clientCaFile: 'ca', usernameHeaders: ['X-User', 'X-Login', 'X-Name'], allowedNames: [] },
      serviceAccounts: { issuer: ['https://one', 'https://two'], audiences: ['https://one', 'https://two'] },
    });
  });
});

it.each([
  [{ httpPort: '' }, '--http-port (nothing): must be a port up to 65535, auto for a free one, or 0 for none'],
  [{ naming: 'other' }, '--naming other: must be platform or kubernetes'],
  [{ storage: 'disk' }, '--storage disk: unknown; use one of: memory, lmdb:<folder>, '],
  [{ onDamage: 'cry' }, '--on-damage cry: must be refuse, serve-rest or discard'],
  [
    { historyWindow: '0s' },
    '--history-window 0s: must be a duration from 1s to 24h; use a number and a unit, such as 5m',
  ],
  [{ historySize: '1' }, '--history-size 1: must be a size from 1Mi to 1Ti; use a number and a unit, such as 64Mi'],
  [{ maxObjectBytes: '1Ki' }, '--max-object-bytes 1Ki: must be a size from 16Ki to 64Mi; use a number of bytes'],
  [{ serviceClusterIpRange: 'x' }, '--service-cluster-ip-range x: x: must be an IP range'],
  [{ serviceNodePortRange: 'x' }, '--service-node-port-range x: must be a range of ports, such as 30000-32767'],
  [
    { defaultNotReadyTolerationSeconds: 'x' },
    '--default-not-ready-toleration-seconds x: must be a number from 0 to 1000000000',
  ],
  [{ serviceAccountLookup: 'no' }, '--service-account-lookup no: must be true or false'],
  [{ oidcIssuerUrl: 'https://a' }, '--oidc-issuer-url and --oidc-client-id must be given together'],
  [{ oidcGroupsClaim: 'groups' }, '--oidc-groups-claim is about tokens of a provider; add --oidc-issuer-url'],
  [
    { oidcIssuerUrl: 'https://a', oidcClientId: 'b', oidcRequiredClaim: ['x'] },
    '--oidc-required-claim x: must be a claim with its text, as in claim=text',
  ],
  [
    { authenticationTokenWebhookVersion: 'other.k8s.io/v1' },
    '--authentication-token-webhook-version other.k8s.io/v1: must be v1 or v1beta1',
  ],
  [{ authenticationTokenWebhookVersion: 'v2' }, '--authentication-token-webhook-version v2: must be v1 or v1beta1'],
  [
    { authenticationTokenWebhookCacheTtl: 'x' },
    '--authentication-token-webhook-cache-ttl x: must be a duration from 0s to 24h; use a number and a unit, such as 2m',
  ],
  [
    { requestheaderUsernameHeaders: ['X-Remote-User'] },
    'headers count only behind a certificate of the proxy; add --requestheader-client-ca-file, its authority',
  ],
  [{ serviceAccountIssuer: [''] }, '--service-account-issuer (nothing): must be a URL'],
  [{ apiAudiences: 'a,' }, '--api-audiences a,: must be names with commas between them'],
  [
    { serviceAccountMaxTokenExpiration: '1m' },
    '--service-account-max-token-expiration 1m: must be a duration of at least 1h; use a number and a unit, such as 24h',
  ],
  [{ securePort: 'x' }, '--secure-port x: must be a port up to 65535, auto for a free one, or 0 for none'],
  [
    { httpPort: '0', securePort: '0' },
    '--http-port 0 and --secure-port 0 leave nothing to listen on; use auto for a free port',
  ],
  [
    { securePort: '0', bindAddress: '0.0.0.0' },
    '--bind-address is about TLS, which --secure-port 0 turns off; add --secure-port 6443',
  ],
  [
    { securePort: '0', advertiseAddress: '192.0.2.1' },
    '--advertise-address is about TLS, which --secure-port 0 turns off',
  ],
  [{ securePort: '0', clientCaFile: 'a' }, '--client-ca-file is about TLS, which --secure-port 0 turns off'],
  [{ proxyClientCertFile: 'a.pem' }, '--proxy-client-cert-file and --proxy-client-key-file must be given together'],
  [{ securePort: 'auto', tlsCertFile: 'a.pem' }, '--tls-cert-file and --tls-private-key-file must be given together'],
  [
    { securePort: 'auto', tlsMinVersion: 'VersionTLS10' },
    '--tls-min-version VersionTLS10: must be VersionTLS12 or VersionTLS13',
  ],
  [
    { securePort: 'auto', tlsCipherSuites: 'TLS_RSA_WITH_RC4_128_SHA' },
    '--tls-cipher-suites TLS_RSA_WITH_RC4_128_SHA: must be a known cipher suite: TLS_ECDHE_ECDSA_',
  ],
  [
    { securePort: 'auto', tlsSniCertKey: ['a.pem'] },
    '--tls-sni-cert-key a.pem: must be a certificate with its key, as in cert,key:*.example.com',
  ],
  [{ shutdownDelayDuration: '-1s' }, '--shutdown-delay-duration -1s: must be a duration from 0s to 24h'],
  [{ livezGracePeriod: 'x' }, '--livez-grace-period x: must be a duration from 0s to 24h'],
  [{ credentialsDir: '' }, '--credentials-dir (nothing): must be the path of a folder'],
])('%j is refused, with the name of the flag', (flags, message) => expect(() => read(flags)).toThrow(message));
