/** `kindforge serve` as a command: its start, its messages about mistakes, and its end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/client.js';
import { freePort, listenLocally } from '../support/local-server.js';
import { runHere } from '../support/run-here.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { runCommand, type ServerProcess, spawnCommand, startServerProcess } from '../support/server-process.js';
import { startServing } from '../support/serving.js';
import { root } from '../support/shared.js';

/** Not every machine has IPv6. */
const hasIPv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'));
const loopbackAddresses = ['127.0.0.2', 'localhost', ...(hasIPv6 ? ['::1'] : [])];

const folder = scratchFolder();

const write = filesIn(folder);

/** Flags that a server starts with. Tests add a wrong flag. If a flag is given twice, the last one counts. */
const harmless = ['--storage', 'memory', '--http-port', 'auto', '--secure-port', '0'];

const serve = (...flags: string[]) => runCommand('serve', ...harmless, ...flags);

describe('a wrong flag', () => {
  it.each([
    [['--nonsense'], "error: unknown option '--nonsense'"],
    [['surplus'], "error: too many arguments for 'serve'"],
    [['--naming'], "error: option '--naming <names>' argument missing"],
    [['--http-port', 'abc'], '--http-port abc: must be a port up to 65535, auto for a free one, or 0 for none'],
    [['--http-port', '65536'], '--http-port 65536: must be a port up to 65535'],
    [['--http-port', ''], '--http-port (nothing): must be a port up to 65535'],
    [['--http-port', '-1'], '--http-port -1: must be a port up to 65535'],
    [
      ['--host', '0.0.0.0'],
      '--host 0.0.0.0 is not a loopback address; plain HTTP is for this machine only, and --bind-address sets',
    ],
    [
      ['--secure-port', 'auto', '--bind-address', '0.0.0.0', '--allow-everyone'],
      '--bind-address 0.0.0.0 can be reached from other machines, where everyone would be an administrator; add authentication: leave out --allow-everyone',
    ],
    [['--host', '::'], '--host :: is not a loopback address'],
    [['--host', 'example.com'], '--host example.com is not a loopback address'],
    [['--host', '127.0.0.1.example.com'], 'is not a loopback address'],
    [['--naming', 'klingon'], '--naming klingon: must be platform or kubernetes'],
    [
      ['--storage', 'lmdb:'],
      '--storage lmdb:: unknown; use one of: memory, lmdb:<folder>, fs:<folder>, unstorage:<driver>',
    ],
    [
      ['--storage', 'floppy'],
      '--storage floppy: unknown; use one of: memory, lmdb:<folder>, fs:<folder>, unstorage:<driver>',
    ],
    [['--storage', 'lmdb:/dev/null/data'], '--storage lmdb:/dev/null/data: ENOTDIR'],
    [
      ['--cors-allowed-origins', '//a(:|$),//b'],
      '--cors-allowed-origins //b matches other hosts too; anchor its start with ^ or //, and its end with $ or :',
    ],
    [['--cors-allowed-origins', ''], '--cors-allowed-origins (nothing) is empty'],
    [['--feature-gates', 'Nope=true'], '--feature-gates: unrecognized feature gate: Nope; docs/feature-gates.md lists'],
    [['--feature-gates', 'ServerSideApply=false'], '--feature-gates: cannot set feature gate ServerSideApply to false'],
    [['--runtime-config', 'api/nope'], '--runtime-config: invalid key api/nope; use <group>/<version>'],
    [['--runtime-config', 'api/v1=yes'], '--runtime-config: invalid value of api/v1: "yes"; use api/v1=true or'],
    [['--runtime-config', 'core/v1'], '--runtime-config: unknown api groups core'],
    [['--runtime-config', 'api/v1/secret=false'], 'unknown resource api/v1/secret; did you mean `api/v1/secrets`?'],
    [['--feature-gates', 'WatchList=maybe'], 'use WatchList=true or WatchList=false'],
    [
      ['--cluster-signing-apiserver-client-agent-key-file', 'a.key'],
      '--cluster-signing-apiserver-client-agent-key-file needs --cluster-signing-apiserver-client-agent-cert-file; give both',
    ],
    [['--cluster-signing-cert-file', 'a', '--cluster-signing-key-file', 'b'], '--cluster-signing-cert-file a: ENOENT'],
    [['--cluster-signing-duration', '5m'], '--cluster-signing-duration 5m: must be a duration of at least 10m'],
    [['--controllers', 'namespace,moon'], '--controllers: moon is unknown; use *, none, or names of: '],
    [['--schemas', '/nowhere'], '--schemas /nowhere: must be a folder'],
    [['--schemas', '/dev/null'], '--schemas /dev/null: must be a folder'],
    [
      ['--secure-port', 'auto', '--tls-cert-file', '/nowhere'],
      '--tls-cert-file and --tls-private-key-file must be given together',
    ],
    [
      ['--secure-port', 'auto', '--tls-private-key-file', '/nowhere'],
      '--tls-cert-file and --tls-private-key-file must be given together',
    ],
    [
      ['--secure-port', 'auto', '--tls-cert-file', '/nowhere', '--tls-private-key-file', '/nowhere'],
      '--tls-cert-file /nowhere: ENOENT',
    ],
    [
      [
        '--secure-port',
        'auto',
        '--tls-cert-file',
        join(root, 'package.json'),
        '--tls-private-key-file',
        join(root, 'package.json'),
      ],
      `--tls-cert-file ${join(root, 'package.json')} with --tls-private-key-file`,
    ],
    [['--credentials-dir', ''], '--credentials-dir (nothing): must be the path of a folder'],
    [['--credentials-dir', '/dev/null'], "the administrator's credentials cannot be written: EEXIST"],
    [
      ['--allow-everyone', '--anonymous-auth', 'true'],
      '--allow-everyone and --anonymous-auth cannot be used together; leave one out',
    ],
    [['--token-auth-file', '/nowhere'], '--token-auth-file /nowhere: ENOENT'],
  ])('ends it with code 2, and the message names it: %j', async (flags, message) => {
    const { code, out, err } = await runHere('serve', ...harmless, ...flags);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  it('is reported with the line of a token file', async () => {
    const path = write('tokens.csv', 'token,user,uid\ntoken2,user\n');
    const { code, err } = await serve('--token-auth-file', path);
    expect({ code, err }).toEqual({
      code: 2,
      err: `kindforge: ${path}: line 2: a token needs three columns (token, user, uid), found 2\n`,
    });
  });
});

describe('a server that cannot start', () => {
  it('names the port that is in use', async () => {
    const other = createServer();
    const port = await listenLocally(other);
    onTestFinished(() => void other.close());
    expect(await serve('--http-port', String(port))).toEqual({
      code: 2,
      out: '',
      err: `kindforge: port ${port} of 127.0.0.1 is in use; choose another one with --http-port\n`,
    });
  });

  it('names every mistake in its definitions', async () => {
    const { code, out, err } = await serve('--schemas', join(root, 'test/golden/many-mistakes/input'));
    const expected = readFileSync(join(root, 'test/golden/many-mistakes/diagnostics.txt'), 'utf8');
    const errors = expected.split('\n').filter((line) => /^\S+:\d+:\d+ KF\d+ /.test(line));
    expect(errors.length).toBeGreaterThan(3);
    for (const line of errors) expect(err).toContain(line);
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });

  it('refuses damaged data, and prints the cure', async () => {
    const data = join(folder, 'damaged');
    const server = await startServerProcess('--storage', `lmdb:${data}`);
    const maps = createClient({ baseUrl: server.url }).core.v1.configMaps.in('default');
    await maps.create({ metadata: { name: 'precious' }, data: { word: 'undamaged-word' } });
    await server.end('SIGTERM');
    const file = join(data, 'data.mdb');
    const bytes = readFileSync(file, 'latin1');
    expect(bytes).toContain('undamaged-word');
    writeFileSync(file, bytes.replaceAll('undamaged-word', 'unDamaged-word'), 'latin1');
    const { code, err } = await serve('--storage', `lmdb:${data}`);
    expect(err).toContain('kindforge: the stored data is damaged:\n/configmaps/default/precious: ');
    expect(code).toBe(1);
  });

  it('refuses data of the other naming', async () => {
    const storage = ['--storage', `lmdb:${join(folder, 'named')}`];
    await (await startServerProcess(...storage)).end('SIGTERM');
    expect(await serve(...storage, '--naming', 'kubernetes', '--quiet')).toEqual({
      code: 2,
      out: '',
      err: 'kindforge: the data was written under --naming platform; serve it so, or choose another --storage\n',
    });
    expect(await (await startServerProcess(...storage)).end('SIGTERM')).toMatchObject({ code: 0, err: '' });
  });
});

describe('a server that starts', () => {
  it('prints its address and how to connect, and ends in order', async () => {
    const data = join(folder, 'data');
    const server = await startServerProcess('--storage', `lmdb:${data}`, '--naming', 'kubernetes');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { code, out, err } = await server.end('SIGTERM');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`curl ${server.url}/apis`);
    expect(out).toContain(`kubectl --server ${server.url} api-resources`);
    expect(out).toContain(`createClient({ baseUrl: '${server.url}'`);
    expect(out).toContain(data);
  });

  it('refuses requests without credentials, and writes credentials for users who may read its data', async () => {
    const data = join(folder, 'own');
    const credentials = join(data, 'credentials');
    const start = () => startServerProcess('--storage', `lmdb:${data}`, '--credentials-dir', credentials);
    const server = await start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/v1/secrets`)).status).toBe(403);
    const [name = '', value = ''] = readFileSync(join(credentials, 'header'), 'utf8').trim().split(': ');
    expect((await fetch(`${server.url}/api/v1/secrets`, { headers: { [name]: value } })).status).toBe(200);
    const { out } = await server.end('SIGTERM');
    expect(out).toContain(`curl -H @${credentials}/header ${server.url}/apis`);
    expect(out).toContain(`kubeconfig: loadKubeconfig({ path: '${credentials}/kubeconfig' })`);
    const again = await start();
    const client = createClient({ kubeconfig: loadKubeconfig({ path: join(credentials, 'kubeconfig') }) });
    expect((await client.core.v1.namespaces.list()).items).toHaveLength(4);
    expect((await fetch(`${again.url}/api/v1/secrets`, { headers: { [name]: value } })).status).toBe(200);
    await again.end('SIGTERM');
  });

  it.each(loopbackAddresses)('listens on %s, which is loopback', async (host) => {
    const server = await startServing({ host });
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    await server.stop();
  });

  it('serves definitions beside the built-in kinds, and instead of them', async () => {
    write(
      'shop/widgets.yaml',
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.shop.example.com }
spec:
  group: shop.example.com
  names: { plural: widgets, kind: Widget }
  scope: Cluster
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
---
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: leases.coordination.platform.io }
spec:
  group: coordination.platform.io
  names: { plural: leases, kind: Lease, shortNames: [own] }
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`,
    );
    const server = await startServing({ schemas: join(folder, 'shop') });
    const read = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json();
    expect(await read('/apis/shop.example.com/v1/widgets')).toMatchObject({ kind: 'WidgetList' });
    expect(await read('/apis/coordination.platform.io/v1')).toMatchObject({
      resources: [{ name: 'leases', shortNames: ['own'] }],
    });
    expect(await read('/apis/storage.platform.io/v1/csidrivers')).toMatchObject({ kind: 'CSIDriverList' });
    await server.stop();
  });

  it('runs the chosen controllers', async () => {
    const remove = async (controllers: string): Promise<unknown> => {
      const server = await startServing({ controllers });
      const { namespaces, configMaps } = createClient({ baseUrl: server.url }).core.v1;
      await namespaces.create({ metadata: { name: 'doomed' } });
      await configMaps.create({ metadata: { name: 'inside', namespace: 'doomed' } });
      const deleted = namespaces.delete('doomed');
      const gone = async (): Promise<boolean> =>
        (await namespaces.list({ fieldSelector: 'metadata.name=doomed' })).items.length === 0;
      await deleted;
      if (controllers !== 'none') await expect.poll(gone, { timeout: 20_000 }).toBe(true);
      const { items } = await configMaps.list({ fieldSelector: 'metadata.name=inside' });
      await server.stop();
      return items.length;
    };
    expect(await remove('*')).toBe(0);
    expect(await remove('none')).toBe(1);
  });

  it('finishes requested deletions after another start', async () => {
    const storage = ['--storage', `lmdb:${join(folder, 'begun')}`];
    const before = await startServerProcess(...storage, '--controllers', 'none');
    const doomed = createClient({ baseUrl: before.url }).core.v1.namespaces;
    await doomed.create({ metadata: { name: 'doomed' } });
    await doomed.delete('doomed');
    await before.end('SIGKILL');
    const after = await startServerProcess(...storage);
    const { namespaces } = createClient({ baseUrl: after.url }).core.v1;
    const left = async (): Promise<number> =>
      (await namespaces.list({ fieldSelector: 'metadata.name=doomed' })).items.length;
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    expect(await after.end('SIGTERM')).toMatchObject({ code: 0, err: '' });
  });

  it('continues a list in chunks from before another start', async () => {
    const storage = ['--storage', `lmdb:${join(folder, 'chunks')}`, '--controllers', 'none'];
    const read = async ({ url }: ServerProcess, query: string) =>
      (await fetch(`${url}/api/v1/namespaces?limit=2${query}`)).json();
    const names = ({ items }: { items: { metadata: { name: string } }[] }) =>
      items.map(({ metadata }) => metadata.name);
    const before = await startServerProcess(...storage);
    const first = await read(before, '');
    await before.end('SIGKILL');
    const after = await startServerProcess(...storage);
    await createClient({ baseUrl: after.url }).core.v1.namespaces.create({ metadata: { name: 'later' } });
    const second = await read(after, `&continue=${first.metadata.continue}`);
    expect([...names(first), ...names(second)]).toEqual([
      'default',
      'platform-node-lease',
      'platform-public',
      'platform-system',
    ]);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect(await after.end('SIGTERM')).toMatchObject({ code: 0, err: '' });
  });

  it('lists in one piece if the gate for chunks is off', async () => {
    const server = await startServing({ featureGates: 'APIListChunking=false' });
    const { items, metadata } = await (await fetch(`${server.url}/api/v1/namespaces?limit=1&continue=x`)).json();
    expect(items).toHaveLength(4);
    expect(metadata).toEqual({ resourceVersion: expect.any(String) });
    await server.stop();
  });

  it('prints nothing with --quiet', async () => {
    const port = String(await freePort());
    const { child, ended } = spawnCommand(
      'serve',
      '--storage',
      'memory',
      '--http-port',
      port,
      '--secure-port',
      '0',
      '--allow-everyone',
      '--quiet',
    );
    const read = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    const ready = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok ?? false;
    await expect.poll(ready, { timeout: 20_000 }).toBe(true);
    await read('/api/v1/namespaces');
    // The notice of a deprecated metric is not an error.
    expect(await read('/metrics')).toContain('apiserver_request_slo_duration_seconds_count{');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, out: '', err: '' });
  });
});
