/** Watchers that never read cost bounded memory, are cut off, and delay no others. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLines } from '../../client/watch.js';
import { send } from '../support/ask.js';
import { memoryOf, type ServerProcess, startServerProcess } from '../support/server-process.js';

const path = '/api/v1/namespaces/default/configmaps';
const MiB = 1024 * 1024;

/** The total of written bytes: far more than the limit of a watcher, and than the limit of memory. */
const updates = 400;
const text = 'x'.repeat(MiB / 2);
const slowWatchers = 8;
/** The allowed growth of the server's memory, with a history of 64 MiB. */
const maxGrowth = 240 * MiB;

/** Opens a watch without reading it. The caller may read it later. */
async function watch(server: ServerProcess, from = ''): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(
    get(`${server.url}${path}?watch=1&resourceVersion=${from}`),
    'response',
  );
  if (response?.statusCode !== 200) throw new Error(`no watch: ${response?.statusCode}`);
  return response;
}

const revisionIn = (line: string): string => JSON.parse(line).object.metadata.resourceVersion;

/** Returns the revisions of a watch, to its end or until there are so many. The connection may break. */
async function revisionsOf(stream: IncomingMessage, wanted: number): Promise<{ revisions: string[]; broken: boolean }> {
  const revisions: string[] = [];
  try {
    for await (const lines of readLines(stream)) {
      revisions.push(...lines.map(revisionIn));
      if (revisions.length >= wanted) break;
    }
    return { revisions: revisions.slice(0, wanted), broken: false };
  } catch {
    return { revisions, broken: true };
  }
}

/**
 * The size of a state, and how many watches begin with it without reading: together far more than the limit of memory.
 */
const stateObjects = 100;
const stateWatchers = 20;

describe('watchers that never read', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess('--storage', 'memory', '--controllers', 'none');
  });
  afterAll(() => server?.end('SIGKILL'));

  const write = async (method: string, place: string, count: number, name = 'a'): Promise<string> => {
    const answer = await send(server, method, path + place, {
      body: { metadata: { name }, data: { text, count: String(count) } },
    });
    expect(answer.ok).toBe(true);
    return revisionIn(`{"object":${await answer.text()}}`);
  };

  it('are cut off, cost bounded memory, and do not delay others', async () => {
    let from = await write('POST', '', 0);
    // Writes first, so that the measurement does not count what writes need once.
    for (let count = 0; count < 100; count++) from = await write('PUT', '/a', count);
    const before = memoryOf(server);
    const slow = await Promise.all(Array.from({ length: slowWatchers }, () => watch(server, from)));
    const reading = revisionsOf(await watch(server, from), updates);
    const written: string[] = [];
    let peak = 0;
    for (let count = 0; count < updates; count++) {
      written.push(await write('PUT', '/a', count));
      peak = Math.max(peak, memoryOf(server));
    }
    expect(await reading).toEqual({ revisions: written, broken: false });
    expect(peak - before).toBeLessThan(maxGrowth);
    for (const stream of slow) {
      const { revisions, broken } = await revisionsOf(stream, updates);
      expect(broken).toBe(true);
      // The events sent by then have no gap, and they are few.
      expect(revisions).toEqual(written.slice(0, revisions.length));
      expect(revisions.length).toBeLessThan(updates / 4);
    }
  }, 300_000);

  it('cost no memory by their first state', async () => {
    for (let i = 0; i < stateObjects; i++) await write('POST', '', i, `state-${i}`);
    const before = memoryOf(server);
    const slow = await Promise.all(Array.from({ length: stateWatchers }, () => watch(server)));
    expect((await revisionsOf(await watch(server), stateObjects)).revisions).toHaveLength(stateObjects);
    expect(memoryOf(server) - before).toBeLessThan(maxGrowth);
    // When they read, they get the whole state.
    const last = await revisionsOf(slow[0] ?? (await watch(server)), stateObjects);
    expect(last).toMatchObject({ broken: false, revisions: { length: stateObjects } });
    for (const stream of slow) stream.destroy();
  }, 300_000);
});
