/** The verb `watch`: the state first on request, every change once and in order, and how a watch ends. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { startTestApi, type Watched } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
const api = await startTestApi([widgets], { featureEnabled: (gate) => gate === 'WatchList' });
afterAll(async () => {
  vi.useRealTimers();
  await api.close();
});

let count = 0;
let path = '';
beforeEach(() => {
  path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
});

const create = (name: string, metadata: JsonObject = {}, spec: JsonObject = {}) =>
  api.send('POST', path, widget(name, spec, metadata));
const label = (name: string, tier: string) => api.send('PATCH', `${path}/${name}`, { metadata: { labels: { tier } } });

const seen = ({ events }: Watched): string[] =>
  events.map(({ type, object }) => {
    const metadata = isObject(object) && isObject(object.metadata) ? object.metadata : {};
    return `${String(type)} ${String(metadata.name ?? '')}`.trim();
  });

const revisions = ({ events }: Watched): number[] =>
  events.map(({ object }) =>
    isObject(object) && isObject(object.metadata) ? Number(object.metadata.resourceVersion) : 0,
  );

describe('a watch', () => {
  it('from a revision delivers every change after it, once and in order', async () => {
    await create('before');
    const from = api.store.revision;
    await create('a');
    const watched = await api.watch(`${path}?watch=1&resourceVersion=${from}`);
    await label('a', 'web');
    await create('b');
    await api.send('DELETE', `${path}/a`);
    watched.stop();
    await create('after');
    expect(seen(watched)).toEqual(['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a']);
    expect(revisions(watched)).toEqual([from + 1, from + 2, from + 3, from + 4]);
  });

  it.each(['', '&resourceVersion=0', '&resourceVersion='])('without one begins with the state: %j', async (search) => {
    await create('a');
    const watched = await api.watch(`${path}?watch=true${search}`);
    await create('b');
    watched.stop();
    expect(seen(watched)).toEqual(['ADDED a', 'ADDED b']);
  });

  it('sees only its own namespace, or all of them', async () => {
    const from = api.store.revision;
    const own = await api.watch(`${path}?watch=1`);
    const all = await api.watch(`/apis/example.com/v1/widgets?watch=1&resourceVersion=${from}`);
    await create('a');
    path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
    await create('b');
    own.stop();
    all.stop();
    expect(seen(own)).toEqual(['ADDED a']);
    expect(seen(all)).toEqual(['ADDED a', 'ADDED b']);
  });

  it('with a selector sees objects come and go as they change', async () => {
    const watched = await api.watch(`${path}?watch=1&labelSelector=tier%3Dweb`);
    await create('a');
    await label('a', 'web');
    await api.send('PATCH', `${path}/a`, { spec: { size: 7 } });
    await label('a', 'db');
    const gone = api.store.revision;
    await api.send('DELETE', `${path}/a`);
    watched.stop();
    expect(seen(watched)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect(revisions(watched).at(-1)).toBe(gone);
    expect(watched.events.at(-1)).toMatchObject({
      object: { metadata: { labels: { tier: 'web' } }, spec: { size: 7 } },
    });
  });

  it('shows a removed object in its last state, at the revision of its removal', async () => {
    await create('a', {}, { size: 7 });
    const watched = await api.watch(`${path}?watch=1&resourceVersion=${api.store.revision}`);
    await api.send('DELETE', `${path}/a`);
    watched.stop();
    expect(watched.events).toMatchObject([{ type: 'DELETED', object: { spec: { size: 7 } } }]);
    expect(revisions(watched)).toEqual([api.store.revision]);
  });

  it('sends Tables with their columns once', async () => {
    await create('a');
    await create('b');
    const accept = 'application/json;as=Table;g=meta.platform.io;v=v1';
    const state = await api.watch(`${path}?watch=1`, { accept });
    const changes = await api.watch(`${path}?watch=1&resourceVersion=${api.store.revision}`, { accept });
    await create('c');
    await create('d');
    state.stop();
    changes.stop();
    const columns = ({ events }: Watched): boolean[] =>
      events.map(({ object }) => isObject(object) && Array.isArray(object.columnDefinitions));
    expect(columns(state)).toEqual([true, false, false, false]);
    expect(columns(changes)).toEqual([true, false]);
  });

  it('shows the age that objects have when it sends them', async () => {
    const accept = 'application/json;as=Table;g=meta.platform.io;v=v1';
    const from = api.store.revision;
    const first = await api.watch(`${path}?watch=1&resourceVersion=${from}`, { accept });
    await vi.advanceTimersByTimeAsync(90_000);
    await create('a');
    await vi.advanceTimersByTimeAsync(60_000);
    await label('a', 'web');
    const later = await api.watch(`${path}?watch=1&resourceVersion=${from}`, { accept });
    first.stop();
    later.stop();
    const rows = ({ events }: Watched): unknown[] =>
      events.map(({ object }) => (isObject(object) && Array.isArray(object.rows) ? object.rows[0] : undefined));
    expect(rows(first)).toMatchObject([{ cells: ['a', '0s'] }, { cells: ['a', '60s'] }]);
    expect(rows(later)).toMatchObject([{ cells: ['a', '60s'] }, { cells: ['a', '60s'] }]);
  });
});

describe('bookmarks', () => {
  it('come now and then to clients that allow them', async () => {
    const watched = await api.watch(`${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${api.store.revision}`);
    const without = await api.watch(`${path}?watch=1&resourceVersion=${api.store.revision}`);
    path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
    await create('elsewhere');
    await vi.advanceTimersByTimeAsync(60_000);
    watched.stop();
    without.stop();
    expect(seen(watched)).toEqual(['BOOKMARK']);
    expect(revisions(watched)).toEqual([api.store.revision]);
    expect(without.events).toEqual([]);
  });

  it('mark the end of the state if a list is streamed', async () => {
    await create('a');
    const search = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watched = await api.watch(`${path}?watch=1&${search}`);
    await create('b');
    watched.stop();
    expect(seen(watched)).toEqual(['ADDED a', 'BOOKMARK', 'ADDED b']);
    expect(watched.events[1]).toHaveProperty('object.metadata.annotations', {
      'platform.io/initial-events-end': 'true',
    });
  });
});

describe('the end of a watch', () => {
  it('comes in order after its timeout', async () => {
    const watched = await api.watch(`${path}?watch=1&timeoutSeconds=5&resourceVersion=${api.store.revision}`);
    await vi.advanceTimersByTimeAsync(4999);
    expect(watched.ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(watched.ended).toBe(true);
    await create('late');
    expect(watched.events).toEqual([]);
  });

  it('comes at once with a Status if the history is gone', async () => {
    await create('a');
    await create('b');
    api.store.forgetHistory();
    const watched = await api.watch(`${path}?watch=1&resourceVersion=1`);
    expect(watched.ended).toBe(true);
    expect(watched.events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    expect(watched.events[0]).toHaveProperty(
      'object.message',
      expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
    );
  });
});

describe('watches that are refused', () => {
  it.each([
    ['resourceVersion=x', 400],
    ['labelSelector=%3D%3D', 400],
    ['fieldSelector=spec.size%3D1', 400],
    ['timeoutSeconds=x', 400],
    ['resourceVersion=1&resourceVersionMatch=Exact', 422],
  ])('%s', async (search, code) => {
    expect((await api.send('GET', `${path}?watch=1&${search}`)).code).toBe(code);
    expect(api.defects).toEqual([]);
  });
});
