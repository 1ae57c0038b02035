/**
 * Watches of browsers, resumed after connections break anywhere, and after a kill of the server. In total, a client
 * gets the history without loss or repeats.
 */
import { join } from 'node:path';
import { EventSource } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../../generated/client.js';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { createEventStreamParser } from '../support/event-stream.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

/** A short form of a change. */
interface Change {
  readonly type: string;
  readonly revision: number;
  readonly name: string;
}

function toChange(line: string): Change {
  const { type, object } = JSON.parse(line);
  return { type, revision: Number(object.metadata.resourceVersion), name: object.metadata.name };
}

const folder = scratchFolder();
let server: ServerProcess;
let proxy: CuttingProxy;
beforeAll(async () => {
  server = await start();
  // Some connections break within the head of the answer, some after dozens of events.
  proxy = await startCuttingProxy(server.url, () => Math.ceil(10 ** (1.5 + 3 * Math.random())));
});
afterAll(async () => {
  await proxy.close();
  await server.end('SIGTERM');
});

const start = () => startServerProcess('--storage', `lmdb:${join(folder, 'data')}`, '--controllers', 'none');
const api = () => createClient({ baseUrl: server.url }).core.v1;
const maps = (namespace = 'default') => api().configMaps.in(namespace);
const collection = (namespace = 'default') => `/api/v1/namespaces/${namespace}/configmaps`;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates, changes and deletes objects, one after the other. The last change is the creation of `last`. */
async function write(changes: number, last: string, namespace?: string): Promise<void> {
  const written = maps(namespace);
  for (let i = 0; i < changes; i++) {
    const name = `m${Math.floor(i / 3)}-${last}`;
    if (i % 3 === 0) await written.create({ metadata: { name } });
    else if (i % 3 === 1) await written.patch(name, { data: { text: 'ä'.repeat(i) } });
    else if (i % 2 === 0) await written.delete(name);
    if (i % 10 === 0) await pause(5);
  }
  await written.create({ metadata: { name: last } });
}

/** Returns every change after a revision up to the creation of an object, from a watch without interruption. */
async function history(from: string, last: string, namespace?: string): Promise<readonly Change[]> {
  const told: Change[] = [];
  for await (const { type, object } of maps(namespace).watch({ resourceVersion: from })) {
    const { resourceVersion, name = '' } = object.metadata;
    told.push({ type, revision: Number(resourceVersion), name });
    if (name === last) break;
  }
  return told;
}

const now = async (): Promise<string> => (await maps().list()).metadata.resourceVersion ?? '';

/** The events that a client of an event stream has received. */
interface Followed {
  /** The events of the last connection that began with the state, up to the first id. */
  state: Change[];
  /** The first id. */
  position: string;
  /** The events with ids. */
  readonly changes: Change[];
}

/** Follows an event stream, and reconnects at once. Ends when it has the creation of an object. */
async function follow(into: Followed, search: string, last: string, namespace?: string): Promise<void> {
  let id = '';
  while (into.changes.at(-1)?.name !== last) {
    const parser = createEventStreamParser(id);
    if (id === '') into.state = [];
    let read = 0;
    try {
      const headers = { accept: 'text/event-stream', ...(id === '' ? {} : { 'last-event-id': id }) };
      const response = await fetch(`http://${proxy.host}${collection(namespace)}?watch=true${search}`, { headers });
      expect(response.status).toBe(200);
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        parser.push(decoder.decode(chunk, { stream: true }));
        for (const { data, lastEventId } of parser.messages.slice(read)) {
          (lastEventId === '' ? into.state : into.changes).push(toChange(data));
        }
        read = parser.messages.length;
        id = parser.lastEventId;
        into.position ||= parser.firstEventId;
        if (into.changes.at(-1)?.name === last) break;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await pause(20);
  }
}

const nothing = (): Followed => ({ state: [], position: '', changes: [] });

/** Follows over WebSocket, and reconnects from the revision of the last message. */
async function followMessages(from: string, last: string): Promise<readonly Change[]> {
  const got: Change[] = [];
  while (got.at(-1)?.name !== last) {
    const revision = got.at(-1)?.revision ?? from;
    const socket = new WebSocket(`ws://${proxy.host}${collection()}?watch=true&resourceVersion=${revision}`);
    socket.on('error', () => {});
    socket.on('message', (data) => {
      got.push(toChange(String(data)));
      if (got.at(-1)?.name === last) socket.close();
    });
    await new Promise((resolve) => socket.once('close', resolve));
  }
  return got;
}

describe('a watch with breaking connections', () => {
  it('gets every change once and in order as an event stream', async () => {
    const from = await now();
    const before = proxy.cuts;
    const got = nothing();
    await Promise.all([follow(got, `&resourceVersion=${from}`, 'last-a'), write(300, 'last-a')]);
    expect(proxy.cuts - before).toBeGreaterThan(5);
    expect(got.state).toEqual([]);
    expect(got.changes).toEqual(await history(from, 'last-a'));
  }, 300_000);

  it('gets every change once and in order over WebSocket', async () => {
    const from = await now();
    const before = proxy.cuts;
    const [got] = await Promise.all([followMessages(from, 'last-b'), write(300, 'last-b')]);
    expect(proxy.cuts - before).toBeGreaterThan(5);
    expect(got).toEqual(await history(from, 'last-b'));
  }, 300_000);

  it('gets the whole state, then every change once, as an event stream that begins with the state', async () => {
    const namespace = 'few';
    await api().namespaces.create({ metadata: { name: namespace } });
    await write(30, 'first-c', namespace);
    const got = nothing();
    const following = follow(got, '', 'last-c', namespace);
    await write(60, 'middle-c', namespace);
    await expect.poll(() => got.position, { timeout: 60_000 }).not.toBe('');
    await write(60, 'last-c', namespace);
    await following;
    const { items } = await maps(namespace).list({ resourceVersion: got.position, resourceVersionMatch: 'Exact' });
    expect(got.state).toEqual(
      items.map(({ metadata }) => toChange(JSON.stringify({ type: 'ADDED', object: { metadata } }))),
    );
    expect(got.changes).toEqual(await history(got.position, 'last-c', namespace));
  }, 300_000);

  it('continues by itself with EventSource', async () => {
    const from = await now();
    const source = new EventSource(`http://${proxy.host}${collection()}?watch=true&resourceVersion=${from}`);
    const got: Change[] = [];
    const seen = new Promise<void>((resolve) => {
      source.addEventListener('message', ({ data }) => {
        got.push(toChange(data));
        if (got.at(-1)?.name === 'last-d') resolve();
      });
    });
    const before = proxy.cuts;
    // EventSource reconnects after the time that the server has set, and may get far before the next cut.
    for (let round = 0; proxy.cuts - before < 2; round++) {
      await write(30, `round-d${round}`);
      await pause(500);
    }
    proxy.calmDown();
    await write(3, 'last-d');
    await seen;
    source.close();
    expect(got).toEqual(await history(from, 'last-d'));
  }, 300_000);
});

describe('a watch on a server that is killed', () => {
  it('continues at the next server', async () => {
    const from = await now();
    const got = nothing();
    const following = follow(got, `&resourceVersion=${from}`, 'last-e');
    for (let round = 0; round < 3; round++) {
      await write(30, `round-${round}`);
      await server.end('SIGKILL');
      server = await start();
      proxy.leadTo(server.url);
    }
    await write(3, 'last-e');
    await following;
    expect(got.changes).toEqual(await history(from, 'last-e'));
  }, 180_000);
});
