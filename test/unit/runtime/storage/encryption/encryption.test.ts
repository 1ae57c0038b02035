import { describe, expect, it } from 'vitest';
import { Encryption, type EncryptionRule } from '../../../../../runtime/storage/encryption/encryption.js';
import { aescbc, aesgcm, identity, type Transformer } from '../../../../../runtime/storage/encryption/transformers.js';

const value = Buffer.from('{"kind":"Secret"}');
const key = (name: string) => aesgcm({ name, secret: Buffer.alloc(32, name) });
const rules = (resources: string, ...transformers: readonly Transformer[]): EncryptionRule[] => [
  { resources: resources.split(','), transformers },
];
const prefixOf = (stored: Uint8Array): string =>
  /^k8s:enc:[^:]*:v1:[^:]*:/.exec(Buffer.from(stored).toString('latin1'))?.[0] ?? '';

describe('the rule of a resource', () => {
  it.each([
    ['secrets', '/secrets/default/db', true],
    ['secrets', '/configmaps/default/db', false],
    ['secrets', 'apps.example.com/secrets/default/db', false],
    ['*.', '/configmaps/default/db', true],
    ['*.', 'apps/deployments/default/web', false],
    ['deployments.apps', 'apps/deployments/default/web', true],
    ['*.apps', 'apps/daemonsets/default/web', true],
    ['*.apps', '/secrets/default/db', false],
    ['*.*', '/nodes/one', true],
    ['*.*', 'shop.example.com/widgets/default/w', true],
    ['csinodes.storage.k8s.io', 'storage.platform.io/csinodes/one', true],
    ['csinodes.storage.platform.io', 'storage.k8s.io/csinodes/one', true],
    ['*.*', '!restore/unfinished', false],
  ])('%s and %s', (resources, at, isEncrypted) => {
    const stored = new Encryption(rules(resources, key('a'))).encrypt(at, value);
    expect(prefixOf(stored) !== '').toBe(isEncrypted);
    if (!isEncrypted) expect(stored).toBe(value);
  });

  it('is the one with its name, before those with a wildcard', () => {
    const all = [...rules('secrets', key('a')), ...rules('*.', key('b')), ...rules('*.*', key('c'))];
    const encryption = new Encryption(all);
    const places = ['/secrets/default/x', '/configmaps/default/x', 'apps/deployments/default/x'];
    expect(places.map((at) => prefixOf(encryption.encrypt(at, value)))).toEqual(
      ['a', 'b', 'c'].map((name) => `k8s:enc:aesgcm:v1:${name}:`),
    );
  });

  it('has the keys of all elements with its name, and encrypts with the first', async () => {
    const encryption = new Encryption([...rules('secrets', key('a')), ...rules('secrets', key('b'))]);
    const old = new Encryption(rules('secrets', key('b'))).encrypt('/secrets/d/x', value);
    expect(await encryption.decrypt('/secrets/d/x', old)).toMatchObject({ ok: true });
    expect(prefixOf(encryption.encrypt('/secrets/d/x', value))).toBe('k8s:enc:aesgcm:v1:a:');
  });
});

describe('values that cannot be read', () => {
  const at = '/secrets/default/db';
  const stored = new Encryption(rules('secrets', key('key1'))).encrypt(at, value);

  it.each<[string, readonly EncryptionRule[], string]>([
    [
      'without the key',
      rules('secrets', key('key2'), identity),
      'it is encrypted with key "key1" of aesgcm, which the encryption configuration does not have for its resource',
    ],
    [
      'without a rule',
      [],
      'it is encrypted with key "key1" of aesgcm, which the encryption configuration does not have for its resource',
    ],
    [
      'with another secret under the same name',
      rules('secrets', aesgcm({ name: 'key1', secret: Buffer.alloc(32, 1) })),
      'key "key1" of aesgcm: it was encrypted with another secret, or is damaged',
    ],
  ])('%s', async (_, given, problem) => {
    expect(await new Encryption(given).decrypt(at, stored)).toEqual({ ok: false, problem });
  });

  it('are plain ones without identity', async () => {
    expect(await new Encryption(rules('secrets', key('a'))).decrypt(at, value)).toEqual({
      ok: false,
      problem:
        'it is not encrypted, and the encryption configuration does not have the provider identity for its resource',
    });
  });

  it('are read by a later key of the same name', async () => {
    const wrong = aesgcm({ name: 'key1', secret: Buffer.alloc(32, 1) });
    expect(await new Encryption(rules('secrets', wrong, key('key1'))).decrypt(at, stored)).toMatchObject({ ok: true });
  });
});

describe('a value to be written again', () => {
  const at = '/secrets/default/db';
  const before = { key: at, revision: 5 };

  it.each<[string, readonly Transformer[], readonly Transformer[], boolean]>([
    ['the first key', [key('a')], [key('a'), identity], false],
    ['the second key', [key('a')], [key('b'), key('a')], true],
    ['no key', [identity], [key('a'), identity], true],
    ['a key, while none encrypts', [key('a')], [identity, key('a')], true],
    ['no key, while none encrypts', [identity], [identity, key('a')], false],
  ])('was read with %s: %#', async (_, written, read, isStale) => {
    const stored = new Encryption(rules('secrets', ...written)).encrypt(at, value);
    const encryption = new Encryption(rules('secrets', ...read));
    await encryption.decrypt(at, stored, 5);
    expect(encryption.isStale(before)).toBe(isStale);
    encryption.encrypt(at, value, 6);
    expect(encryption.isStale({ key: at, revision: 6 })).toBe(false);
    expect(encryption.isStale({ key: '/configmaps/default/x', revision: 1 })).toBe(false);
  });

  it('includes every value from before the rules changed', () => {
    const encryption = new Encryption(rules('secrets', key('a')));
    encryption.encrypt(at, value, 5);
    encryption.replace(rules('secrets', key('a'), identity));
    expect(encryption.isStale(before)).toBe(false);
    encryption.replace(rules('secrets', aescbc({ name: 'a', secret: Buffer.alloc(32, 'a') }), key('a')));
    expect(encryption.isStale(before)).toBe(true);
    expect(encryption.isStale({ key: at, revision: 6 })).toBe(false);
    encryption.replace([]);
    expect(encryption.isStale(before)).toBe(true);
  });
});

it('reports each transformation, and whether it failed', async () => {
  const seen: unknown[] = [];
  const encryption = new Encryption(rules('secrets', key('a'), identity), {
    transformed: (type, prefix, _, problem) => void seen.push([type, prefix, problem !== '']),
  });
  const stored = encryption.encrypt('/secrets/d/x', value);
  await encryption.decrypt('/secrets/d/x', stored);
  await encryption.decrypt('/secrets/d/x', value);
  await encryption.decrypt('/secrets/d/x', Buffer.from('k8s:enc:aescbc:v1:z:1'));
  encryption.encrypt('/configmaps/d/x', value);
  expect(seen).toEqual([
    ['to_storage', 'k8s:enc:aesgcm:v1:a:', false],
    ['from_storage', 'k8s:enc:aesgcm:v1:a:', false],
    ['from_storage', 'identity', false],
    ['from_storage', 'unknown', true],
  ]);
});

it('binds a value to the key of its object in a kube-apiserver', () => {
  const places: string[] = [];
  const noted: Transformer = {
    ...key('a'),
    encrypt: (bytes, context) => {
      places.push(Buffer.from(context).toString());
      return bytes;
    },
  };
  const encryption = new Encryption(rules('*.*', noted));
  for (const at of ['/secrets/default/db', 'shop.example.com/widgets/default/w', '/nodes/one'])
    encryption.encrypt(at, value);
  expect(places).toEqual([
    '/registry/secrets/default/db',
    '/registry/shop.example.com/widgets/default/w',
    '/registry/nodes/one',
  ]);
});
