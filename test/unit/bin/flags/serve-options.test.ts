/** The flags of the server, as the options that they stand for. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServeFlags } from '../../../../bin/flags/serve-flags.js';
import { readServeOptions } from '../../../../bin/flags/serve-options.js';
import { usualFlags } from '../../../support/serving.js';

const read = (flags: Partial<ServeFlags> = {}) => readServeOptions({ ...usualFlags, ...flags });

describe('the release whose rules are kept to', () => {
  it('is the latest or 1.27', () => {
    expect(read().emulatedVersion).toBe(undefined);
    expect(read({ emulatedVersion: '1.27' }).emulatedVersion).toBe('1.27');
  });

  it('is no other', () => {
    const refused = () => read({ emulatedVersion: '1.28' });
    expect(refused).toThrow('--emulated-version 1.28 is not supported; use 1.27, or leave the flag out');
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
  ])('with %j is at %j', (flags, expected) => {
    const { http, tls } = read(flags);
    expect({ http, ...(tls && { tls }) }).toEqual(expected);
  });
});

describe('credentials', () => {
  it.each([
    [{ storage: 'lmdb:data' }, { folder: join('data', 'credentials') }],
    [{ storage: 'memory' }, { folder: undefined }],
    [{ storage: 'lmdb:data', credentialsDir: 'own' }, { folder: 'own' }],
    [{ tokenAuthFile: 'tokens.csv' }, undefined],
    [{ tokenAuthFile: 'tokens.csv', securePort: 'auto' }, { folder: undefined }],
  ])('with %j go to %j', (flags, expected) => {
    expect(read(flags).credentials).toEqual(expected);
  });
});

describe('controllers', () => {
  it.each([
    ['*', undefined],
    ['none', []],
    ['', []],
    ['namespace, other', ['namespace', 'other']],
  ])('%j are %j', (controllers, expected) => {
    expect(read({ controllers }).controllers).toEqual(expected);
  });
});

it.each([
  [
    { httpPort: '' },
    '--http-port (nothing) is not a port; use a number up to 65535, auto for a free port, or 0 for none',
  ],
  [{ naming: 'other' }, '--naming other is unknown; use platform or kubernetes'],
  [{ storage: 'disk' }, '--storage disk: unknown; use one of: memory, lmdb:<folder>, '],
  [{ onDamage: 'cry' }, '--on-damage cry is unknown; use refuse, serve-rest or discard'],
  [
    { historyWindow: '0s' },
    '--history-window 0s is not a duration from 1s to 24h; use a number and a unit, such as 5m',
  ],
  [{ historySize: '1' }, '--history-size 1 is not a size from 1Mi to 1Ti; use a number and a unit, such as 64Mi'],
  [{ maxObjectBytes: '1Ki' }, '--max-object-bytes 1Ki is not a size from 16Ki to 64Mi; use a number of bytes'],
  [{ serviceClusterIpRange: 'x' }, '--service-cluster-ip-range x: x is not an IP range'],
  [{ serviceNodePortRange: 'x' }, '--service-node-port-range x is not a range of ports; use the form 30000-32767'],
  [{ serviceAccountIssuer: '' }, '--service-account-issuer is empty; give a URL'],
  [{ apiAudiences: 'a,' }, '--api-audiences has an empty name; give names'],
  [
    { serviceAccountMaxTokenExpiration: '1m' },
    '--service-account-max-token-expiration 1m is not a duration of at least 1h; use a number and a unit, such as 24h',
  ],
  [{ securePort: 'x' }, '--secure-port x is not a port; use a number up to 65535, auto for a free port, or 0 for none'],
  [{ httpPort: '0', securePort: '0' }, '--http-port 0 and --secure-port 0 leave nothing to listen on; drop one'],
  [
    { securePort: '0', bindAddress: '0.0.0.0' },
    '--bind-address is about TLS, which --secure-port 0 turns off; add --secure-port 6443',
  ],
  [{ securePort: '0', clientCaFile: 'a' }, '--client-ca-file is about TLS, which --secure-port 0 turns off'],
  [{ securePort: 'auto', tlsCertFile: 'a.pem' }, '--tls-cert-file and --tls-private-key-file must be given together'],
  [
    { securePort: 'auto', tlsMinVersion: 'VersionTLS10' },
    '--tls-min-version VersionTLS10 is not supported; use VersionTLS12 or VersionTLS13',
  ],
  [
    { securePort: 'auto', tlsCipherSuites: 'TLS_RSA_WITH_RC4_128_SHA' },
    '--tls-cipher-suites: TLS_RSA_WITH_RC4_128_SHA is not a cipher suite that is known; use some of TLS_ECDHE_ECDSA_',
  ],
  [
    { securePort: 'auto', tlsSniCertKey: ['a.pem'] },
    '--tls-sni-cert-key a.pem is not a certificate with its key; use the form cert,key:*.example.com',
  ],
  [{ credentialsDir: '' }, '--credentials-dir is empty; give a folder'],
])('%j is refused, with the flag that is wrong', (flags, message) => {
  expect(() => read(flags)).toThrow(message);
});
