/** Drivers by name, and the errors of drivers that do not exist or do not work. */
import { join } from 'node:path';
import { createStorage, type Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedStore, openStore } from '../../../../../runtime/storage/index.js';
import { openDriver, unstorageBackend } from '../../../../../runtime/storage/unstorage/index.js';
import { hasRedis, type RedisServer, redisOrWhyNot, startRedis } from '../../../../support/redis.js';
import { testFolder } from '../../../../support/scratch-folder.js';
import { Observer } from '../../../../support/store-invariants.js';
import { commit, encoded, keysOf, listed, readAttributes } from '../../../../support/store-objects.js';

describe('a driver by name', () => {
  it('is refused with a list of all known names if it is unknown', async () => {
    await expect(openDriver('toString')).rejects.toThrow(
      /^the driver toString is unknown; there are: .*\bfs\b.*\bredis\b/,
    );
  });

  it('names the package that it needs', async () => {
    await expect(openDriver('mongodb')).rejects.toThrow(
      'the driver mongodb needs the package mongodb: npm install mongodb',
    );
  });

  it('may have two forms', async () => {
    expect((await openDriver('fsLite', { base: '/nowhere' })).driver.name).toBe('fs-lite');
  });

  it('lists its missing options', async () => {
    await expect(openDriver('fs')).rejects.toThrow('Missing required option `base`');
    await expect(openDriver('db0')).rejects.toThrow(
      /^the driver db0 needs the option connector, one of: .*libsql-node/,
    );
    await expect(openDriver('db0', { connector: 'oracle' })).rejects.toThrow(
      /^the connector oracle of db0 is unknown; there are: .*libsql-node/,
    );
  });

  it('reports why it reaches no server, in bounded time', async () => {
    const { driver, release } = await openDriver('redis', { url: 'redis://127.0.0.1:1', maxRetriesPerRequest: 1 });
    await expect(unstorageBackend(driver, { release }).open()).rejects.toThrow(
      'Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it.runIf(hasRedis)(`gives up without an answer: ${redisOrWhyNot}`, async () => {
    const server = await startRedis();
    const { driver, release } = await openDriver('redis', { url: server.url, commandTimeout: 300 });
    await driver.setItem?.('a', 'b', {});
    server.pause();
    await expect(Promise.resolve(driver.getItem('a'))).rejects.toThrow('Command timed out');
    server.resume();
    await release();
    await server.dispose();
  });
});

describe('a driver that cannot keep data', () => {
  let folder: string;
  beforeEach(() => {
    folder = testFolder();
  });

  const opening = (driver: Driver) => unstorageBackend(driver, { timing: { settleMs: 1 } }).open();

  it('is refused by name', async () => {
    for (const name of ['null', 'lru-cache']) {
      const { driver } = await openDriver(name);
      expect(() => unstorageBackend(driver)).toThrow(`the driver ${name} does not keep its data`);
    }
  });

  it('is refused for its options', async () => {
    const { driver, release } = await openDriver('redis', { url: 'redis://127.0.0.1:1', ttl: 60, lazyConnect: true });
    expect(() => unstorageBackend(driver)).toThrow('with the option ttl the driver does not keep its data');
    await release();
  });

  it('is refused if it stores nothing', async () => {
    const { driver } = await openDriver('fs', { base: folder, readOnly: true });
    await expect(opening(driver)).rejects.toThrow('the driver does not return stored values; is it read-only?');
  });

  it('is refused if it changes bytes', async () => {
    const inner = memory();
    const asText: Driver = {
      ...inner,
      setItemRaw: (key, value, options) => inner.setItem?.(key, Buffer.from(value).toString(), options),
    };
    await expect(opening(asText)).rejects.toThrow('the driver does not keep bytes as they are');
  });

  it('is refused if it removes nothing, or lists nothing', async () => {
    await expect(opening({ ...memory(), removeItem: () => {} })).rejects.toThrow('the driver does not remove items');
    await expect(opening({ ...memory(), getKeys: () => [] })).rejects.toThrow('the driver does not list stored values');
  });

  it('is refused if the driver does not look into its folder', async () => {
    const { driver } = await openDriver('fs', { base: join(folder, 'node_modules') });
    await expect(opening(driver)).rejects.toThrow('the driver does not list stored values');
  });

  it('never gets keys that drivers change', () => {
    for (const base of ['', 'a/b', 'A', 'a::b', 'a:', '..', 'a?b']) {
      expect(() => unstorageBackend(createStorage(), { base })).toThrow('the base');
    }
    expect(unstorageBackend(createStorage(), { base: 'a:b-1' }).name).toBe('unstorage');
  });
});

describe.runIf(hasRedis)(redisOrWhyNot, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.dispose());

  async function opened(commandTimeout: number): Promise<EmbeddedStore> {
    const { driver, release } = await openDriver('redis', { url: server.url, commandTimeout });
    return openStore({ backend: unstorageBackend(driver, { release }), readAttributes });
  }

  it('fails writes that wait too long with a clear message, and continues when the driver is back', async () => {
    const store = await opened(300);
    await commit(store, 'g/things/a', 0, 'x');
    server.pause();
    const answers = await Promise.all(
      ['b', 'c'].map((name) => store.commit({ key: `g/things/${name}`, expected: 0, next: encoded('x') })),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({
        outcome: 'failed',
        failure: { reason: 'Timeout', message: 'the change may or may not have been stored: Command timed out' },
      });
    }
    server.resume();
    // Redis carries out the old request now; no client may see it.
    const observer = new Observer(store);
    await commit(store, 'g/things/d', 0, 'x');
    expect(keysOf(listed(store, ''))).toEqual(['g/things/a', 'g/things/d']);
    observer.check();
    await store.close();
    const again = await opened(5000);
    expect(keysOf(listed(again, ''))).toEqual(['g/things/a', 'g/things/d']);
    await again.close();
  });
});
