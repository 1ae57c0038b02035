/** `kindforge storage` between servers: what clients see before and after. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, ask as askServer } from '../support/ask.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { hasKubectl, kubectlFor, printed } from '../support/kubectl.js';
import { testFolder } from '../support/scratch-folder.js';
import { runCommand, type ServerProcess, startServerProcess } from '../support/server-process.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

interface ApiBody {
  readonly items?: readonly ApiBody[];
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

const ask = (server: ServerProcess, method: string, path: string, body?: unknown): Promise<Answer<ApiBody>> =>
  askServer<ApiBody>(server, method, path, body);

/** Returns the first event of a watch. */
async function firstEvent({ url }: ServerProcess, query: string): Promise<unknown> {
  const ending = new AbortController();
  const answer = await fetch(`${url}${configMaps}?watch=1&${query}`, { signal: ending.signal });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n')) break;
  }
  ending.abort();
  return JSON.parse(text.split('\n')[0] ?? '');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Sends requests to etcd itself, as only operators do. */
async function askEtcd({ endpoints: [endpoint = ''] }: EtcdCluster, path: string, body: unknown): Promise<void> {
  expect((await fetch(`${endpoint}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) })).status).toBe(200);
}

const revisionOf = ({ metadata }: ApiBody): number => Number(metadata.resourceVersion);

/** Removes the revision from an object. Keeps uid, creationTimestamp, generation and field owners. */
const lasting = ({ metadata: { resourceVersion: _, ...metadata }, ...rest }: ApiBody) => ({ ...rest, metadata });

const itemsOf = async (server: ServerProcess, path = configMaps): Promise<readonly ApiBody[]> =>
  (await ask(server, 'GET', path)).body.items ?? [];

async function create(server: ServerProcess, name: string, value: string): Promise<ApiBody> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { value } }, data: { value } };
  const { code, body } = await ask(server, 'POST', configMaps, object);
  expect(code).toBe(201);
  return body;
}

describe('kindforge storage', { timeout: 240_000 }, () => {
  let folder: string;
  let servers: ServerProcess[] = [];
  beforeEach(async () => {
    folder = testFolder();
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    servers = [];
  });

  async function serve(storage: string): Promise<ServerProcess> {
    const server = await startServerProcess('--storage', storage, '--naming', 'kubernetes', '--controllers', 'none');
    servers.push(server);
    return server;
  }

  async function stop(server: ServerProcess): Promise<void> {
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
    servers = servers.filter((one) => one !== server);
  }

  async function done(...args: string[]): Promise<string> {
    const { code, out, err } = await runCommand('storage', ...args);
    // The command reports progress if it takes a while.
    const complaints = err.replace(/^(restoring|checking) \d+\/\d+ .*\n/gm, '');
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
    return out;
  }

  it('restores a snapshot, and clients with later or earlier states notice', async () => {
    const [storage, file] = [`lmdb:${join(folder, 'data')}`, join(folder, 'snapshot')];
    let server = await serve(storage);
    const first = await create(server, 'first', 'kept');
    const changed = await ask(server, 'PUT', `${configMaps}/first`, { ...first, data: { value: 'changed' } });
    await create(server, 'second', 'kept');
    const before = await itemsOf(server);
    const namespaces = await itemsOf(server, '/api/v1/namespaces');
    expect(await runCommand('storage', 'snapshot', file, '--storage', storage)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`is in use by process ${server.pid}`),
    });
    await stop(server);
    expect(await done('snapshot', file, '--storage', storage)).toMatch(/: \d+ objects,/);
    server = await serve(storage);
    const later = await ask(server, 'PUT', `${configMaps}/first`, { ...changed.body, data: { value: 'later' } });
    await create(server, 'third', 'lost');
    await ask(server, 'DELETE', `${configMaps}/second`);
    await stop(server);
    await done('restore', file, '--storage', storage, '--replace');

    server = await serve(storage);
    const after = await itemsOf(server);
    expect(after.map(lasting)).toEqual(before.map(lasting));
    expect((await itemsOf(server, '/api/v1/namespaces')).map(lasting)).toEqual(namespaces.map(lasting));
    expect(Math.min(...after.map(revisionOf))).toBeGreaterThan(revisionOf(later.body) + 2);
    for (const old of [first, changed.body, later.body]) {
      const answer = await ask(server, 'PUT', `${configMaps}/first`, { ...old, data: { value: 'wrong' } });
      expect(answer).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
      const revision = old.metadata.resourceVersion;
      expect(await firstEvent(server, `resourceVersion=${revision}`)).toMatchObject({
        type: 'ERROR',
        object: { code: 410 },
      });
      const exact = `resourceVersion=${revision}&resourceVersionMatch=Exact`;
      expect((await ask(server, 'GET', `${configMaps}?${exact}`)).code).toBe(410);
    }
    const { body: list } = await ask(server, 'GET', configMaps);
    const event = firstEvent(server, `resourceVersion=${list.metadata.resourceVersion}`);
    const made = await create(server, 'fourth', 'new');
    expect(await event).toMatchObject({ type: 'ADDED', object: { metadata: made.metadata } });
  });

  it.runIf(hasEtcd)(`copies a state from lmdb to ${etcdOrWhyNot}, and from there while servers run`, async () => {
    const etcd: EtcdCluster = await startEtcd();
    try {
      const [lmdb, cluster] = [`lmdb:${join(folder, 'data')}`, `etcd:${etcd.endpoints.join(',')}`];
      const file = join(folder, 'snapshot');
      let server = await serve(lmdb);
      for (const name of ['a', 'b', 'c']) await create(server, name, name);
      const before = await itemsOf(server);
      await stop(server);
      expect(await done('migrate', '--from', lmdb, '--to', cluster)).toMatch(/: \d+ objects,/);
      const again = await runCommand('storage', 'migrate', '--from', lmdb, '--to', cluster);
      expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/has \d+ objects; name another store/) });
      const damaged = '/kindforge/objects//configmaps/default/damaged';
      await askEtcd(etcd, 'put', { key: base64(damaged), value: base64('{') });
      expect(await runCommand('storage', 'verify', '--storage', cluster)).toMatchObject({
        code: 1,
        out: expect.stringMatching(
          /^\/configmaps\/default\/damaged: the value in etcd at .* is not a stored object; .*\n/,
        ),
      });
      await askEtcd(etcd, 'deleterange', { key: base64(damaged) });
      const alias = cluster.replace('127.0.0.1', 'localhost');
      expect(await runCommand('storage', 'migrate', '--from', cluster, '--to', alias, '--replace')).toMatchObject({
        code: 2,
        err: expect.stringContaining('are the same store'),
      });

      const one = await serve(cluster);
      expect((await itemsOf(one)).map(lasting)).toEqual(before.map(lasting));
      const made = await create(one, 'd', 'd');
      expect(revisionOf(made)).toBeGreaterThan(Math.max(...before.map(revisionOf)));
      // While the server runs.
      await done('verify', '--storage', cluster);
      await done('snapshot', file, '--storage', cluster);
      const withD = await itemsOf(one);
      await create(one, 'e', 'lost');
      await done('restore', file, '--storage', cluster, '--replace');
      expect(await ask(one, 'GET', configMaps)).toMatchObject({ code: 503 });
      expect((await fetch(`${one.url}/readyz`)).status).toBe(500);
      await stop(one);
      const two = await serve(cluster);
      expect((await itemsOf(two)).map(lasting)).toEqual(withD.map(lasting));
      await stop(two);

      await done('restore', file, '--storage', `lmdb:${join(folder, 'new')}`);
      server = await serve(`lmdb:${join(folder, 'new')}`);
      expect((await itemsOf(server)).map(lasting)).toEqual(withD.map(lasting));
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      servers = [];
      await etcd.dispose();
    }
  });

  it.skipIf(!hasKubectl)('changes nothing for kubectl (skipped if it is not installed)', async () => {
    const [storage, file] = [`lmdb:${join(folder, 'data')}`, join(folder, 'snapshot')];
    let server = await serve(storage);
    let kubectl = kubectlFor(server.url);
    const manifest = (value: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { value } });
    printed(await kubectl.pipe(manifest('one'), 'apply', '-f', '-'));
    kubectl.close();
    await stop(server);
    await done('snapshot', file, '--storage', storage);
    await done('restore', file, '--storage', `lmdb:${join(folder, 'new')}`);
    server = await serve(`lmdb:${join(folder, 'new')}`);
    kubectl = kubectlFor(server.url);
    expect(printed(await kubectl.pipe(manifest('one'), 'apply', '-f', '-'))).toContain('configmap/applied unchanged');
    expect(printed(await kubectl.pipe(manifest('two'), 'apply', '-f', '-'))).toContain('configmap/applied configured');
    expect(printed(await kubectl.run('get', 'configmap', 'applied', '-o', 'jsonpath={.data.value}'))).toBe('two');
    kubectl.close();
  });

  it('names damaged objects of a store, does not copy them, and replaces the store', async () => {
    const [path, file] = [join(folder, 'data'), join(folder, 'snapshot')];
    const storage = `lmdb:${path}`;
    let server = await serve(storage);
    await create(server, 'good', 'whole');
    await create(server, 'bad', 'to-be-damaged');
    const before = await itemsOf(server);
    await stop(server);
    await done('snapshot', file, '--storage', storage);
    const data = await readFile(join(path, 'data.mdb'), 'latin1');
    await writeFile(join(path, 'data.mdb'), data.replaceAll('to-be-damaged', 'was-damaged!!'), 'latin1');

    const verified = await runCommand('storage', 'verify', '--storage', storage);
    expect(verified).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^\/configmaps\/default\/bad: its record.*\n/),
    });
    expect(verified.out).toMatch(/: \d+ objects,/);
    expect(verified.out).toContain('\n1 damaged\n');
    for (const args of [
      ['snapshot', join(folder, 'other'), '--storage', storage],
      ['migrate', '--from', storage, '--to', `lmdb:${join(folder, 'other')}`],
      ['restore', file, '--storage', storage],
    ]) {
      const message = 'the stored data is damaged:\n/configmaps/default/bad: ';
      expect(await runCommand('storage', ...args)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    }
    const refused = await runCommand('storage', 'restore', file, '--storage', storage);
    expect(refused.err).toContain('To replace all of it, add --replace.');
    await done('restore', file, '--storage', storage, '--replace');
    await done('verify', '--storage', storage);
    server = await serve(storage);
    expect((await itemsOf(server)).map(lasting)).toEqual(before.map(lasting));
  });

  it('reports mistakes of its arguments', async () => {
    const file = join(folder, 'text');
    await writeFile(file, 'kind: ConfigMap\n');
    const target = `lmdb:${join(folder, 'none')}`;
    for (const [code, message, ...args] of [
      [1, 'this is not a snapshot', 'restore', file, '--storage', target],
      [1, 'this is not a snapshot', 'verify', '--snapshot', file],
      [2, 'ENOENT', 'restore', join(folder, 'absent'), '--storage', target],
      [2, 'nothing is stored there', 'snapshot', file, '--storage', target],
      [2, 'nothing is stored there', 'verify', '--storage', target],
      [2, 'unknown; use one of: memory, lmdb:<folder>', 'verify', '--storage', 'nonsense'],
      [2, 'memory ends with its server', 'migrate', '--from', 'memory', '--to', target],
      [2, 'are the same store', 'migrate', '--from', target, '--to', `${target}/../none`],
      [2, 'give either --storage or --snapshot', 'verify'],
      [2, 'give either --storage or --snapshot', 'verify', '--storage', target, '--snapshot', file],
      [
        2,
        'give only one of --storage, --server and --kubeconfig',
        'snapshot',
        file,
        '--storage',
        target,
        '--server',
        'http://127.0.0.1:1',
      ],
    ] as const) {
      const ended = await runCommand('storage', ...args);
      expect({ args, ...ended }).toMatchObject({ args, code, out: '', err: expect.stringContaining(message) });
    }
  });
});
