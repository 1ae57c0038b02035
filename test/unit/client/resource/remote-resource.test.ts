/** The client of a resource, over a transport that simulates a server. */
import { describe, expect, it } from 'vitest';
import { createResourceClient, type Transport, type TransportResponse } from '../../../../client/index.js';
import { collect, rejection } from '../../../support/sdk.js';

const descriptor = {
  group: 'apps.platform.io',
  kubernetesGroup: 'apps',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  scope: 'Cluster',
  subresources: [],
} as const;

const answer = (status: number, body: string, chunks?: () => AsyncIterable<Uint8Array>): TransportResponse => ({
  status,
  header: () => '',
  text: async () => body,
  chunks: chunks ?? async function* () {},
});

const page = (names: readonly string[], token?: string): TransportResponse =>
  answer(
    200,
    JSON.stringify({
      metadata: token === undefined ? {} : { continue: token },
      items: names.map((name) => ({ metadata: { name } })),
    }),
  );

const expired = (token?: string): TransportResponse =>
  answer(
    410,
    JSON.stringify({
      kind: 'Status',
      reason: 'Expired',
      code: 410,
      metadata: token === undefined ? {} : { continue: token },
    }),
  );

/** Answers one request after the other; `asked` has their queries. */
function play(...answers: readonly (TransportResponse | (() => TransportResponse))[]) {
  const asked: string[] = [];
  const left = [...answers];
  const transport: Transport = {
    async send({ path }) {
      asked.push(decodeURIComponent(path.split('?')[1] ?? ''));
      const next = left.shift();
      if (!next) throw new Error('no answer is left');
      return typeof next === 'function' ? next() : next;
    },
  };
  return { asked, client: createResourceClient(descriptor, { transport }) };
}

const namesOf = (objects: readonly { readonly metadata: { readonly name?: string } }[]) =>
  objects.map(({ metadata }) => metadata.name);

describe('pages after a 410', () => {
  it('fail by default', async () => {
    const { client } = play(page(['a'], '1'), expired('2'));
    expect(await rejection(collect(client.each({ limit: 1 })))).toMatchObject({ code: 410 });
  });

  it('begin again in chunks, and the second time in one chunk', async () => {
    const { asked, client } = play(
      page(['a'], '1'),
      expired('x'),
      page(['a'], '2'),
      expired('y'),
      page(['a', 'b', 'c']),
    );
    const all = await collect(client.each({ limit: 1, labelSelector: 'app=web', whenExpired: 'restart' }));
    expect(namesOf(all)).toEqual(['a', 'a', 'a', 'b', 'c']);
    expect(asked).toEqual([
      'labelSelector=app=web&limit=1',
      'labelSelector=app=web&limit=1&continue=1',
      'labelSelector=app=web&limit=1',
      'labelSelector=app=web&limit=1&continue=2',
      'labelSelector=app=web',
    ]);
  });

  it('have the rest in one chunk, with the token of the 410', async () => {
    const { asked, client } = play(page(['a'], '1'), expired('now'), page(['b', 'c']));
    const all = await collect(client.each({ limit: 1, resourceVersion: '5', whenExpired: 'rest' }));
    expect(namesOf(all)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual(['resourceVersion=5&limit=1', 'limit=1&continue=1', 'continue=now']);
  });

  it('fail without this token, and if the first request is refused', async () => {
    const rest = { whenExpired: 'rest' } as const;
    expect(await rejection(collect(play(page(['a'], '1'), expired()).client.each(rest)))).toMatchObject({ code: 410 });
    const first = play(expired('1')).client.each({ resourceVersion: '1', whenExpired: 'restart' });
    expect(await rejection(collect(first))).toMatchObject({ code: 410 });
  });
});

describe('a raw watch', () => {
  const line = (type: string, name: string, resourceVersion: string): string =>
    `${JSON.stringify({ type, object: { metadata: { name, resourceVersion } } })}\n`;
  const stream = (lines: readonly string[], end?: Error) =>
    answer(200, '', async function* () {
      for (const one of lines) yield new TextEncoder().encode(one);
      if (end) throw end;
    });
  const silence = new Error('terminated', { cause: Object.assign(new Error(), { code: 'UND_ERR_BODY_TIMEOUT' }) });

  it('continues from the last revision if the HTTP client gives up on a silent server', async () => {
    const { asked, client } = play(
      stream([line('ADDED', 'a', '1'), line('BOOKMARK', '', '7')], silence),
      stream([], silence),
      stream([line('ADDED', 'b', '8')]),
    );
    const events = await collect(client.watch({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }));
    expect(namesOf(events.map(({ object }) => object))).toEqual(['a', 'b']);
    const later = 'resourceVersion=7&watch=true&allowWatchBookmarks=true';
    expect(asked.slice(1).map((query) => [...new URLSearchParams(query)].sort().map((pair) => pair.join('=')))).toEqual(
      [later, later].map((query) => query.split('&').sort()),
    );
  });

  it('ends with other errors', async () => {
    const { client } = play(stream([], new Error('reset')));
    expect(await rejection(collect(client.watch()))).toMatchObject({ message: 'reset' });
  });
});

describe('a 404 without a Status', () => {
  const missing = () => answer(404, '404 page not found\n');

  it.each([
    ['platform', 'apps.platform.io', 'kubernetes'],
    ['kubernetes', 'apps', 'platform'],
  ] as const)('with %s names suggests its other name for %s', async (naming, group, other) => {
    const transport = { send: async () => missing() };
    const client = createResourceClient(descriptor, { transport, naming });
    const message = `404 page not found: the server has no group ${group}; if it has the other names, create the client with naming: '${other}'`;
    for (const request of [client.get('a'), client.list(), collect(client.watch())]) {
      expect(await rejection(request)).toMatchObject({ code: 404, message });
    }
  });

  it('of a group with one name adds nothing', async () => {
    const { kubernetesGroup: _, ...own } = descriptor;
    const client = createResourceClient(own, { transport: { send: async () => missing() } });
    expect(await rejection(client.get('a'))).toMatchObject({ message: '404 page not found' });
  });
});

describe('a watch', () => {
  it('reports when the server has accepted it, not before', async () => {
    const { client } = play(answer(403, '{}'), answer(200, ''));
    let opened = 0;
    const onOpen = (): void => void opened++;
    await rejection(collect(client.watch({ onOpen })));
    expect(opened).toBe(0);
    await collect(client.watch({ onOpen }));
    expect(opened).toBe(1);
  });
});

describe('a namespace', () => {
  it('has the same client each time, unless many others came in between', () => {
    const { client } = play();
    const [one, two] = [client.in('one'), client.in('two')];
    expect(client.in('one')).toBe(one);
    expect(two).not.toBe(one);
    for (let count = 0; count < 100; count++) client.in(`other-${count}`);
    expect(client.in('one')).not.toBe(one);
  });
});
