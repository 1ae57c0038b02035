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
    expect(refused).toThrow('--emulated-version 1.28 is unknown; say 1.27, or leave it out');
  });
});

describe('credentials', () => {
  it.each([
    [{ storage: 'lmdb:data' }, { folder: join('data', 'credentials') }],
    [{ storage: 'memory' }, { folder: undefined }],
    [{ storage: 'lmdb:data', credentialsDir: 'own' }, { folder: 'own' }],
    [{ tokenAuthFile: 'tokens.csv' }, undefined],
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
  [{ httpPort: '' }, '--http-port (nothing) is no port; say a number from 0 to 65535'],
  [{ naming: 'other' }, '--naming other is unknown; say platform or kubernetes'],
  [{ storage: 'disk' }, '--storage disk: unknown; say memory, lmdb:<folder>, '],
  [{ onDamage: 'cry' }, '--on-damage cry is unknown; say refuse, serve-rest or discard'],
  [{ historyWindow: '0s' }, '--history-window 0s is no duration from 1s to 24h; say how long, as in 5m'],
  [{ historySize: '1' }, '--history-size 1 is no size from 1Mi to 1Ti; say how much, as in 64Mi'],
  [{ serviceClusterIpRange: 'x' }, '--service-cluster-ip-range x: x is no block of addresses; say one as in'],
  [{ serviceNodePortRange: 'x' }, '--service-node-port-range x is no range of ports; say one as in 30000-32767'],
  [{ serviceAccountIssuer: '' }, '--service-account-issuer is empty; say who signs, as in https://api.example.com'],
  [{ apiAudiences: 'a,' }, '--api-audiences has an empty name; say names with commas between'],
  [
    { serviceAccountMaxTokenExpiration: '1m' },
    '--service-account-max-token-expiration 1m is no duration from 1h up; say one, as in 24h',
  ],
  [{ tlsCertFile: 'a.pem' }, '--tls-cert-file and --tls-private-key-file go together'],
  [{ credentialsDir: '' }, '--credentials-dir names no folder'],
])('%j is refused, with the flag that is wrong', (flags, message) => {
  expect(() => read(flags)).toThrow(message);
});
