/** The pace of a watch: a client that catches up gets no more than it reads, and only a cut-off client loses events. */
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { requestOf } from '../../../support/api-requests.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
afterAll(() => vi.useRealTimers());

const KiB = 1024;
const MiB = 1024 * KiB;

const path = '/apis/example.com/v1/namespaces/default/widgets';
let api: TestApi;
beforeEach(async () => {
  api = await startTestApi([widgets], { featureEnabled: (gate) => gate === 'WatchList' });
});
afterEach(async () => {
  expect(api.store.statistics.watches).toBe(0);
  await api.close();
});

const create = (name: string, bytes: number) => api.send('POST', path, widget(name, { color: 'x'.repeat(bytes) }));
const recolor = (name: string, color: string) => api.send('PATCH', `${path}/${name}`, { spec: { color } });

/** Opens a watch of a client that reads only when the test calls it. */
async function openSlowly(search = '') {
  const answer = await api.server.handle(requestOf({ path: `${path}?watch=1${search}` }));
  if (!('stream' in answer.body)) throw new Error(`refused with ${answer.code}`);
  const events: string[] = [];
  const client = { events, buffered: 0, state: 'open', stop: (): void => {}, take, takeAll };
  let whenTaken: (() => void)[] = [];

  /** Reads all sent events, so that the server may send more. */
  async function take(): Promise<void> {
    client.buffered = 0;
    const told = whenTaken;
    whenTaken = [];
    for (const tell of told) tell();
    await new Promise((resolve) => setImmediate(resolve));
  }
  async function takeAll(): Promise<void> {
    do await take();
    while (whenTaken.length > 0);
  }

  client.stop = answer.body.stream({
    get buffered() {
      return client.buffered;
    },
    write: (chunk) => {
      client.buffered += chunk.length;
      events.push(shown(JSON.parse(Buffer.from(chunk).toString())));
    },
    taken: () => new Promise((resolve) => whenTaken.push(resolve)),
    end: () => {
      client.state = 'ended';
    },
    destroy: () => {
      client.state = 'broken';
    },
  });
  return client;
}

function shown({ type, object }: JsonObject): string {
  const metadata = isObject(object) && isObject(object.metadata) ? object.metadata : {};
  return `${String(type)} ${String(metadata.name ?? '')}`.trim();
}

const names = (amount: number): string[] => Array.from({ length: amount }, (_, i) => `w${String(i).padStart(2, '0')}`);

/** The greatest number of bytes on their way at once: the events sent ahead, and one more. */
const most = 300 * KiB;

describe('a state that is larger than the events sent ahead', () => {
  beforeEach(async () => {
    for (const name of names(40)) await create(name, 32 * KiB);
  });
  const state = names(40).map((name) => `ADDED ${name}`);

  it("comes at the client's pace, and later changes come after it", async () => {
    const client = await openSlowly();
    await recolor('w00', 'red');
    await create('z', 1);
    await api.send('DELETE', `${path}/w01`);
    const before = client.events.length;
    expect(before).toBeGreaterThan(1);
    expect(client.buffered).toBeLessThan(most);
    await client.take();
    expect(client.events.length).toBeGreaterThan(before);
    expect(client.buffered).toBeLessThan(most);
    await client.takeAll();
    await create('live', 1);
    client.stop();
    expect(client.events).toEqual([...state, 'MODIFIED w00', 'ADDED z', 'DELETED w01', 'ADDED live']);
  });

  it('is followed by the mark of its end, and no bookmark comes before that', async () => {
    const client = await openSlowly(
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.events).toEqual(state.slice(0, client.events.length));
    await recolor('w00', 'red');
    await client.takeAll();
    expect(client.events).toEqual([...state, 'BOOKMARK', 'MODIFIED w00']);
    await vi.advanceTimersByTimeAsync(60_000);
    client.stop();
    expect(client.events.at(-1)).toBe('BOOKMARK');
    expect(client.events).toHaveLength(43);
  });

  it('is broken off when the watch times out, so that no client takes it for complete', async () => {
    const client = await openSlowly('&timeoutSeconds=5');
    await vi.advanceTimersByTimeAsync(5000);
    expect(client.state).toBe('broken');
    await client.takeAll();
    expect(client.events.length).toBeLessThan(40);
  });

  it('is broken off if more changes come meanwhile than the client may fall behind', async () => {
    const client = await openSlowly();
    for (let i = 0; client.state === 'open' && i < 40; i++) await recolor('w00', String(i).repeat(MiB / 2));
    expect(client.state).toBe('broken');
    await client.takeAll();
    expect(client.events).toEqual(state.slice(0, client.events.length));
  });

  it('ends with the store, once it is complete', async () => {
    const client = await openSlowly();
    await api.close();
    expect(client.state).toBe('open');
    await client.takeAll();
    expect(client.state).toBe('ended');
    expect(client.events).toEqual(state);
  });
});

describe('the changes a client has missed', () => {
  it("come at the client's pace, however many there are", async () => {
    await create('a', 1);
    const from = api.store.revision;
    const changes = Array.from({ length: 24 }, (_, i) => String.fromCharCode(0x61 + i).repeat(MiB));
    for (const color of changes) await recolor('a', color);
    const client = await openSlowly(`&resourceVersion=${from}`);
    expect(client.events).toHaveLength(1);
    await client.takeAll();
    expect(client.state).toBe('open');
    expect(client.events).toHaveLength(24);
    await recolor('a', 'live');
    client.stop();
    expect(client.events).toHaveLength(25);
  });
});
