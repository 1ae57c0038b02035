/** Two servers over one PostgreSQL are one API, and the commands of storage work with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask as askJson } from '../support/ask.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../support/postgres.js';
import { runHere } from '../support/run-here.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const password = 'no+secret/2';

interface Body {
  readonly message?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const ask = (server: ServeProcess, method: string, path: string, body?: unknown) =>
  askJson<Body>(server, method, path, body);

const configMap = (name: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${holds}`);
    await sleep(50);
  }
}

const textOf = async (server: ServeProcess, path: string): Promise<string> =>
  (await fetch(`${server.url}${path}`)).text();

describe.runIf(hasPostgres)(`two servers over one ${postgresOrWhyNot}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-e2e-postgres-'));
  const passwordFile = join(folder, 'password');
  let postgres: PostgresServer;
  let store: string;
  let servers: readonly [ServeProcess, ServeProcess];

  /** Returns the flag for a schema, with the password in a file. */
  const inSchema = (schema: string): string =>
    `postgres://postgres@127.0.0.1:${postgres.port}/postgres?schema=${schema}&password-file=${passwordFile}`;

  beforeAll(async () => {
    writeFileSync(passwordFile, `${password}\n`);
    postgres = await startPostgres({ password });
    store = inSchema('shop');
    const inUrl = store
      .replace('postgres@', `postgres:${encodeURIComponent(password)}@`)
      .replace(/&password-file=.*/, '');
    servers = await Promise.all([startServe('--storage', store), startServe('--storage', inUrl)]);
  });
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.kill()));
    await postgres?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('read each other’s writes at once, and watch them', async () => {
    const [a, b] = servers;
    const from = (await ask(b, 'GET', configMaps)).body.metadata.resourceVersion;
    const ending = new AbortController();
    const watch = await fetch(`${b.url}${configMaps}?watch=1&resourceVersion=${from}`, { signal: ending.signal });
    let seen = '';
    const reading = (async () => {
      for await (const chunk of watch.body ?? []) seen += Buffer.from(chunk).toString();
    })().catch(() => {});
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 ? [a, b] : [b, a];
      const made = await ask(writer, 'POST', configMaps, configMap(`read-${round}`, 'one'));
      expect(made.code).toBe(201);
      expect(await ask(reader, 'GET', `${configMaps}/read-${round}`)).toEqual({ code: 200, body: made.body });
      const next = { ...made.body, data: { value: 'two' } };
      expect((await ask(reader, 'PUT', `${configMaps}/read-${round}`, next)).code).toBe(200);
      expect((await ask(writer, 'PUT', `${configMaps}/read-${round}`, next)).code).toBe(409);
    }
    await until(() => seen.split('\n').length > 20);
    const events = seen.trim().split('\n');
    expect(events.map((line) => JSON.parse(line).type)).toEqual(Array(10).fill(['ADDED', 'MODIFIED']).flat());
    ending.abort();
    await reading;
  });

  it('never show the password', async () => {
    for (const server of servers) {
      const shown = [server.output(), await textOf(server, '/metrics'), await textOf(server, '/readyz?verbose')];
      for (const text of shown) {
        expect(text).not.toContain(password);
        expect(text).not.toContain(encodeURIComponent(password));
      }
      expect(server.output()).toMatch(/data +PostgreSQL at postgres:\/\/postgres(:\*\*\*)?@127\.0\.0\.1/);
    }
    const metrics = await textOf(servers[0], '/metrics');
    expect(metrics).toMatch(/etcd_request_duration_seconds_count\{operation="commit"/);
    expect(metrics).toMatch(/kindforge_storage_committed_changes_total [1-9]/);
  });

  it('continue by themselves after an outage of PostgreSQL', async () => {
    const [a, b] = servers;
    expect((await ask(a, 'POST', configMaps, configMap('kept', '1'))).code).toBe(201);
    expect((await ask(b, 'GET', `${configMaps}/kept`)).code).toBe(200);
    await postgres.stopAtOnce();
    await until(async () => (await fetch(`${b.url}/readyz`)).status === 500);
    expect((await fetch(`${b.url}/livez`)).status).toBe(200);
    expect(await ask(b, 'GET', `${configMaps}/kept`)).toMatchObject({
      code: 503,
      body: { message: expect.stringContaining(`PostgreSQL at 127.0.0.1:${postgres.port}`) },
    });
    expect((await ask(b, 'GET', `${configMaps}/kept?resourceVersion=0`)).code).toBe(200);
    await postgres.restart();
    for (const server of servers) await until(async () => (await fetch(`${server.url}/readyz`)).status === 200);
    expect((await ask(b, 'GET', `${configMaps}/kept`)).code).toBe(200);
    expect((await ask(b, 'POST', configMaps, configMap('later', '1'))).code).toBe(201);
  });

  it('have views for reports', async () => {
    const { out } = await runHere('storage', 'sql', '--schema', 'shop');
    await postgres.sql(out);
    expect(await postgres.sql(`SELECT object->'data'->>'value' FROM shop.objects_json WHERE name = 'kept'`)).toBe('1');
  });

  it('are copied, encrypted, snapshotted and verified by the commands of storage', async () => {
    const keys = join(folder, 'keys.yaml');
    writeFileSync(
      keys,
      [
        'apiVersion: apiserver.config.k8s.io/v1',
        'kind: EncryptionConfiguration',
        'resources:',
        "- resources: ['*.*']",
        '  providers:',
        `  - secretbox: { keys: [{ name: one, secret: ${Buffer.alloc(32, 7).toString('base64')} }] }`,
        '  - identity: {}',
      ].join('\n'),
    );
    const encrypted = ['--encryption-provider-config', keys];
    const [folderStore, copy, file] = [`lmdb:${folder}/data`, inSchema('copy'), join(folder, 'monday.kfs')];
    const storage = async (...args: string[]) => {
      const { code, out, err } = await runHere('storage', ...args);
      // On a slow machine, standard error also has the progress.
      expect(code, err).toBe(0);
      return out;
    };
    await storage('migrate', '--from', store, '--to', folderStore);
    expect(await storage('migrate', '--from', folderStore, '--to', copy, ...encrypted)).toContain(
      "the source's secret",
    );
    expect(await postgres.sql(`SELECT count(*) > 0, bool_and(substr(body, 1, 4) = 'k8s:') FROM copy.objects`)).toBe(
      't|t',
    );
    await storage('snapshot', file, '--storage', copy, ...encrypted);
    expect(await storage('verify', '--snapshot', file, ...encrypted)).toContain('nothing is damaged');
    expect(await storage('verify', '--storage', copy, ...encrypted)).toContain('nothing is damaged');
    const again = await runHere('storage', 'restore', file, '--storage', copy, ...encrypted);
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/has \d+ objects; name another store/) });
    const server = await startServe('--storage', copy, ...encrypted);
    try {
      expect(await ask(server, 'GET', `${configMaps}/kept`)).toMatchObject({
        code: 200,
        body: { data: { value: '1' } },
      });
    } finally {
      await server.kill();
    }
  });

  it('report wrong storage settings, without the password', async () => {
    const wrong = await runHere(
      'storage',
      'verify',
      '--storage',
      `postgres://postgres:not-that@127.0.0.1:${postgres.port}/postgres`,
    );
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('password authentication failed') });
    expect(wrong.err).not.toContain('not-that');
    const nothing = await runHere('storage', 'snapshot', join(folder, 'none.kfs'), '--storage', inSchema('nowhere'));
    expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('in the schema "nowhere"') });
    const malformed = await runHere('serve', '--storage', 'postgres://anna:not-t@at@db/shop');
    expect(malformed).toMatchObject({ code: 2, err: expect.stringContaining('are written as %40') });
    expect(malformed.err).not.toContain('not-t');
  });
});
