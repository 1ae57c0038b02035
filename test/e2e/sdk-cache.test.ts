/** Caches over a server. They report each change once, and have every write when the write resolves. */
import { beforeAll, describe, expect, it } from 'vitest';
import { inProcessTransport } from '../../client/in-process.js';
import { ConnectionError, isConnectionError, keyOf, openCache, type Transport } from '../../client/index.js';
import { type Client, createClient } from '../../generated/client.js';
import type { coreV1 } from '../../generated/index.js';
import { effort } from '../support/effort.js';
import { servingForTests } from '../support/serving.js';

type ConfigMap = coreV1.ConfigMap;

/** Makes a source of numbers that look random and are the same each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const patience = { timeout: 60_000 };
const revisionOf = ({ metadata }: ConfigMap): number => Number(metadata.resourceVersion);

describe.each([
  ['a list', 'WatchList=false'],
  ['a state that is streamed', 'WatchList=true'],
])('a cache that begins with %s', (_way, featureGates) => {
  const server = servingForTests({ featureGates, controllers: 'none' });
  let api: Client;
  beforeAll(async () => {
    api = createClient({ transport: inProcessTransport(server().handle) });
  });

  it('reports every change once and in order, however often its connection is cut', async () => {
    const cuts = effort('KINDFORGE_CUTS', 100, 1000);
    const random = randomNumbers(7);
    const transport = cuttingTransport(inProcessTransport(server().handle), () => random(1200));
    const maps = api.core.v1.configMaps.in('default');
    const written: string[] = [];
    await maps.create({ metadata: { name: 'there' } });
    const cut = createClient({ transport }).core.v1.configMaps.in('default');
    const errors: unknown[] = [];
    const cache = openCache(cut, { retryDelayMs: 0, onError: (error) => errors.push(error) });
    await cache.synced;
    const told: string[] = [];
    cache.onChange(
      ({ type, object }) => {
        if (keyOf(object) !== 'default/there') told.push(`${type} ${object.metadata.name} ${revisionOf(object)}`);
      },
      { fromNow: true },
    );
    const present = new Set<string>();
    for (let i = 0; transport.cuts < cuts; i++) {
      const name = `map-${random(20)}`;
      const note = (type: string, object: ConfigMap) => written.push(`${type} ${name} ${revisionOf(object)}`);
      if (!present.has(name)) {
        note('added', await maps.create({ metadata: { name } }));
        present.add(name);
      } else if (random(5) === 0) {
        await maps.delete(name);
        present.delete(name);
        written.push(`removed ${name}`);
      } else note('changed', await maps.patch(name, { data: { i: `${i}` } }));
    }
    transport.calmDown();
    const seen = (): string[] => told.map((line) => (line.startsWith('removed') ? line.replace(/ \d+$/, '') : line));
    await expect.poll(() => told.length, patience).toBeGreaterThanOrEqual(written.length);
    expect(seen()).toEqual(written);
    expect(errors.every(isConnectionError)).toBe(true);
    expect(errors.length).toBeGreaterThanOrEqual(cuts - 1);
    await cache.close();
    await maps.deleteCollection();
  });

  it('has every write when the write resolves', async () => {
    const writes = effort('KINDFORGE_CACHED_WRITES', 1000, 10_000);
    const random = randomNumbers(11);
    const all = api.core.v1.configMaps;
    const maps = all.in('default');
    const cache = openCache(all);
    await cache.synced;
    let stale = 0;
    let done = 0;
    const expectAtLeast = (object: ConfigMap): void => {
      const cached = cache.get(`default/${object.metadata.name}`);
      if (cached === undefined || revisionOf(cached) < revisionOf(object)) stale++;
    };
    const writer = async (own: number): Promise<void> => {
      for (let i = 0; done < writes; i++) {
        done++;
        const name = `own-${own}-${random(5)}`;
        const cached = cache.get(`default/${name}`);
        if (cached === undefined) expectAtLeast(await maps.create({ metadata: { name } }));
        else if (random(8) === 0) {
          await maps.delete(name);
          if (cache.get(`default/${name}`) !== undefined) stale++;
        } else if (random(3) === 0) expectAtLeast(await maps.update({ ...cached, data: { i: `${i}` } }));
        else if (random(2) === 0) expectAtLeast(await maps.patch(name, { data: { i: `${i}` } }));
        else expectAtLeast(await maps.apply({ metadata: { name }, data: { own: `${i}` } }, { manager: 'cached' }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, own) => writer(own)));
    expect(stale).toBe(0);
    await maps.deleteCollection();
    expect(cache.size).toBe((await all.list()).items.length);
    await cache.close();
  });

  it('adds and removes objects by its selector, at once', async () => {
    const maps = api.core.v1.configMaps.in('default');
    const cache = openCache(maps, { labelSelector: 'colour=red' });
    await cache.synced;
    await maps.create({ metadata: { name: 'sel', labels: { colour: 'red' } } });
    expect(cache.get('default/sel')).toBeDefined();
    await maps.patch('sel', { metadata: { labels: { colour: 'blue' } } });
    expect(cache.get('default/sel')).toBeUndefined();
    await maps.patch('sel', { metadata: { labels: { colour: 'red' } } });
    expect(cache.get('default/sel')).toBeDefined();
    await maps.patch('sel', { metadata: { finalizers: ['example.com/held'] } });
    await maps.delete('sel');
    expect(cache.get('default/sel')?.metadata.deletionTimestamp).toBeDefined();
    await maps.patch('sel', { metadata: { finalizers: null } });
    expect(cache.get('default/sel')).toBeUndefined();
    await cache.close();
  });

  it('has writes through a subresource', async () => {
    const deployments = api.apps.v1.deployments.in('default');
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/web' }] } };
    const cache = openCache(deployments);
    await cache.synced;
    await deployments.create({ metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } });
    await deployments.subresource('scale').patch('web', { spec: { replicas: 3 } });
    expect(cache.get('default/web')?.spec?.replicas).toBe(3);
    await deployments.subresource('status').patch('web', { status: { replicas: 2 } });
    expect(cache.get('default/web')?.status?.replicas).toBe(2);
    await deployments.delete('web', { propagationPolicy: 'Background' });
    expect(cache.size).toBe(0);
    await cache.close();
  });

  it('keeps only the requested parts of objects', async () => {
    const maps = api.core.v1.configMaps.in('default');
    await maps.create({ metadata: { name: 'large' }, data: { large: 'x' } });
    const metadata = openCache(maps.metadataOnly());
    const slim = openCache(maps, { keep: ({ data: _data, ...rest }) => rest });
    await Promise.all([metadata.synced, slim.synced]);
    expect(metadata.get('default/large')).not.toHaveProperty('data');
    expect(slim.get('default/large')).not.toHaveProperty('data');
    await maps.patch('large', { metadata: { labels: { a: 'b' } } });
    expect(metadata.get('default/large')?.metadata.labels).toEqual({ a: 'b' });
    expect(metadata.get('default/large')).not.toHaveProperty('data');
    expect(slim.get('default/large')?.metadata.labels).toEqual({ a: 'b' });
    expect(slim.get('default/large')).not.toHaveProperty('data');
    await Promise.all([metadata.close(), slim.close()]);
    await maps.delete('large');
  });

  it('rejects waiting callers if it is closed before it knows the state', async () => {
    const never = { send: () => new Promise<never>(() => {}) };
    const cache = openCache(createClient({ transport: never }).core.v1.configMaps);
    const waiting = cache.synced.catch(() => 'rejected');
    void cache.close();
    expect(await waiting).toBe('rejected');
  });
});

interface CuttingTransport extends Transport {
  /** How many answers the transport has cut. */
  readonly cuts: number;
  /** Stops cutting answers. */
  calmDown(): void;
}

/**
 * Wraps a transport. `budget` returns the number of bytes after which it cuts the next answer. A shorter answer arrives
 * whole.
 */
function cuttingTransport(inner: Transport, budget: () => number): CuttingTransport {
  let cuts = 0;
  let isCalm = false;
  async function* cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = budget();
    for await (const chunk of chunks) {
      if (isCalm || chunk.length < left) {
        left -= chunk.length;
        yield chunk;
      } else {
        cuts++;
        yield chunk.subarray(0, left);
        throw new ConnectionError('an answer broke off', 'by the test');
      }
    }
  }
  return {
    get cuts() {
      return cuts;
    },
    calmDown: () => {
      isCalm = true;
    },
    send: async (request) => {
      const response = await inner.send(request);
      return { ...response, chunks: () => cut(response.chunks()) };
    },
  };
}
