/** Helpers of the SDK: waiting, concurrent changes, several kinds at once, Tables, subresources. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiError,
  createOrUpdate,
  deleted,
  follow,
  followAll,
  isNotFound,
  modify,
  openCache,
  ready,
  until,
  WaitTimeoutError,
  watchAll,
} from '../../client/index.js';
import type { coreV1 } from '../../generated/index.js';
import { type Connected, collect, connections, rejection } from '../support/sdk.js';

/** Two ways are enough, because other tests try the helpers' requests over all ways. */
const ways = connections.slice(1, 3);

describe.each(ways)('the typed client %s', (_way, connect) => {
  let connected: Connected;
  beforeAll(async () => {
    connected = await connect({ controllers: 'serviceaccount' });
  });
  afterAll(() => connected.stop());

  const maps = () => connected.api.core.v1.configMaps.in('default');
  const pods = () => connected.api.core.v1.pods.in('default');
  const spec = { containers: [{ name: 'c', image: 'example.com/web' }] };

  it('waits until an object meets a condition, is ready, or is deleted', async () => {
    const seen = until(maps(), 'awaited', ({ data }) => data?.x === '2');
    await maps().create({ metadata: { name: 'awaited' }, data: { x: '1' } });
    await maps().patch('awaited', { data: { x: '2' } });
    expect((await seen).data).toEqual({ x: '2' });
    await pods().create({ metadata: { name: 'awaited' }, spec });
    const isReady = ready(pods(), 'awaited');
    const conditions = [{ type: 'Ready', status: 'True' as const }];
    await pods().subresource('status').patch('awaited', { status: { conditions } });
    expect((await isReady).status?.conditions?.[0]?.type).toBe('Ready');
    const gone = deleted(pods(), 'awaited');
    await pods().delete('awaited', { gracePeriodSeconds: 0 });
    await gone;
    await deleted(pods(), 'never-there');
  });

  it('waits no longer than allowed', async () => {
    await maps().create({ metadata: { name: 'short' } });
    const late = await rejection(until(maps(), 'short', () => false, { timeoutMs: 400 }));
    expect(late instanceof WaitTimeoutError && late.last?.metadata.name).toBe('short');
    const stop = new AbortController();
    const called = rejection(deleted(maps(), 'short', { signal: stop.signal }));
    stop.abort(new Error('called off'));
    expect(await called).toEqual(new Error('called off'));
  });

  it('changes an object during changes of others, and loses no change', async () => {
    await maps().create({ metadata: { name: 'counted' }, data: { n: '0' } });
    const count = () =>
      modify(maps(), 'counted', (map) => {
        map.data = { n: `${Number(map.data?.n) + 1}` };
      });
    await Promise.all(Array.from({ length: 5 }, count));
    expect((await maps().get('counted')).data).toEqual({ n: '5' });
    expect(isNotFound(await rejection(modify(maps(), 'nowhere', () => {})))).toBe(true);
  });

  it('creates missing objects, changes existing ones, and writes nothing if nothing differs', async () => {
    const put = (value: string) =>
      createOrUpdate(maps(), 'wanted', (map) => ({
        metadata: { name: 'wanted', labels: { a: 'b' } },
        data: { ...map?.data, [value]: '1' },
      }));
    const all = await Promise.all(['x', 'y', 'z'].map(put));
    expect(all.map(({ did }) => did).sort()).toEqual(['created', 'updated', 'updated']);
    const again = await put('x');
    expect(again.did).toBe('nothing');
    expect(again.object.data).toEqual({ x: '1', y: '1', z: '1' });
  });

  it('follows several kinds at once', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      const secrets = connected.api.core.v1.secrets.in('default');
      const labelled = { labelSelector: 'several=1', signal: stop.signal };
      for await (const change of followAll({ maps: maps(), secrets }, labelled)) {
        seen.push(change.type === 'synced' ? `${change.of} synced` : `${change.of} ${change.object.kind}`);
        if (seen.length === 4) stop.abort();
        if (seen.filter((line) => line.endsWith('synced')).length === 2 && seen.length === 2) {
          const metadata = { name: 'several', labels: { several: '1' } };
          await Promise.all([maps().create({ metadata }), secrets.create({ metadata })]);
        }
      }
    })();
    await following;
    expect(seen.slice(0, 2).sort()).toEqual(['maps synced', 'secrets synced']);
    expect(seen.slice(2).sort()).toEqual(['maps ConfigMap', 'secrets Secret']);
  });

  it('ends all others if one of several kinds cannot be followed', async () => {
    const broken = { list: () => Promise.reject(new TypeError('broken')), watch: () => maps().watch() };
    expect(await rejection(collect(followAll({ maps: maps(), broken })))).toEqual(new TypeError('broken'));
  });

  it('watches several kinds at once, until all watches have ended', async () => {
    const secrets = connected.api.core.v1.secrets.in('default');
    const metadata = { name: 'both', labels: { both: '1' } };
    await maps().create({ metadata, data: { a: '1' } });
    await secrets.create({ metadata });
    const seen: string[] = [];
    for await (const event of watchAll({ maps: maps(), secrets }, { labelSelector: 'both=1', timeoutSeconds: 1 })) {
      if (event.of === 'secrets') seen.push(`${event.of} ${event.type} ${event.object.type}`);
      else seen.push(`${event.of} ${event.type} ${event.object.data?.a}`);
    }
    expect(seen.sort()).toEqual(['maps ADDED 1', 'secrets ADDED Opaque']);
    const broken = { list: () => maps().list(), watch: () => maps().watch({ resourceVersion: 'x' }) };
    expect(await rejection(collect(watchAll({ maps: maps(), broken })))).toBeInstanceOf(ApiError);
  });

  it('reads Tables and metadata', async () => {
    await maps().create({ metadata: { name: 'shown', labels: { shown: '1' } }, data: { a: '1', b: '2' } });
    const table = await maps().table({ labelSelector: 'shown=1' });
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age']);
    expect(table.rows.map(({ cells }) => cells.slice(0, 2))).toEqual([['shown', 2]]);
    const whole = await maps().table({ labelSelector: 'shown=1', includeObject: 'Object' });
    expect(whole.rows[0]?.object).toMatchObject({ data: { a: '1' } });
    const [item] = await collect(maps().metadataOnly().each({ labelSelector: 'shown=1' }));
    expect(item?.metadata.labels).toEqual({ shown: '1' });
    expect(item).not.toHaveProperty('data');
  });

  it('scales, evicts, issues tokens, and makes dry runs', async () => {
    const deployments = connected.api.apps.v1.deployments.in('default');
    const labels = { app: 'scaled' };
    const template = { metadata: { labels }, spec };
    await deployments.create({ metadata: { name: 'scaled' }, spec: { selector: { matchLabels: labels }, template } });
    const scale = await deployments.subresource('scale').get('scaled');
    await deployments.subresource('scale').update({ ...scale, spec: { replicas: 2 } });
    await deployments.subresource('scale').jsonPatch('scaled', [{ op: 'test', path: '/spec/replicas', value: 2 }]);
    await deployments.subresource('scale').patch('scaled', { spec: { replicas: 4 } });
    expect((await deployments.get('scaled')).spec?.replicas).toBe(4);
    await pods().create({ metadata: { name: 'evicted' }, spec });
    await pods().subresource('eviction').create('evicted');
    await deleted(pods(), 'evicted');
    const accounts = connected.api.core.v1.serviceAccounts.in('default');
    await until(accounts, 'default', () => true);
    const { status } = await accounts.subresource('token').create('default', { spec: { audiences: [] } });
    expect(status?.token.split('.')).toHaveLength(3);
    const tried = await maps().create({ metadata: { name: 'tried' } }, { dryRun: true });
    expect(tried.metadata.uid).toBeDefined();
    expect(isNotFound(await rejection(maps().get('tried')))).toBe(true);
    const unknown: coreV1.ConfigMap = Object.assign(tried, { colour: 'red' });
    const strict = await rejection(maps().create(unknown, { fieldValidation: 'Strict' }));
    expect(String(strict)).toContain('colour');
  });

  it('fills a cache from the first state of a watch, or from a list', async () => {
    const cache = openCache(maps(), { indexes: { byKey: ({ data = {} }) => Object.keys(data) } });
    await cache.synced;
    await maps().create({ metadata: { name: 'indexed' }, data: { found: '1' } });
    expect(cache.byIndex('byKey', 'found').map(({ metadata }) => metadata.name)).toEqual(['indexed']);
    await cache.close();
    const stop = new AbortController();
    for await (const change of follow(maps(), { stream: true, signal: stop.signal })) {
      if (change.type === 'synced') stop.abort();
    }
  });
});
