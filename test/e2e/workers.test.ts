/** A server with workers is one API, with one port, one store, and metrics of all processes. */
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.js';
import { childrenOf, isThere } from '../support/processes.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { runCommand, type ServerProcess, startServerProcess } from '../support/server-process.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** Sends a request over a connection of its own, which the next worker gets. */
const ask = (url: string, path: string): Promise<{ readonly code: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const asked = get(`${url}${path}`, { agent: new Agent({ keepAlive: false }) }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on('end', () => resolve({ code: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
  });

async function create(url: string, name: string): Promise<number> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const answer = await fetch(`${url}${configMaps}`, { method: 'POST', headers, body: JSON.stringify(configMap(name)) });
  await answer.text();
  return answer.status;
}

/** Watches on a connection of its own. Returns the received names, in order. */
function watch(url: string): { readonly names: readonly string[]; stop(): void } {
  const names: string[] = [];
  const agent = new Agent({ keepAlive: false });
  let rest = '';
  const asked = get(`${url}${configMaps}?watch=1`, { agent }, (answer) => {
    answer.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      names.push(...lines.map((line): string => JSON.parse(line).object.metadata.name));
    });
    answer.on('error', () => undefined);
  });
  asked.on('error', () => undefined);
  return { names, stop: () => void asked.destroy() };
}

const valueIn = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  );

describe('a server with two workers', () => {
  const folder = scratchFolder();
  const storage = `lmdb:${join(folder, 'data')}`;
  const flags = ['--workers', '2', '--console', 'false', '--controllers', 'none'];
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess(...flags, '--storage', storage);
  });
  afterAll(() => server.end('SIGKILL'));

  it('reads the writes of one connection through every other', async () => {
    const watches = [1, 2, 3, 4].map(() => watch(server.url));
    await sleep(300);
    for (const name of ['a', 'b', 'c', 'd']) {
      expect(await create(server.url, name)).toBe(201);
      for (let i = 0; i < 4; i++) expect((await ask(server.url, `${configMaps}/${name}`)).code).toBe(200);
    }
    await until(() => watches.every(({ names }) => names.length >= 4));
    for (const { names, stop } of watches) {
      expect(names.filter((name) => /^[a-d]$/.test(name))).toEqual(['a', 'b', 'c', 'd']);
      stop();
    }
  });

  it('shows metrics of all processes, which do not fall when a worker ends', async () => {
    const series =
      'apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",system_client="",verb="GET",version="v1"}';
    const read = async () => (await ask(server.url, '/metrics')).text;
    const before = valueIn(await read(), series);
    for (let i = 0; i < 10; i++) await ask(server.url, `${configMaps}/a`);
    const text = await read();
    expect(valueIn(text, series)).toBe(before + 10);
    expect(valueIn(text, 'kindforge_workers')).toBe(2);
    expect(valueIn(text, 'apiserver_storage_objects{resource="configmaps"}')).toBeLessThan(10);
    const [worker = 0] = childrenOf(server.pid);
    process.kill(worker, 'SIGKILL');
    await until(async () => {
      const now = await read().catch(() => '');
      return valueIn(now, 'kindforge_workers') === 2 && valueIn(now, 'kindforge_worker_restarts_total') === 1;
    });
    expect(valueIn(await read(), series)).toBe(before + 10);
  });

  it('loses nothing with a killed worker, and starts another worker', async () => {
    const made: string[] = [];
    const [worker = 0] = childrenOf(server.pid);
    for (let i = 0; i < 60; i++) {
      if (i === 20) process.kill(worker, 'SIGKILL');
      const code = await create(server.url, `kept-${i}`).catch(() => 0);
      if (code === 201) made.push(`kept-${i}`);
    }
    expect(made.length).toBeGreaterThan(50);
    await until(() => childrenOf(server.pid).length === 2);
    expect(childrenOf(server.pid)).not.toContain(worker);
    for (const name of made) expect((await ask(server.url, `${configMaps}/${name}`)).code).toBe(200);
  });

  it('stops in order', async () => {
    const workers = childrenOf(server.pid);
    const { code, err } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(workers.filter(isThere)).toEqual([]);
    expect(err.split('\n').filter((line) => !/is started again|is deprecated/.test(line))).toEqual(['']);
  });

  it('ends with the owner process', async () => {
    server = await startServerProcess(...flags, '--storage', storage);
    expect((await ask(server.url, `${configMaps}/kept-0`)).code).toBe(200);
    const workers = childrenOf(server.pid);
    expect(workers).toHaveLength(2);
    await server.end('SIGKILL');
    await until(() => workers.every((pid) => !isThere(pid)));
  });

  it('shows metrics and stops although a worker is frozen', async () => {
    const { pid, url, end } = await startServerProcess(...flags, '--storage', 'memory');
    const [frozen = 0, other = 0] = childrenOf(pid);
    process.kill(frozen, 'SIGSTOP');
    try {
      // The frozen worker may get one of these connections.
      const scrapes = [0, 1].map(() => ask(url, '/metrics'));
      expect(valueIn((await Promise.race(scrapes)).text, 'kindforge_workers')).toBe(2);
      for (const scrape of scrapes) scrape.catch(() => undefined);
      expect((await end('SIGTERM')).code).toBe(0);
      await until(() => !isThere(frozen) && !isThere(other));
    } finally {
      if (isThere(frozen)) process.kill(frozen, 'SIGKILL');
    }
  });

  it('prints once why it does not start', async () => {
    server = await startServerProcess(...flags, '--storage', 'memory');
    const taken = new URL(server.url).port;
    const { code, err } = await runCommand(
      ...['serve', ...flags, '--storage', 'memory', '--http-port', taken, '--secure-port', '0', '--allow-everyone'],
    );
    expect(code).toBe(2);
    expect(err).toMatch(/^kindforge: port \d+ of 127\.0\.0\.1 is in use; .*\n$/);
  });

  it('keeps objects in memory for all workers', async () => {
    expect(await create(server.url, 'in-memory')).toBe(201);
    for (let i = 0; i < 4; i++) expect((await ask(server.url, `${configMaps}/in-memory`)).code).toBe(200);
  });

  it('encrypts snapshots, although the owner encrypts the store', async () => {
    const configuration = join(folder, 'encryption.yaml');
    writeFileSync(
      configuration,
      `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [configmaps]
    providers: [{ aesgcm: { keys: [{ name: monday, secret: ${Buffer.alloc(32, 7).toString('base64')} }] } }]
`,
    );
    const encrypted = ['--storage', 'memory', '--encryption-provider-config', configuration];
    const own = await startServerProcess(...flags, ...encrypted);
    try {
      expect(await create(own.url, 'hidden')).toBe(201);
      const { code, text } = await ask(own.url, '/storage/snapshot');
      expect([code, text.includes('/configmaps/default/hidden')]).toEqual([200, true]);
      expect([text.includes('k8s:enc:aesgcm:v1:monday:'), text.includes('"name":"hidden"')]).toEqual([true, false]);
    } finally {
      await own.kill();
    }
  });
});
