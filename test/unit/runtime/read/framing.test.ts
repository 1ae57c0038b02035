/** Watches as Server-Sent Events: which events have an id, and how a client resumes from one. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestOf } from '../../../support/api-requests.js';
import { createEventStreamParser, type EventStreamParser } from '../../../support/event-stream.js';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
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

const create = (name: string, metadata = {}) => api.send('POST', path, widget(name, {}, metadata));

interface Stream extends EventStreamParser {
  readonly contentType: string;
  readonly chunks: readonly Uint8Array[];
  readonly ended: boolean;
  stop(): void;
}

async function open(search: string, headers: Readonly<Record<string, string>> = {}): Promise<Stream> {
  const answer = await api.server.handle(
    requestOf({ path: `${path}?watch=true${search}`, headers: { accept: 'text/event-stream', ...headers } }),
  );
  if (!('stream' in answer.body)) throw new Error(`refused with ${answer.code}`);
  const parser = createEventStreamParser(headers['last-event-id']);
  const chunks: Uint8Array[] = [];
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    parser.push(Buffer.from(chunk).toString());
  };
  const stop = answer.body.stream({ buffered: 0, write, taken: () => Promise.resolve(), end, destroy: end });
  // The parser's own properties change, so the test reads them there each time.
  return Object.create(parser, {
    contentType: { value: answer.contentType },
    chunks: { value: chunks },
    ended: { get: () => ended },
    stop: { value: stop },
  });
}

const seen = ({ messages }: Stream): string[] =>
  messages.map(({ data, lastEventId }) => {
    const { type, object } = JSON.parse(data);
    const name = object.metadata?.name ?? object.rows?.[0]?.cells[0] ?? object.code ?? '';
    return `${type} ${name} after ${lastEventId || 'nothing'}`;
  });

const { store } = api;
const withState = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

describe('an event stream', () => {
  it('has the events of the watch, each with its revision as id', async () => {
    const from = store.revision;
    const stream = await open(`&resourceVersion=${from}`);
    const plain = await api.watch(`${path}?watch=true&resourceVersion=${from}`);
    await create('a');
    await api.send('DELETE', `${path}/a`);
    expect(stream.contentType).toBe('text/event-stream');
    expect(stream.messages.map(({ data }) => JSON.parse(data))).toEqual(plain.events);
    expect(seen(stream)).toEqual([`ADDED a after ${from + 1}`, `DELETED a after ${from + 2}`]);
    stream.stop();
    plain.stop();
  });

  it('asks clients to come again at different times', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open('')));
    const times = streams.map(({ retry = 0 }) => retry);
    for (const { stop } of streams) stop();
    expect(Math.min(...times)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...times)).toBeLessThanOrEqual(3000);
    expect(new Set(times).size).toBeGreaterThan(1);
  });

  it('cannot be resumed within the state, only from its end', async () => {
    await create('b');
    await create('a');
    const end = store.revision;
    const stream = await open('');
    expect(seen(stream)).toEqual(['ADDED a after nothing', 'ADDED b after nothing']);
    expect(stream.lastEventId).toBe(String(end));
    stream.stop();
  });

  it('marks where the state begins and ends', async () => {
    await create('a');
    const stream = await open('');
    expect(
      stream.events.map(({ type, data, lastEventId }) => [type, type === 'state' ? data : '', lastEventId]),
    ).toEqual([
      ['state', 'begin', ''],
      ['message', '', ''],
      ['state', 'end', String(store.revision)],
    ]);
    stream.stop();
    const resumed = await open('', { 'last-event-id': stream.lastEventId });
    expect(resumed.events).toEqual([]);
    resumed.stop();
  });

  it('has ids on bookmarks', async () => {
    await create('a');
    const stream = await open(withState);
    expect(seen(stream)).toEqual(['ADDED a after nothing', `BOOKMARK  after ${store.revision}`]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen(stream).at(-1)).toBe(`BOOKMARK  after ${store.revision}`);
    expect(stream.messages).toHaveLength(3);
    stream.stop();
  });

  it('sends its position while nothing happens in its namespace, without an event', async () => {
    const stream = await open('');
    path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
    await create('elsewhere');
    expect(stream.lastEventId).toBe(String(store.revision - 1));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(stream.lastEventId).toBe(String(store.revision));
    expect(stream.messages).toEqual([]);
    stream.stop();
    const sent = stream.chunks.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stream.chunks).toHaveLength(sent);
  });

  it('makes the bytes of an event once for all watchers', async () => {
    const streams = await Promise.all([open(''), open(''), open(`&resourceVersion=${store.revision}`)]);
    await create('a');
    await create('b');
    const last = streams.map(({ chunks }) => chunks.at(-1));
    for (const { stop } of streams) stop();
    expect(last[0]).toBeDefined();
    expect(new Set(last).size).toBe(1);
  });

  it.each([
    ['the header', '', 'text/event-stream;as=Table;g=meta.platform.io;v=v1'],
    ['the query', '&accept=application/json%3Bas%3DTable%3Bg%3Dmeta.platform.io%3Bv%3Dv1', 'text/event-stream'],
    [
      'a query like a header',
      '&accept=text/event-stream%3Bas%3DTable%3Bg%3Dmeta.platform.io%3Bv%3Dv1',
      'text/event-stream',
    ],
  ])('has Tables if %s asks for them', async (_what, search, accept) => {
    const stream = await open(search, { accept });
    await create('a');
    await create('b');
    const tables = stream.messages.map(({ data }) => JSON.parse(data).object);
    expect(seen(stream)).toEqual([`ADDED a after ${store.revision - 1}`, `ADDED b after ${store.revision}`]);
    expect(tables.map(({ kind, columnDefinitions }) => [kind, columnDefinitions === null])).toEqual([
      ['Table', false],
      ['Table', true],
    ]);
    stream.stop();
  });

  it('has metadata only on request', async () => {
    const stream = await open('', { accept: 'text/event-stream;as=PartialObjectMetadata;g=meta.platform.io;v=v1' });
    await create('a');
    expect(JSON.parse(stream.messages[0]?.data ?? '').object).toMatchObject({ kind: 'PartialObjectMetadata' });
    stream.stop();
  });

  it.each([
    ['text/event-stream;as=Gibberish;g=meta.platform.io;v=v1', 406],
    ['text/event-stream;as=Table', 406],
    ['application/xml', 406],
  ])('is refused for %s', async (accept, code) => {
    expect((await api.send('GET', `${path}?watch=true`, undefined, { accept })).code).toBe(code);
  });

  it.each(['application/json, text/event-stream', 'application/json, text/event-stream;q=0.5', '*/*'])(
    'is not what %s asks for',
    async (accept) => {
      const watched = await api.watch(`${path}?watch=true`, { accept });
      await create('a');
      expect(watched.events).toHaveLength(1);
      watched.stop();
    },
  );

  it('is not a format of lists', async () => {
    expect((await api.send('GET', path, undefined, { accept: 'text/event-stream' })).code).toBe(406);
  });
});

describe('Last-Event-ID', () => {
  it.each(['', '&resourceVersion=1', '&resourceVersion=0', withState])('wins over %j', async (search) => {
    await create('before');
    const last = store.revision;
    await create('missed');
    const stream = await open(search, { 'last-event-id': String(last) });
    await create('later');
    expect(seen(stream).filter((event) => !event.startsWith('BOOKMARK'))).toEqual([
      `ADDED missed after ${last + 1}`,
      `ADDED later after ${last + 2}`,
    ]);
    stream.stop();
  });

  it.each(['0', ''])('of %j starts like a client without any event', async (id) => {
    await create('a');
    const stream = await open('', { 'last-event-id': id });
    expect(seen(stream)).toHaveLength(1);
    stream.stop();
  });

  it('does not matter to other watches', async () => {
    await create('a');
    const watched = await api.watch(`${path}?watch=true`, { 'last-event-id': String(store.revision) });
    expect(watched.events).toHaveLength(1);
    watched.stop();
  });

  it.each(['abc', '-1', '1, 2', '18446744073709551616'])('%j is a mistake', async (id) => {
    const { code, body } = await api.send('GET', `${path}?watch=true`, undefined, {
      accept: 'text/event-stream',
      'last-event-id': id,
    });
    expect(code).toBe(400);
    expect(body.message).toMatch(/^Last-Event-ID: Invalid value: /);
  });

  it('before the history is answered with an error, and the client forgets it', async () => {
    await create('a');
    const id = String(store.revision);
    await create('b');
    store.forgetHistory();
    const stream = await open('', { 'last-event-id': id });
    expect(seen(stream)).toEqual(['ERROR 410 after nothing']);
    expect(stream.lastEventId).toBe('');
    expect(stream.ended).toBe(true);
  });

  it('stays if a watch ends for another reason', async () => {
    const stream = await open(`&timeoutSeconds=5`);
    await create('a');
    await vi.advanceTimersByTimeAsync(5000);
    expect(stream.ended).toBe(true);
    expect(stream.lastEventId).toBe(String(store.revision));
  });
});
