/** A store on Redis while Redis does not answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedStore, openStore } from '../../../../../runtime/storage/index.js';
import { openDriver, unstorageBackend } from '../../../../../runtime/storage/unstorage/index.js';
import { hasRedis, type RedisServer, redisOrWhyNot, startRedis } from '../../../../support/redis.js';
import { Observer } from '../../../../support/store-invariants.js';
import { commit, encoded, keysOf, listed, readAttributes } from '../../../../support/store-objects.js';

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

  it('fails what waits too long, clearly, and goes on when it is back', async () => {
    const store = await opened(300);
    await commit(store, 'g/things/a', 0, 'x');
    server.pause();
    const answers = await Promise.all(
      ['b', 'c'].map((name) => store.commit({ key: `g/things/${name}`, expected: 0, next: encoded('x') })),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({
        outcome: 'failed',
        failure: { reason: 'InternalError', message: 'the change could not be stored: Command timed out' },
      });
    }
    server.resume();
    // Redis carries out now what it was asked for then; nobody may see it.
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
