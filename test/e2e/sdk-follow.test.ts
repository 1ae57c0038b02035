/** Following a collection: after restarts of the server, after the loss of history, and to its end. */
import { afterEach, describe, expect, it } from 'vitest';
import { inProcessTransport } from '../../client/in-process.js';
import { type Change, follow, isForbidden, isGone, type Transport } from '../../client/index.js';
import { type Client, createClient } from '../../generated/client.js';
import type { coreV1 } from '../../generated/index.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { rejection } from '../support/sdk.js';
import { type ListeningServer, startServing } from '../support/serving.js';

type MapChange = Change<coreV1.ConfigMap>;

const inShort = (change: MapChange): string =>
  change.type === 'synced' ? 'synced' : `${change.type} ${change.object.metadata.name}`;

/** Follows in the background, and keeps what it receives. */
function following(api: Client, onError?: (error: unknown) => void) {
  const controller = new AbortController();
  const { signal } = controller;
  const changes: MapChange[] = [];
  const maps = api.core.v1.configMaps.in('default');
  const ended = (async () => {
    for await (const change of follow(maps, { signal, retryDelayMs: 10, ...(onError ? { onError } : {}) }))
      changes.push(change);
  })();
  return {
    changes,
    told: () => changes.map(inShort),
    /** The state after all changes. */
    state: () => {
      const state = new Map<string, string>();
      for (const change of changes) {
        if (change.type === 'synced') continue;
        const { name = '', resourceVersion = '' } = change.object.metadata;
        if (change.type === 'removed') state.delete(name);
        else state.set(name, resourceVersion);
      }
      return state;
    },
    end: () => {
      controller.abort();
      return ended;
    },
    ended,
  };
}

const patience = { timeout: 20_000 };

describe('following a collection', () => {
  const folder = scratchFolder();
  let running: ListeningServer;
  afterEach(() => running.stop());

  it('reports the state, then every change, and ends with its signal', async () => {
    running = await startServing();
    const api = createClient({ baseUrl: running.url });
    const maps = api.core.v1.configMaps.in('default');
    await maps.create({ metadata: { name: 'a' } });
    const follower = following(api);
    await expect.poll(follower.told, patience).toEqual(['added a', 'synced']);
    await maps.create({ metadata: { name: 'b' } });
    await maps.patch('a', { data: { x: '1' } });
    await maps.delete('b');
    await expect.poll(follower.told, patience).toEqual(['added a', 'synced', 'added b', 'changed a', 'removed b']);
    const changed = follower.changes[3];
    expect(changed?.type === 'changed' && [changed.before.data, changed.object.data]).toEqual([undefined, { x: '1' }]);
    await follower.end();
  });

  it('continues from its position when the server starts again', async () => {
    const storage = `lmdb:${folder}`;
    running = await startServing({ storage });
    const { url } = running;
    const api = createClient({ baseUrl: url });
    const maps = api.core.v1.configMaps.in('default');
    const errors: unknown[] = [];
    const follower = following(api, (error) => errors.push(error));
    await maps.create({ metadata: { name: 'before' } });
    await maps.create({ metadata: { name: 'doomed' } });
    await expect.poll(() => follower.told().length, patience).toBe(3);
    for (let round = 0; round < 3; round++) {
      await running.stop();
      running = await startServing({ storage, httpPort: new URL(url).port });
      // Over another connection, perhaps before the follower reconnects.
      const direct = createClient({ transport: inProcessTransport(running.handle) });
      await direct.core.v1.configMaps.in('default').create({ metadata: { name: `round-${round}` } });
      await direct.core.v1.configMaps.in('default').patch('before', { data: { round: `${round}` } });
      if (round === 1) await direct.core.v1.configMaps.in('default').delete('doomed');
    }
    const items = (await maps.list()).items;
    const stored = new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    await expect.poll(follower.state, patience).toEqual(stored);
    expect(stored.size).toBe(4);
    const told = follower.told();
    expect(told.filter((line) => line === 'removed doomed')).toHaveLength(1);
    for (const name of stored.keys()) expect(told.filter((line) => line === `added ${name}`)).toHaveLength(1);
    await follower.end();
  });

  it('lists again when the history is gone, and reports the difference', async () => {
    running = await startServing();
    const inner = inProcessTransport(running.handle);
    const direct = createClient({ transport: inner }).core.v1.configMaps.in('default');
    await direct.create({ metadata: { name: 'stays' } });
    await direct.create({ metadata: { name: 'goes' } });
    await direct.create({ metadata: { name: 'changes' } });
    let watches = 0;
    const errors: unknown[] = [];
    const transport: Transport = {
      send: async (request) => {
        if (!request.path.includes('watch=true') || ++watches !== 1) return inner.send(request);
        await direct.delete('goes');
        await direct.patch('changes', { data: { a: '1' } });
        await direct.create({ metadata: { name: 'comes' } });
        return watchThatHasExpired;
      },
    };
    const follower = following(createClient({ transport }), (error) => errors.push(error));
    await expect
      .poll(follower.told, patience)
      .toEqual([
        'added changes',
        'added goes',
        'added stays',
        'synced',
        'changed changes',
        'added comes',
        'removed goes',
        'synced',
      ]);
    expect(errors.map(isGone)).toEqual([true]);
    await follower.end();
  });

  it('waits between watches if every watch ends at once', async () => {
    running = await startServing();
    const inner = inProcessTransport(running.handle);
    let watches = 0;
    const transport: Transport = {
      send: async (request) => {
        if (!request.path.includes('watch=true')) return inner.send(request);
        watches++;
        return { ...watchThatHasExpired, chunks: async function* () {} };
      },
    };
    const follower = following(createClient({ transport }));
    await expect.poll(() => watches, patience).toBeGreaterThan(1);
    // Each pause is at least half of 10 ms.
    const [before, began] = [watches, Date.now()];
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(watches - before).toBeLessThanOrEqual((Date.now() - began) / 5 + 1);
    await follower.end();
  });

  it('ends with a permanent error', async () => {
    running = await startServing();
    const refused = { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: 'Forbidden', code: 403 };
    const transport: Transport = {
      send: () => Promise.resolve({ ...watchThatHasExpired, status: 403, text: async () => JSON.stringify(refused) }),
    };
    expect(isForbidden(await rejection(following(createClient({ transport })).ended))).toBe(true);
  });
});

const expired = { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: 'Expired', code: 410 };

/** The answer to a watch from an unknown old revision. */
const watchThatHasExpired = {
  status: 200,
  header: () => '',
  text: () => Promise.resolve(''),
  chunks: async function* () {
    yield Buffer.from(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`);
  },
};
