/** Storage that fails, stalls, or does not report whether it wrote: the answers to clients, and the state later. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resource as configMaps } from '../../generated/core/v1/configmaps/resource.js';
import { resource as namespaces } from '../../generated/core/v1/namespaces/resource.js';
import { admissionPlugins } from '../../plugins/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { platformNaming } from '../../runtime/objects/names/naming.js';
import type { Listening } from '../../runtime/server/index.js';
import { memoryBackend } from '../../runtime/storage/index.js';
import { kindHandlers } from '../../strategies/index.js';
import { send as request } from '../support/ask.js';
import { answerLost, diskFull, type Faults, faulty } from '../support/faulty-backend.js';
import { startTestApi, type TestApi, type Watched } from '../support/test-api.js';

const modules = [namespaces, configMaps];
const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text },
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: unknown;
}

/** A write of each kind. All use the objects that `beforeEach` has created. */
const writes: readonly (readonly [verb: string, asked: Asked])[] = [
  ['create', { method: 'POST', path: maps, body: map('new', 'x') }],
  ['update', { method: 'PUT', path: `${maps}/a`, body: map('a', 'x') }],
  [
    'patch',
    { method: 'PATCH', path: `${maps}/a`, type: 'application/merge-patch+json', body: { data: { text: 'x' } } },
  ],
  [
    'apply',
    {
      method: 'PATCH',
      path: `${maps}/b?fieldManager=m&force=true`,
      type: 'application/apply-patch+yaml',
      body: map('b', 'x'),
    },
  ],
  [
    'apply that creates',
    { method: 'PATCH', path: `${maps}/c?fieldManager=m`, type: 'application/apply-patch+yaml', body: map('c', 'x') },
  ],
  ['delete', { method: 'DELETE', path: `${maps}/a` }],
  ['deletecollection', { method: 'DELETE', path: maps }],
  ['deletion of a namespace', { method: 'DELETE', path: '/api/v1/namespaces/team' }],
  [
    'finalization of a namespace',
    {
      method: 'PUT',
      path: '/api/v1/namespaces/ending/finalize',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ending' }, spec: { finalizers: [] } },
    },
  ],
];

const nameOf = (object: unknown): unknown =>
  isObject(object) && isObject(object.metadata) ? object.metadata.name : undefined;

describe('while storage', () => {
  let faults: Faults;
  let api: TestApi;
  let listening: Listening;
  let watched: readonly Watched[];
  beforeEach(async () => {
    faults = faulty(memoryBackend());
    api = await startTestApi(modules, {
      backend: faults.backend,
      plugins: admissionPlugins(platformNaming),
      handlers: kindHandlers(platformNaming),
    });
    listening = await api.server.listen({ host: '127.0.0.1', port: 0 });
    for (const name of ['default', 'team', 'ending']) {
      await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    await api.send('DELETE', '/api/v1/namespaces/ending');
    for (const name of ['a', 'b']) await api.send('POST', maps, map(name, 'before'));
    const from = api.store.revision;
    watched = await Promise.all(
      ['/api/v1/configmaps', '/api/v1/namespaces'].map((path) => api.watch(`${path}?watch=1&resourceVersion=${from}`)),
    );
  });
  afterEach(async () => {
    for (const one of watched) one.stop();
    await listening.close(() => api.close());
    expect(api.defects).toEqual([]);
  });

  async function send({ method, path, type = 'application/json', body }: Asked) {
    const answer = await request(listening, method, path, { type, body });
    const text = await answer.text();
    const retryAfter = answer.headers.get('retry-after');
    return { code: answer.status, retryAfter, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }
  const read = (path: string) => send({ method: 'GET', path });
  const codeOf = async (path: string): Promise<number> => (await read(path)).code;
  const state = async () => [await read('/api/v1/configmaps'), await read('/api/v1/namespaces')];
  const seen = () => watched.flatMap(({ events }) => events);

  describe.each([
    ['refuses', diskFull, 500, 'InternalError', 'the change could not be stored: no space left on the device'],
    ['leaves it open', answerLost, 504, 'Timeout', 'the change may or may not have been stored: the answer was lost'],
  ])('%s', (_how, error, code, reason, message) => {
    it.each(writes)('%s is answered with a Status, changes nothing, and works later', async (_verb, asked) => {
      const before = await state();
      faults.failNext(100, error());
      expect(await send(asked)).toMatchObject({
        code,
        body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code },
      });
      expect(await state()).toEqual(before);
      expect(seen()).toEqual([]);
      expect(await codeOf('/readyz')).toBe(500);
      expect((await read('/readyz?verbose')).text).toContain('[-]storage failed');
      expect((await read('/readyz/storage')).text).toContain(message);
      expect(await codeOf('/livez')).toBe(200);

      faults.failNext(0);
      expect([200, 201]).toContain((await send(asked)).code);
      expect(await codeOf('/readyz')).toBe(200);
      expect(seen().length).toBeGreaterThan(0);
      expect(await state()).not.toEqual(before);
    });
  });

  it('stalls, a write waits, reads continue, and nobody sees unstored changes', async () => {
    const before = await state();
    const release = faults.hold();
    let answered = false;
    // The writes that do not conflict with each other.
    const apart = writes.filter(([verb]) => !['patch', 'delete', 'deletecollection'].includes(verb));
    const writing = Promise.all(apart.map(([, asked]) => send(asked))).finally(() => {
      answered = true;
    });
    while (api.store.health() === '') {
      await sleep(50);
      expect(await state()).toEqual(before);
    }
    expect(api.store.health()).toMatch(/^storage has not answered for \d+ s$/);
    expect(await codeOf('/readyz')).toBe(500);
    expect(answered).toBe(false);
    expect(seen()).toEqual([]);
    release();
    expect((await writing).map(({ code }) => code)).toEqual([201, 200, 200, 201, 200, 200]);
    expect(await codeOf('/readyz')).toBe(200);
    const types = ['ADDED', 'ADDED', 'DELETED', 'MODIFIED', 'MODIFIED', 'MODIFIED'];
    expect(
      seen()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(types);
  });

  it('is too slow for all writes, the server refuses the surplus at once', async () => {
    const release = faults.hold();
    const text = 'x'.repeat(900_000);
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    const writing = Array.from({ length: 90 }, async (_, index) => {
      answers.push(await send({ method: 'POST', path: maps, body: map(`large-${index}`, text) }));
    });
    while (answers.length === 0) await sleep(20);
    const [refused] = answers;
    expect(refused).toMatchObject({ code: 429, retryAfter: '1', body: { reason: 'TooManyRequests' } });
    release();
    await Promise.all(writing);
    const stored = answers.filter(({ code }) => code === 201).length;
    expect(stored).toBeGreaterThan(60);
    expect(answers.filter(({ code }) => code === 429)).toHaveLength(90 - stored);
    expect((await read(maps)).body.items).toHaveLength(2 + stored);
    expect((await send({ method: 'POST', path: maps, body: map('later', 'x') })).code).toBe(201);
  });

  it('fails now and then, every writer gets a true answer', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `object-${index}`);
    const answers = await Promise.all(
      names.map(async (name, index) => {
        await sleep(index / 2);
        if (index % 7 === 0) faults.failNext(1);
        return (await send({ method: 'POST', path: maps, body: map(name, 'x') })).code;
      }),
    );
    faults.failNext(0);
    const stored = names.filter((_, index) => answers[index] === 201);
    expect(stored.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set([201, 500]));
    expect((await read(maps)).body.items.map(nameOf)).toEqual(['a', 'b', ...stored].sort());
    expect(
      seen()
        .map(({ object }) => nameOf(object))
        .sort(),
    ).toEqual([...stored].sort());
  });
});
