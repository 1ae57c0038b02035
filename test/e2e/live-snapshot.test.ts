/** Snapshots of running servers: of one revision during writes, on every storage, and only for some users. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../generated/client.js';
import { openSnapshot } from '../../runtime/storage/transfer/read-snapshot.js';
import { type ListeningServer, type StartOptions, startServer } from '../../server/index.js';
import { builtCommand } from '../support/built-command.js';
import { etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { listenLocally } from '../support/local-server.js';
import { withoutProgress } from '../support/pages/transcript.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { runCommand } from '../support/server-process.js';

const folder = scratchFolder();

let files = 0;
const newPath = (): string => join(folder, `${++files}`);

/** Runs a storage command in a folder that is also its home. Returns its report. */
const runIn = (cwd: string, ...args: readonly string[]): string => {
  const env = { ...process.env, HOME: cwd, KUBECONFIG: '' };
  const ended = spawnSync(process.execPath, [builtCommand(), 'storage', ...args], { cwd, env, encoding: 'utf8' });
  expect(ended.status).toBe(2);
  return ended.stderr;
};

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function start(options: StartOptions & { readonly http?: { readonly port: 'auto' } }): Promise<ListeningServer> {
  const server = await startServer({
    controllers: [],
    ...options,
    authentication: { anonymous: 'administrator', ...options.authentication },
  });
  endings.push(() => server.stop());
  return server;
}

/** Creates objects that make a snapshot slow, and starts writers that continue until the test stops them. */
async function startWriters(server: ListeningServer): Promise<() => Promise<number>> {
  const maps = createClient(server.client()).core.v1.configMaps.in('default');
  const data = { text: 'x'.repeat(4000) };
  // Limits concurrent writes to what etcd can do on a busy machine.
  const seed = async (from: number): Promise<void> => {
    for (let i = from; i < 1500; i += 30) await maps.create({ metadata: { name: `seed-${i}` }, data });
  };
  await Promise.all(Array.from({ length: 30 }, (_, i) => seed(i)));
  let going = true;
  let writes = 0;
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; going; round++) {
      const name = `w${writer}-${round}`;
      await maps.create({ metadata: { name }, data });
      await maps.patch(`seed-${(round * 7 + writer) % 1500}`, { data: { round: `${writer}-${round}` } });
      if (round % 3 === 0) await maps.delete(name);
      writes += 2;
    }
  };
  const writers = Promise.all(Array.from({ length: 4 }, (_, i) => write(i)));
  return async () => {
    going = false;
    await writers;
    return writes;
  };
}

/** Prints a line for each object, with everything that clients see; with `revisions` false, without its revision. */
const linesOf = (server: ListeningServer, at?: number, revisions = true): readonly string[] => {
  const listed = server.store.list('', at === undefined ? {} : { at });
  if (typeof listed === 'string') throw new Error(listed);
  return listed.entries.map(({ key, revision, bytes }) => line(key, revision, bytes, revisions));
};

function line(key: string, revision: number, bytes: Uint8Array, revisions: boolean): string {
  const text = Buffer.from(bytes).toString();
  return revisions ? `${key} ${revision} ${text}` : `${key} ${text.replace(/"resourceVersion":"\d+"/, '')}`;
}

/** Returns whether a start keeps a line. A server with a secret of its own adds its authority to this ConfigMap. */
const isOfData = (text: string): boolean => !text.includes('/extension-apiserver-authentication ');

async function linesIn(path: string): Promise<readonly string[]> {
  const source = await openSnapshot(path);
  const lines: string[] = [];
  for await (const { key, revision, bytes } of source.objects) lines.push(line(key, revision, bytes, true));
  await source.close();
  expect(source.damage).toEqual([]);
  return lines;
}

describe('a snapshot of a server that writes', () => {
  it.each<[string, boolean, () => Promise<StartOptions['storage']> | StartOptions['storage']]>([
    ['memory', true, () => 'memory'],
    ['lmdb', true, () => ({ lmdb: newPath() })],
    ['unstorage', true, () => ({ unstorage: { driver: 'fs', options: { base: newPath() } } })],
    [
      etcdOrWhyNot,
      hasEtcd,
      async () => {
        const { endpoints, dispose } = await startEtcd();
        endings.push(dispose);
        return { etcd: { endpoints } };
      },
    ],
  ])('shows and restores it at one revision: %s', async (_name, isThere, storageOf) => {
    if (!isThere) return;
    const server = await start({ storage: await storageOf() });
    const stop = await startWriters(server);
    const before = server.store.revision;
    // On a slow disk, a store may still be at the same revision.
    await expect.poll(() => server.store.revision, { timeout: 20_000 }).toBeGreaterThan(before);
    const file = newPath();
    const { code, out, err } = await runCommand('storage', 'snapshot', file, '--server', server.url);
    expect(withoutProgress(err)).toBe('');
    const [, objects, revision] =
      /: (\d+) objects, \d+ bytes, as they are in http\S+ at revision (\d+)\n$/.exec(out) ?? [];
    const at = Number(revision);
    expect(await stop()).toBeGreaterThan(0);
    expect(code).toBe(0);
    expect(at).toBeGreaterThan(before);
    expect(server.store.revision).toBeGreaterThan(at);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = await linesIn(file);
    expect(lines).toHaveLength(Number(objects));
    expect(lines).toEqual(linesOf(server, at));
    const target = newPath();
    expect(await runCommand('storage', 'restore', file, '--storage', `lmdb:${target}`)).toMatchObject({ code: 0 });
    const restored = await start({ storage: { lmdb: target } });
    expect(linesOf(restored, undefined, false).filter(isOfData)).toEqual(linesOf(server, at, false).filter(isOfData));
  });
});

describe('the right to a snapshot', () => {
  const tokens = (): string => {
    const path = newPath();
    writeFileSync(path, 'root,root,u-1,system:masters\nben,ben,u-2\nall,all,u-3\nsecrets,secrets,u-4\n');
    return path;
  };

  it('is the right to list everything, and the right to its path', async () => {
    const server = await start({ authentication: { anonymous: 'refused', tokenFile: tokens() } });
    const rbac = createClient(server.client()).rbac.v1;
    const grant = async (
      name: string,
      rules: Parameters<typeof rbac.clusterRoles.create>[0]['rules'],
    ): Promise<void> => {
      await rbac.clusterRoles.create({ metadata: { name }, rules });
      await rbac.clusterRoleBindings.create({
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.platform.io', name }],
      });
    };
    const path = { verbs: ['get'], nonResourceURLs: ['/storage/*'] };
    await grant('secrets', [path, { verbs: ['*'], apiGroups: [''], resources: ['*'] }]);
    await grant('all', [path, { verbs: ['list'], apiGroups: ['*'], resources: ['*'] }]);
    const ask = (token: string, method = 'GET'): Promise<Response> =>
      fetch(`${server.url}/storage/snapshot`, { method, headers: { authorization: `Bearer ${token}` } });
    const answers = await Promise.all(['root', 'all', 'ben', 'secrets', 'nobody'].map((token) => ask(token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403, 401]);
    expect((await ask('root', 'POST')).status).toBe(405);
    const [whole, , pathDenied, listDenied] = await Promise.all(answers.map((answer) => answer.text()));
    expect(whole?.startsWith('KFSNAP1\n')).toBe(true);
    expect(pathDenied).toContain('forbidden: User \\"ben\\" cannot get path \\"/storage/snapshot\\"');
    expect(listDenied).toContain(
      'User \\"secrets\\" cannot list resource \\"*\\" in API group \\"*\\" at the cluster scope',
    );
  });

  it('is the administrator’s, by a kubeconfig over TLS', async () => {
    const server = await startServer({ http: false, tls: {}, controllers: [], credentials: { folder: newPath() } });
    endings.push(() => server.stop());
    const file = newPath();
    const kubeconfig = server.credentials?.kubeconfig ?? '';
    const { code, err } = await runCommand('storage', 'snapshot', file, '--kubeconfig', kubeconfig);
    expect([code, withoutProgress(err)]).toEqual([0, '']);
    expect(await linesIn(file)).toEqual(linesOf(server));
  });

  it('is not recorded with the objects', async () => {
    const policyFile = newPath();
    const log = newPath();
    const rules = [{ level: 'RequestResponse' }];
    writeFileSync(policyFile, JSON.stringify({ apiVersion: 'audit.platform.io/v1', kind: 'Policy', rules }));
    const server = await start({ audit: { policyFile, log: { path: log } } });
    await (await fetch(`${server.url}/storage/snapshot`)).text();
    await server.stop();
    const events = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    const own = events.filter(({ requestURI }) => requestURI === '/storage/snapshot');
    expect(own.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
    expect(own.filter((event) => 'responseObject' in event)).toEqual([]);
  });
});

describe('a snapshot that fails', () => {
  it.each([
    ['of a server that breaks the connection', (whole: Buffer) => whole.subarray(0, -200), 'is cut off'],
    ['of another program', () => Buffer.from('<html>'), 'this is not a snapshot that this version can read'],
  ])('%s leaves nothing behind', async (_name, change, problem) => {
    const real = await start({});
    const whole = Buffer.from(await (await fetch(`${real.url}/storage/snapshot`)).arrayBuffer());
    const other = createServer((_req, res) => res.end(change(whole)));
    const port = await listenLocally(other);
    endings.push(() => new Promise((resolve) => other.close(() => resolve())));
    const before = readdirSync(folder);
    const file = newPath();
    const { code, err } = await runCommand('storage', 'snapshot', file, '--server', `http://127.0.0.1:${port}`);
    expect(err).toContain(problem);
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each([['snapshot', newPath()], ['migrate-versions'], ['rewrite']])(
    '%s takes the server of $KUBECONFIG',
    async (...args) => {
      vi.stubEnv('KUBECONFIG', '/nowhere');
      const { code, err } = await runCommand('storage', ...args);
      vi.unstubAllEnvs();
      expect(err).toContain('/nowhere');
      expect(code).toBe(2);
    },
  );

  it.each([['snapshot', newPath()], ['migrate-versions'], ['rewrite']])(
    '%s takes the server that other commands find',
    async (...args) => {
      const project = scratchFolder();
      expect(runIn(project, ...args)).toContain('no server is known: give --storage STORE');
      const credentials = join(project, '.kindforge/data/credentials');
      mkdirSync(credentials, { recursive: true });
      writeFileSync(join(credentials, 'kubeconfig'), 'not: a kubeconfig', { mode: 0o600 });
      expect(runIn(project, ...args)).toContain('the kubeconfig has no current-context');
      chmodSync(join(credentials, 'kubeconfig'), 0o666);
      expect(runIn(project, ...args)).toContain('is not used');
    },
  );

  it.each([
    [['--storage', 'lmdb:x', '--server', 'http://127.0.0.1:1'], 'give only one of --storage'],
    [['--server', 'http://127.0.0.1:1'], 'is the server running'],
    [['--kubeconfig', '/nowhere'], 'no kubeconfig at'],
  ])('by %j is refused', async (flags, message) => {
    const file = newPath();
    const { code, err } = await runCommand('storage', 'snapshot', file, ...flags);
    expect(err).toContain(message);
    expect(code).not.toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});
