/** The parts that runtime/storage/index.ts loads on first use. */
import memory from 'unstorage/drivers/memory';
import { expect, it } from 'vitest';
import {
  openDriver,
  openEtcdStore,
  openPostgresStore,
  openStore,
  unstorageBackend,
} from '../../../../runtime/storage/index.js';

const readAttributes = () => ({ labels: {}, fields: {} });

it('keeps objects in a driver of unstorage', async () => {
  const store = await openStore({ backend: await unstorageBackend(memory()), readAttributes });
  expect(store.damage).toEqual([]);
  await store.close();
});

it('accepts the drivers that it opens by name', async () => {
  const { driver, release } = await openDriver('memory');
  const backend = await unstorageBackend(driver, { place: 'here', release });
  await (await openStore({ backend, readAttributes })).close();
});

it('refuses a target that is neither a driver nor a storage, and a driver that forgets', async () => {
  await expect(unstorageBackend(Object.create(null))).rejects.toThrow('needs a driver or a storage of unstorage');
  const { driver } = await openDriver('null');
  await expect(unstorageBackend(driver)).rejects.toThrow('does not keep its data');
});

it('names the member of etcd that does not answer', async () => {
  const options = { endpoints: ['http://127.0.0.1:9'], openWithinMs: 1, readAttributes };
  await expect(openEtcdStore(options)).rejects.toThrow('127.0.0.1:9');
});

it('names the PostgreSQL that does not answer', async () => {
  const options = { url: 'postgres://u@127.0.0.1:9/d', openWithinMs: 1, readAttributes };
  await expect(openPostgresStore(options)).rejects.toThrow('127.0.0.1:9');
});
