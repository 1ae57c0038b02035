/** Encrypted objects in etcd. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../../../runtime/contract/index.js';
import { Encryption } from '../../../../../runtime/storage/encryption/encryption.js';
import { aesgcm, identity, type Transformer } from '../../../../../runtime/storage/encryption/transformers.js';
import { Connection, READ } from '../../../../../runtime/storage/etcd/connection.js';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { range } from '../../../../../runtime/storage/etcd/messages.js';
import type { OpenEtcdStoreOptions } from '../../../../../runtime/storage/etcd/options.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { eventually } from '../../../../support/eventually.js';
import { commit, contentOf, encoded, readAttributes, watching } from '../../../../support/store-objects.js';
import { commitTests } from '../../../../support/store-suite/commit.js';
import { lifecycleTests } from '../../../../support/store-suite/lifecycle.js';
import { restoreTests } from '../../../../support/store-suite/restore.js';
import { watchTests } from '../../../../support/store-suite/watch.js';
import type { HarnessFactory } from '../../../../support/store-suite.js';

const key = (name: string): Transformer => aesgcm({ name, secret: Buffer.alloc(32, name) });

/** Makes a key that answers later. */
const remote = (name: string): Transformer => ({
  ...key(name),
  decrypt: async (stored, context) => {
    await sleep(1);
    return key(name).decrypt(stored, context);
  },
});

const rulesOf = (...transformers: readonly Transformer[]) => [{ resources: ['secrets', '*.g'], transformers }];
const encryptionOf = (...transformers: readonly Transformer[]): Encryption => new Encryption(rulesOf(...transformers));

describe.runIf(hasEtcd)(etcdOrWhyNot, () => {
  let etcd: EtcdCluster;
  let stores = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  const openAt = (prefix: string, encryption: Encryption | undefined, options?: Partial<OpenEtcdStoreOptions>) =>
    openEtcdStore({ endpoints: etcd.endpoints, prefix, encryption, readAttributes, compaction: false, ...options });

  describe.each([
    ['a key', key],
    ['a key service', remote],
  ])('encrypted with %s, it keeps the promises of a store', (_, keyOf) => {
    const harness: HarnessFactory = async () => {
      const prefix = `/suite/${++stores}/`;
      return { open: (options) => openAt(prefix, encryptionOf(keyOf('a')), options), dispose: async () => {} };
    };
    const traits = { persistent: true, durableHistory: false };
    commitTests(harness);
    watchTests(harness);
    lifecycleTests(harness, traits);
    restoreTests(harness, traits);
  });

  /** Opens stores on one prefix, and closes them after `use`. */
  async function withStores(
    encryptions: readonly (Encryption | undefined)[],
    use: (...stores: readonly Store[]) => Promise<void>,
    prefix = `/suite/${++stores}/`,
    options: Partial<OpenEtcdStoreOptions> = {},
  ): Promise<string> {
    const open: Store[] = [];
    try {
      for (const encryption of encryptions) open.push(await openAt(prefix, encryption, options));
      await use(...open);
    } finally {
      for (const store of open) await store.close();
    }
    return prefix;
  }

  const fill = (encryption: Encryption | undefined): Promise<string> =>
    withStores([encryption], async (store) => {
      if (!store) return;
      await commit(store, '/secrets/d/a', 0, 'hunter1');
      await commit(store, '/configmaps/d/a', 0, 'visible');
    });

  const revisionOf = (store: Store | undefined, at: string): number => store?.get(at)?.revision ?? 0;

  it('has no plain object and no plain last state in etcd', async () => {
    const prefix = await withStores([encryptionOf(key('a'))], async (store) => {
      if (!store) return;
      await Promise.all(['a', 'b', 'c'].map((name) => commit(store, `/secrets/d/${name}`, 0, 'hunter1')));
      await commit(store, '/configmaps/d/a', 0, 'visible');
      const change = { key: '/secrets/d/b', expected: revisionOf(store, '/secrets/d/b'), last: encoded('hunter2') };
      expect(await store.commit(change)).toMatchObject({ outcome: 'committed' });
    });
    const connection = new Connection({ endpoints: etcd.endpoints });
    const { start, end } = new Layout(prefix);
    const { kvs = [] } = await connection.ask(range, { key: start, rangeEnd: end }, READ);
    connection.close();
    const everything = kvs.map(({ key, value }) => `${key} ${value?.toString('latin1')}`).join('\n');
    expect(everything).toContain(`${prefix}objects//secrets/d/a k8s:enc:aesgcm:v1:a:`);
    expect(everything).toContain('visible');
    expect(everything).not.toContain('hunter');
  });

  it('does not open without the key, and names it', async () => {
    const prefix = await fill(encryptionOf(key('a')));
    const problem =
      'objects in the store cannot be decrypted:\n/secrets/d/a: it is encrypted with key "a" of aesgcm, which the encryption configuration does not have for its resource';
    for (const encryption of [undefined, encryptionOf(key('b'), identity)]) {
      await expect(openAt(prefix, encryption)).rejects.toThrow(problem);
    }
    const plain = await fill(undefined);
    await expect(openAt(plain, encryptionOf(key('b')))).rejects.toThrow('/secrets/d/a: it is not encrypted, and');
  });

  it('evicts an object that cannot be decrypted', async () => {
    const prefix = await fill(encryptionOf(key('a')));
    const store = await openAt(prefix, encryptionOf(key('b')), { onDamage: 'serve-rest' });
    onTestFinished(() => store.close());
    expect(store.damageAt?.('/secrets/d/a')).toBeDefined();
    expect(await store.evict?.('/secrets/d/a')).toBeUndefined();
    expect(store.damageAt?.('/secrets/d/a')).toBeUndefined();
    await commit(store, '/secrets/d/a', 0, 'again');
  });

  it('shares objects between servers that encrypt with different keys', async () => {
    const encryptions = [encryptionOf(key('a'), key('b')), encryptionOf(remote('b'), remote('a'))];
    await withStores(encryptions, async (one, other) => {
      if (!one || !other) return;
      const seen = watching(other, '/secrets/', other.revision);
      for (const [index, store] of [one, other, one, other, one].entries()) {
        await store.confirm();
        await commit(store, '/secrets/d/a', revisionOf(store, '/secrets/d/a'), `v${index}`);
      }
      await other.confirm();
      expect(seen.events.map(({ entry }) => contentOf(entry))).toEqual(['v0', 'v1', 'v2', 'v3', 'v4']);
      expect(other.isStale?.({ key: '/secrets/d/a', revision: revisionOf(other, '/secrets/d/a') })).toBe(true);
    });
  });

  it('reports an object that another server has encrypted with an unknown key, and reads it once it has the key', async () => {
    const late = encryptionOf(key('a'));
    await withStores([encryptionOf(key('b'), key('a')), late], async (one, other) => {
      if (!one || !other) return;
      await commit(one, '/secrets/d/a', 0, 'hunter1');
      await Promise.all(['b', 'c'].map((name) => commit(one, `/secrets/d/${name}`, 0, 'hunter2')));
      await commit(one, '/configmaps/d/a', 0, 'visible');
      expect(await other.confirm()).toBeUndefined();
      expect(contentOf(other.get('/configmaps/d/a'))).toBe('visible');
      expect(other.get('/secrets/d/a')).toBeUndefined();
      expect(other.damageAt?.('/secrets/d/a')?.message).toContain('it is encrypted with key "b" of aesgcm, which');
      late.replace(rulesOf(key('a'), key('b')));
      await eventually(() => expect(contentOf(other.get('/secrets/d/c'))).toBe('hunter2'));
      expect(other.damageAt?.('/secrets/d/a')).toBeUndefined();
      expect(contentOf(other.get('/secrets/d/a'))).toBe('hunter1');
    });
  });

  it('refuses writes while nothing can be encrypted', async () => {
    const away = { ...key('a'), problem: () => 'the key service is away' };
    await withStores([encryptionOf(away)], async (store) => {
      const change = { expected: 0, next: encoded('x') };
      expect(await store?.commit({ key: '/secrets/d/a', ...change })).toEqual({
        outcome: 'failed',
        failure: { reason: 'InternalError', message: 'the key service is away' },
      });
      expect(await store?.commit({ key: '/configmaps/d/a', ...change })).toMatchObject({ outcome: 'committed' });
    });
  });

  it('serves the rest on request, and replaces everything without the key', async () => {
    const prefix = await fill(encryptionOf(key('a')));
    await withStores(
      [undefined],
      async (store) => {
        expect(contentOf(store?.get('/configmaps/d/a'))).toBe('visible');
        expect(store?.damageAt?.('/secrets/d/a')?.message).toContain('it is encrypted with key "a" of aesgcm, which');
      },
      prefix,
      { onDamage: 'serve-rest' },
    );
    await withStores([encryptionOf(key('b'))], async (store) => void (await store?.restore([], 0)), prefix, {
      onDamage: 'replace',
    });
    await withStores([encryptionOf(key('b'))], async (store) => expect(store?.count('')).toBe(0), prefix);
  });
});
