/** Watches and aborted requests of the generated client, over each way to connect. */
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isGone, type WatchEvent, watchAll } from '../../client/index.js';
import type { Client } from '../../generated/client.js';
import { type Connected, collect, connections, rejection } from '../support/sdk.js';

const inShort = (event: WatchEvent<{ metadata: { name?: string } }>): string =>
  event.type === 'BOOKMARK' ? event.type : `${event.type} ${event.object.metadata.name}`;

describe.each(connections)('watches %s', (_way, connect) => {
  let connected: Connected;
  let maps: ReturnType<Client['core']['v1']['configMaps']['in']>;
  beforeAll(async () => {
    connected = await connect();
    maps = connected.api.core.v1.configMaps.in('default');
  });
  afterAll(() => connected.stop());

  it('report every change once and in order', async () => {
    const { resourceVersion = '' } = (await maps.list()).metadata;
    const events = maps.watch({ resourceVersion });
    const first = events.next();
    for (let i = 0; i < 50; i++) await maps.create({ metadata: { name: `w${i}` } });
    await maps.patch('w3', { data: { a: '1' } });
    await maps.delete('w4');
    const seen = [(await first).value].concat();
    while (seen.length < 52) seen.push((await events.next()).value);
    await events.return();
    expect(seen.map((event) => event && inShort(event))).toEqual([
      ...Array.from({ length: 50 }, (_, i) => `ADDED w${i}`),
      'MODIFIED w3',
      'DELETED w4',
    ]);
    const revisions = seen.map((event) => Number(event?.object.metadata.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  });

  it('begin with the present state by default, and end after their timeout', async () => {
    await maps.deleteCollection();
    for (const name of ['a', 'b']) await maps.create({ metadata: { name, labels: { of: name } } });
    const [all, selected] = await Promise.all([
      collect(maps.watch({ timeoutSeconds: 1 })),
      collect(maps.watch({ timeoutSeconds: 1, labelSelector: 'of=b' })),
    ]);
    expect(all.map(inShort)).toEqual(['ADDED a', 'ADDED b']);
    expect(selected.map(inShort)).toEqual(['ADDED b']);
  });

  it('begin with a state of any size, complete before later changes', async () => {
    await maps.deleteCollection();
    const names = Array.from({ length: 40 }, (_, i) => `s${i + 10}`);
    for (const name of names) await maps.create({ metadata: { name }, data: { large: 'x'.repeat(100_000) } });
    const events = maps.watch();
    const seen: string[] = [];
    const next = async (): Promise<void> => {
      const { value } = await events.next();
      if (value) seen.push(inShort(value));
    };
    await next();
    await maps.patch('s10', { data: { large: null } });
    await maps.create({ metadata: { name: 'then' } });
    while (seen.length < 42) await next();
    await events.return();
    expect(seen).toEqual([...names.map((name) => `ADDED ${name}`), 'MODIFIED s10', 'ADDED then']);
    await maps.deleteCollection();
  });

  it('report objects that begin or cease to match a selector as added or deleted', async () => {
    await maps.create({ metadata: { name: 'moving' } });
    const { resourceVersion = '' } = (await maps.list()).metadata;
    const relabel = (on: string | null) => maps.patch('moving', { metadata: { labels: { on } } });
    const events = maps.watch({ resourceVersion, labelSelector: 'on=yes' });
    const all = (async () => {
      const seen: string[] = [];
      for await (const event of events) if (seen.push(inShort(event)) === 3) return seen;
      return seen;
    })();
    for (const value of ['yes', 'no', 'yes', null]) await relabel(value);
    expect(await all).toEqual(['ADDED moving', 'DELETED moving', 'ADDED moving']);
  });

  it('throw the errors that the server reports', async () => {
    const expired = maps.watch({ resourceVersion: 'nonsense' }).next();
    expect(await rejection(expired)).toMatchObject({ code: 400 });
    expect(isGone(await rejection(expired))).toBe(false);
  });

  it('end with the reason of their signal, before, at, and after the first event', async () => {
    const reason = new Error('enough');
    await maps.create({ metadata: { name: 'present' } });
    expect(await rejection(maps.watch({ signal: AbortSignal.abort(reason) }).next())).toBe(reason);

    const waiting = new AbortController();
    const { resourceVersion = '' } = (await maps.list()).metadata;
    const quiet = maps.watch({ signal: waiting.signal, resourceVersion }).next();
    setTimeout(() => waiting.abort(reason), 50);
    expect(await rejection(quiet)).toBe(reason);

    const running = new AbortController();
    const events = maps.watch({ signal: running.signal });
    await events.next();
    const rest = collect(events);
    running.abort(reason);
    expect(await rejection(rest)).toBe(reason);

    const several = new AbortController();
    const all = collect(watchAll({ maps }, { signal: several.signal }));
    several.abort(reason);
    expect(await rejection(all)).toBe(reason);
    expect(await rejection(watchAll({ maps }, { signal: several.signal }).next())).toBe(reason);
  });

  it('abort requests of every kind', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    const object = { metadata: { name: 'off' } };
    const requests = [
      maps.list({ signal }),
      maps.get('off', { signal }),
      maps.create(object, { signal }),
      maps.update({ apiVersion: 'v1', kind: 'ConfigMap', ...object }, { signal }),
      maps.patch('off', {}, { signal }),
      maps.jsonPatch('off', [], { signal }),
      maps.apply(object, { signal, fieldManager: 'x' }),
      maps.delete('off', { signal }),
      maps.deleteCollection({ signal }),
      maps.pages({ signal }).next(),
      maps.each({ signal }).next(),
      connected.api.core.v1.namespaces.subresource('status').get('default', { signal }),
    ];
    for (const request of requests) expect(await rejection(request)).toBe(reason);
  });

  it('share a signal without a warning of a leak, however many they are', async () => {
    const { signal } = new AbortController();
    const warned = vi.fn();
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    await Promise.all(Array.from({ length: 30 }, () => maps.list({ signal, timeoutMs: 30_000 })));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warned.mock.calls).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('abort a list that waits for a revision', async () => {
    const controller = new AbortController();
    const future = maps.list({ resourceVersion: '1000000', signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    expect(await rejection(future)).toMatchObject({ message: 'enough' });
  });
});
