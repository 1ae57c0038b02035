import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Key, Store } from '../../../../../runtime/contract/index.js';
import { encryptedBackend } from '../../../../../runtime/storage/encryption/encrypted-backend.js';
import { Encryption } from '../../../../../runtime/storage/encryption/encryption.js';
import { aesgcm, identity, type Transformer } from '../../../../../runtime/storage/encryption/transformers.js';
import { type EmbeddedStore, lmdbBackend, openStore } from '../../../../../runtime/storage/index.js';
import { testBackend } from '../../../../support/backend-suite.js';
import { scratchFolder, testFolder } from '../../../../support/scratch-folder.js';
import { commit, contentOf, encoded, readAttributes } from '../../../../support/store-objects.js';
import { lifecycleTests } from '../../../../support/store-suite/lifecycle.js';
import { restoreTests } from '../../../../support/store-suite/restore.js';
import type { StoreHarness } from '../../../../support/store-suite.js';

const key = (name: string, secret = name): Transformer => aesgcm({ name, secret: Buffer.alloc(32, secret) });
const encryptionOf = (...transformers: readonly Transformer[]): Encryption =>
  new Encryption([{ resources: ['secrets', '*.g'], transformers }]);

const shared = scratchFolder();
let stores = 0;

const traits = { persistent: true, durableHistory: true };

async function harness(): Promise<StoreHarness> {
  const directory = join(shared, String(stores++));
  const encryption = encryptionOf(key('a'));
  return {
    open: (options) => openStore({ backend: lmdbBackend(directory), encryption, readAttributes, ...options }),
    dispose: async () => {},
  };
}

describe('an encrypted store keeps the promises of a store', () => {
  lifecycleTests(harness, traits);
  restoreTests(harness, traits);
});

testBackend('encrypted lmdb', async () => {
  const directory = join(shared, String(stores++));
  const encryption = new Encryption([{ resources: ['*.*'], transformers: [key('a')] }]);
  return {
    create: () => encryptedBackend(lmdbBackend(directory), encryption),
    dispose: async () => {},
  };
});

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

type OnDamage = 'refuse' | 'serve-rest' | 'discard' | 'replace';

const open = (encryption: Encryption | undefined, onDamage: OnDamage = 'refuse'): Promise<EmbeddedStore> =>
  openStore({ backend: lmdbBackend(folder), encryption, readAttributes, onDamage });

/** Calls a function with the store, and closes it. */
async function using<T>(opening: Promise<EmbeddedStore>, use: (store: EmbeddedStore) => Promise<T> | T): Promise<T> {
  const store = await opening;
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Returns whether a text is anywhere in the files of the store. */
const isOnDisk = (text: string): boolean =>
  readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(text));

const revisionOf = (store: Store, at: Key): number => store.get(at)?.revision ?? 0;

/** Stores a Secret in three versions, one that is deleted, and a ConfigMap. */
const fill = (encryption: Encryption | undefined): Promise<void> =>
  using(open(encryption), async (store) => {
    for (const value of ['hunter1', 'hunter2', 'hunter3']) {
      await commit(store, '/secrets/d/a', revisionOf(store, '/secrets/d/a'), value);
    }
    await commit(store, '/secrets/d/gone', 0, 'hunter4');
    await commit(store, '/secrets/d/gone', revisionOf(store, '/secrets/d/gone'));
    await commit(store, '/configmaps/d/a', 0, 'visible');
  });

describe('the data on the disk', () => {
  it('is encrypted, with the history and the last states of deleted objects', async () => {
    await fill(encryptionOf(key('a')));
    expect(['hunter1', 'hunter2', 'hunter3', 'hunter4', 'visible'].map(isOnDisk)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(isOnDisk('k8s:enc:aesgcm:v1:a:')).toBe(true);
    await using(open(encryptionOf(key('a'))), (store) => {
      expect(contentOf(store.get('/secrets/d/a'))).toBe('hunter3');
      const past: (string | undefined)[] = [];
      store.watch('/secrets/', 0, { event: ({ entry }) => void past.push(contentOf(entry)), ended: () => {} });
      expect(past).toEqual(['hunter1', 'hunter2', 'hunter3', 'hunter4', 'hunter4']);
    });
  });

  it('is plain without a rule', async () => {
    await fill(undefined);
    expect(isOnDisk('hunter3')).toBe(true);
  });
});

describe('a missing key', () => {
  const problem =
    '/secrets/d/a: it is encrypted with key "a" of aesgcm, which the encryption configuration does not have for its resource';

  it.each<[string, Encryption | undefined, OnDamage]>([
    ['without a configuration', undefined, 'refuse'],
    ['with another key', encryptionOf(key('b'), identity), 'refuse'],
    ['although damage is to be discarded', encryptionOf(key('b'), identity), 'discard'],
  ])('ends the start %s, and nothing is lost', async (_, encryption, onDamage) => {
    await fill(encryptionOf(key('a')));
    await expect(open(encryption, onDamage)).rejects.toThrow(`objects in the store cannot be decrypted:\n${problem}`);
    await using(open(encryptionOf(key('a'))), (store) => expect(contentOf(store.get('/secrets/d/a'))).toBe('hunter3'));
  });

  it('ends the start if the secret is another one', async () => {
    await fill(encryptionOf(key('a')));
    await expect(open(encryptionOf(key('a', 'b')))).rejects.toThrow(
      '/secrets/d/a: key "a" of aesgcm: it was encrypted with another secret, or is damaged',
    );
  });

  it('leaves objects out but in the store with serve-rest', async () => {
    await fill(encryptionOf(key('a')));
    await using(open(encryptionOf(key('b')), 'serve-rest'), async (store) => {
      expect(contentOf(store.get('/configmaps/d/a'))).toBe('visible');
      expect(store.get('/secrets/d/a')).toBeUndefined();
      expect(store.damageAt?.('/secrets/d/a')?.message).toMatch(
        'the stored object cannot be read: it is encrypted with',
      );
      expect(store.damageAt?.('/secrets/d/gone')).toBeUndefined();
      const overwrite = { key: '/secrets/d/a', expected: 0, next: encoded('overwritten') };
      expect(await store.commit(overwrite)).toMatchObject({ outcome: 'failed' });
      await commit(store, '/secrets/d/new', 0, 'hunter5');
    });
    await using(open(encryptionOf(key('a'), key('b'))), (store) => {
      expect(['a', 'new'].map((name) => contentOf(store.get(`/secrets/d/${name}`)))).toEqual(['hunter3', 'hunter5']);
    });
  });

  it('does not prevent an object from being evicted and created again', async () => {
    await fill(encryptionOf(key('a')));
    await using(open(encryptionOf(key('b')), 'serve-rest'), async (store) => {
      await commit(store, '/secrets/d/before', 0, 'hunter5');
      const evicted = store.evict?.('/secrets/d/a');
      await commit(store, '/secrets/d/beside', 0, 'hunter6');
      expect([await evicted, await store.evict?.('/secrets/d/none')]).toEqual([undefined, undefined]);
      expect(store.damageAt?.('/secrets/d/a')).toBeUndefined();
      await commit(store, '/secrets/d/a', 0, 'again');
    });
    // The store works without the key of the object.
    await using(open(encryptionOf(key('b'))), (store) => {
      const names = ['a', 'before', 'beside'];
      expect(names.map((name) => contentOf(store.get(`/secrets/d/${name}`)))).toEqual(['again', 'hunter5', 'hunter6']);
    });
  });

  it('leaves no trace of an object that is evicted last', async () => {
    await fill(encryptionOf(key('a')));
    await using(open(encryptionOf(key('b')), 'serve-rest'), async (store) => {
      expect(await store.evict?.('/secrets/d/a')).toBeUndefined();
    });
    await using(open(encryptionOf(key('b'))), (store) => expect(store.get('/secrets/d/a')).toBeUndefined());
  });

  it('does not matter for a restore of everything', async () => {
    await fill(encryptionOf(key('a')));
    await using(open(encryptionOf(key('b')), 'replace'), (store) => store.restore([], 0));
    await using(open(encryptionOf(key('b'))), (store) => expect(store.count('')).toBe(0));
  });

  it('names ten objects, and the number of the others', async () => {
    await using(open(encryptionOf(key('a'))), async (store) => {
      for (let i = 10; i < 25; i++) await commit(store, `/secrets/d/s${i}`, 0, 'x');
    });
    const refusal = await open(undefined).catch((error: unknown) => String(error));
    expect(refusal).toMatch(/\nand 5 more$/);
    expect(String(refusal).split('\n')).toHaveLength(12);
  });
});

describe('a key that was removed', () => {
  const both = encryptionOf(key('b'), key('a'));

  it('is not needed once all objects have been written again, even for the history', async () => {
    await fill(encryptionOf(key('a')));
    await using(open(both), async (store) => {
      const entry = { key: '/secrets/d/a', revision: revisionOf(store, '/secrets/d/a') };
      expect(store.isStale?.(entry)).toBe(true);
      await commit(store, entry.key, entry.revision, 'hunter3');
      expect(store.isStale?.({ ...entry, revision: revisionOf(store, entry.key) })).toBe(false);
    });
    await using(open(encryptionOf(key('b'))), async (store) => {
      expect(contentOf(store.get('/secrets/d/a'))).toBe('hunter3');
      expect(store.get('/secrets/d/gone')).toBeUndefined();
      // The unreadable history is gone.
      expect(store.oldestRevision).toBe(store.revision);
      await commit(store, '/secrets/d/b', 0, 'hunter6');
    });
    await using(open(encryptionOf(key('b'))), (store) => expect(store.count('/secrets/')).toBe(2));
  });

  it('is not needed for objects that were deleted', async () => {
    await fill(encryptionOf(key('a')));
    await using(open(both), async (store) => {
      await commit(store, '/secrets/d/a', revisionOf(store, '/secrets/d/a'));
    });
    await using(open(encryptionOf(key('b'))), (store) => expect(store.count('')).toBe(1));
  });
});

it('plain objects are read with the provider identity, and refused without it', async () => {
  await fill(undefined);
  await expect(open(encryptionOf(key('a')))).rejects.toThrow('/secrets/d/a: it is not encrypted, and the encryption');
  await using(open(encryptionOf(key('a'), identity)), (store) =>
    expect(store.isStale?.({ key: '/secrets/d/a', revision: 3 })).toBe(true),
  );
});

it('refuses writes, but no deletions, while encryption fails', async () => {
  let problem = '';
  const service = { ...key('a'), problem: () => problem };
  await using(open(encryptionOf(service)), async (store) => {
    await commit(store, '/secrets/d/a', 0, 'x');
    problem = 'the key service is away';
    expect(await store.commit({ key: '/secrets/d/b', expected: 0, next: encoded('x') })).toEqual({
      outcome: 'failed',
      failure: { reason: 'InternalError', message: 'the key service is away' },
    });
    await commit(store, '/configmaps/d/b', 0, 'x');
    await commit(store, '/secrets/d/a', revisionOf(store, '/secrets/d/a'));
  });
});

it('waits for keys that a service must decrypt', async () => {
  const plain = key('a');
  const slow: Transformer = {
    ...plain,
    decrypt: async (stored, context) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return plain.decrypt(stored, context);
    },
  };
  await fill(encryptionOf(plain));
  await using(open(encryptionOf(slow)), (store) => expect(contentOf(store.get('/secrets/d/a'))).toBe('hunter3'));
});
