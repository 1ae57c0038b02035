/** Encryption at rest, as operators use it: turned on, rotated, turned off, backed up, and with a key service. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answersOf, serveKeys } from '../../examples/encryption/key-service.js';
import { eventually } from '../support/eventually.js';
import { runHere } from '../support/run-here.js';
import { testFolder } from '../support/scratch-folder.js';
import { startServerProcess } from '../support/server-process.js';
import { type ServingFlags, startServing } from '../support/serving.js';

const secretOf = (name: string): string => Buffer.alloc(32, name).toString('base64');

/** Writes a configuration that encrypts secrets with the first of its keys; `none` is the provider `identity`. */
const configuration = (...names: readonly string[]): string => `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
${names.map((name) => `      - ${name === 'none' ? 'identity: {}' : `secretbox: { keys: [{ name: ${name}, secret: ${secretOf(name)} }] }`}\n`).join('')}`;

let folder: string;
let config: string;
let data: string;
beforeEach(() => {
  folder = testFolder();
  [config, data] = [join(folder, 'encryption.yaml'), join(folder, 'data')];
});

/** Starts a server on the data. */
const serve = async (more: ServingFlags = { encryptionProviderConfig: config }) => {
  const server = await startServing({ storage: `lmdb:${data}`, controllers: 'none', ...more });
  onTestFinished(() => server.stop());
  return server;
};

const flags = () => ['--encryption-provider-config', config];
const storage = () => ['--storage', `lmdb:${data}`];
const use = (...names: readonly string[]): void => writeFileSync(config, configuration(...names));

/** Returns whether a text is in a file of the data. */
const isOnDisk = (text: string): boolean =>
  readdirSync(data, { recursive: true, withFileTypes: true }).some(
    (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(text),
  );

const secretsAt = (url: string): string => `${url}/api/v1/namespaces/default/secrets`;

async function createSecret(url: string, name: string, password: string): Promise<Response> {
  const body = JSON.stringify({ metadata: { name }, stringData: { password } });
  return fetch(secretsAt(url), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function passwordOf(url: string, name: string): Promise<string> {
  const { data } = (await (await fetch(`${secretsAt(url)}/${name}`)).json()) as { data?: { password?: string } };
  return Buffer.from(data?.password ?? '', 'base64').toString();
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
}

const reload = 'apiserver_encryption_config_controller_automatic_reload';

it('encrypts existing objects, rotates keys while it runs, and refuses a bad file', async () => {
  use('a', 'none');
  const plain = await serve({});
  expect((await createSecret(plain.url, 'db', 'hunter-before')).status).toBe(201);
  await plain.stop();
  expect(isOnDisk(base64('hunter-before'))).toBe(true);

  const server = await startServerProcess(...storage(), ...flags());
  expect(await passwordOf(server.url, 'db')).toBe('hunter-before');
  await createSecret(server.url, 'new', 'hunter-after');
  expect([isOnDisk(base64('hunter-after')), isOnDisk('k8s:enc:secretbox:v1:a:')]).toEqual([false, true]);
  expect(await runHere('storage', 'rewrite', '--server', server.url)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ objects, 1 written again\n$/),
  });

  use('b', 'a');
  await eventually(async () => expect(await metric(server.url, `${reload}_success_total`)).toBe(1));
  await createSecret(server.url, 'later', 'hunter-later');
  expect(isOnDisk('k8s:enc:secretbox:v1:b:')).toBe(true);
  expect((await runHere('storage', 'rewrite', '--server', server.url)).out).toMatch(/ 2 written again\n$/);
  expect((await runHere('storage', 'rewrite', '--server', server.url)).out).toMatch(/ 0 written again\n$/);

  writeFileSync(config, configuration('c').replace(secretOf('c'), 'c2hvcnQ='));
  await eventually(async () => expect(await metric(server.url, `${reload}_failures_total`)).toBe(1));
  expect((await createSecret(server.url, 'last', 'hunter-last')).status).toBe(201);
  expect(await (await fetch(`${server.url}/readyz`)).text()).toBe('ok');
  const { err } = await server.end('SIGTERM');
  expect(err).toContain('what was read before stays in use: ');
  expect(err).toContain('secret is not of the expected length, got 5, expected one of [32]');

  use('b');
  const rotated = await serve();
  expect(await passwordOf(rotated.url, 'db')).toBe('hunter-before');
});

it('does not start without a key, names the key, and prints the cure', async () => {
  use('a');
  const server = await serve();
  await createSecret(server.url, 'db', 'hunter');
  await server.stop();
  const problem =
    '/secrets/default/db: it is encrypted with key "a" of secretbox, which the encryption configuration does not have for its resource\n' +
    'Give the missing keys with --encryption-provider-config. Or start with';
  const without = await runHere('serve', ...storage());
  expect(without).toMatchObject({ code: 1, err: expect.stringContaining(problem) });
  use('b', 'none');
  expect(await runHere('serve', ...storage(), ...flags())).toMatchObject({
    code: 1,
    err: expect.stringContaining(problem),
  });
  const rest = await serve({ encryptionProviderConfig: config, onDamage: 'serve-rest' });
  const answer = await fetch(`${secretsAt(rest.url)}/db`);
  expect([answer.status, await answer.json()]).toEqual([
    500,
    expect.objectContaining({ message: expect.stringContaining('it is encrypted with key "a" of secretbox') }),
  ]);
  await rest.stop();
  use('a');
  const again = await serve();
  expect(await passwordOf(again.url, 'db')).toBe('hunter');
});

it('reports the mistakes of the file', async () => {
  const missing = await runHere('serve', ...storage(), ...flags());
  expect(missing).toMatchObject({
    code: 2,
    err: expect.stringContaining(`--encryption-provider-config ${config} cannot be read`),
  });
  writeFileSync(config, configuration('a').replace('identity', 'x').replace(secretOf('a'), 'c2hvcnQ='));
  const wrong = await runHere('serve', ...storage(), ...flags());
  expect(wrong.err).toContain(
    `--encryption-provider-config ${config}:6:48: resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of`,
  );
});

it('encrypts snapshots, and rewrites and restores stores without a server', async () => {
  use('a', 'none');
  const file = join(folder, 'file.kfs');
  const server = await serve({});
  await createSecret(server.url, 'db', 'hunter');
  await server.stop();
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await runHere('storage', ...args);
    return [code, out + err] as const;
  };
  expect(await run('rewrite', ...storage(), ...flags())).toEqual([
    0,
    expect.stringMatching(/ objects, 1 written again\n$/),
  ]);
  expect(await run('rewrite', ...storage(), ...flags())).toEqual([
    0,
    expect.stringMatching(/ objects, 0 written again\n$/),
  ]);
  expect(await run('snapshot', file, ...storage())).toEqual([
    1,
    expect.stringContaining('Give the missing keys with --enc'),
  ]);
  expect(await run('snapshot', file, ...storage(), ...flags())).toEqual([0, expect.anything()]);
  const content = readFileSync(file);
  expect([content.includes(base64('hunter')), content.includes('k8s:enc:secretbox:v1:a:')]).toEqual([false, true]);
  expect(await run('verify', '--snapshot', file)).toEqual([
    0,
    expect.stringContaining('1 of them are encrypted, and were checked by their checksums alone\nnothing is damaged'),
  ]);
  expect((await run('verify', '--snapshot', file, ...flags()))[1]).not.toContain('are encrypted');
  const target = ['--storage', `lmdb:${join(folder, 'restored')}`];
  expect(await run('restore', file, ...target)).toEqual([
    1,
    expect.stringContaining(`objects in ${file} cannot be decrypted`),
  ]);
  expect(await run('restore', file, ...target, ...flags())).toEqual([0, expect.anything()]);
  const restored = await serve({ storage: `lmdb:${join(folder, 'restored')}`, encryptionProviderConfig: config });
  expect(await passwordOf(restored.url, 'db')).toBe('hunter');
  const live = join(folder, 'live.kfs');
  expect(await run('snapshot', live, '--server', restored.url)).toEqual([0, expect.anything()]);
  expect(readFileSync(live).includes(base64('hunter'))).toBe(false);
  await restored.stop();
  expect(await run('verify', ...target)).toEqual([
    1,
    expect.stringContaining('it is encrypted with key "a" of secretbox'),
  ]);
});

describe('with a key service', () => {
  const socket = () => join(folder, 'kms.sock');
  const answers = () => answersOf(join(folder, 'keys'));
  const keysAre = (...ids: readonly string[]): void =>
    writeFileSync(join(folder, 'keys'), ids.map((id) => `${id} ${secretOf(id)}\n`).join(''));
  const useService = (timeout: string): void =>
    writeFileSync(
      config,
      `${configuration()}      - kms: { apiVersion: v2, name: vault, endpoint: "unix://${socket()}", timeout: ${timeout} }\n`,
    );

  beforeEach(() => {
    keysAre('one');
    useService('20s');
  });

  it('stores keys beside values, and survives a restart of both', async () => {
    const stop = await serveKeys(socket(), answers());
    const server = await serve();
    const { url } = server;
    await createSecret(url, 'db', 'hunter');
    expect([isOnDisk(base64('hunter')), isOnDisk('k8s:enc:kms:v2:vault:')]).toEqual([false, true]);
    expect(await (await fetch(`${url}/readyz/kms-providers`)).text()).toBe('ok');
    expect((await fetch(`${url}/livez/kms-providers`)).status).toBe(404);
    expect(await metric(url, 'apiserver_envelope_encryption_key_id_hash_total\\{.*to_storage.*\\}')).toBeGreaterThan(0);
    await server.stop();
    stop();
    onTestFinished(await serveKeys(socket(), answers()));
    const again = await serve();
    expect(await passwordOf(again.url, 'db')).toBe('hunter');
    expect(await metric(again.url, 'apiserver_storage_envelope_transformation_cache_misses_total')).toBe(1);
    await again.stop();
  });

  it('refuses writes of secrets after a long outage of the service, and allows all other requests', async () => {
    const stop = await serveKeys(socket(), answers());
    const { url } = await serve();
    await createSecret(url, 'db', 'hunter');
    stop();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await createSecret(url, 'soon', 'hunter')).status).toBe(201);
    vi.setSystemTime(Date.now() + 181_000);
    const refused = await createSecret(url, 'late', 'hunter');
    expect([refused.status, await refused.json()]).toEqual([
      500,
      expect.objectContaining({
        reason: 'InternalError',
        message: expect.stringMatching(/encryptedDEKSource with keyID hash "sha256:\w+" expired at /),
      }),
    ]);
    const configmaps = secretsAt(url).replace('secrets', 'configmaps');
    const headers = { 'content-type': 'application/json' };
    const other = await fetch(configmaps, { method: 'POST', headers, body: '{"metadata":{"name":"a"}}' });
    expect([other.status, await passwordOf(url, 'db')]).toEqual([201, 'hunter']);
    expect((await fetch(`${secretsAt(url)}/soon`, { method: 'DELETE' })).status).toBe(200);
    expect(await (await fetch(`${url}/livez`)).text()).toBe('ok');
    expect(await (await fetch(`${url}/readyz`)).text()).toContain('[-]kms-providers failed');
  });

  it('does not start while the service hangs or lacks the key, and reports the reason', async () => {
    useService('1s');
    await expect(serve()).rejects.toThrow(
      /encryption.yaml: KMS provider "vault" has no key: failed to perform status section of the healthz check/,
    );
    useService('20s');
    let isHanging = false;
    const hanging = { ...answers(), Decrypt: (one: never) => (isHanging ? sleep(5_000, {}) : answers().Decrypt(one)) };
    onTestFinished(await serveKeys(socket(), hanging));
    const server = await serve();
    await createSecret(server.url, 'db', 'hunter');
    await server.stop();
    isHanging = true;
    useService('2s');
    await expect(serve()).rejects.toThrow(
      '/secrets/default/db: KMS provider "vault": failed to decrypt DEK, error: 4 DEADLINE_EXCEEDED',
    );
    isHanging = false;
    useService('20s');
    keysAre('two');
    await expect(serve()).rejects.toThrow('failed to decrypt DEK, error: 13 INTERNAL: the key one is missing');
  });
});

describe('a Secret that cannot be read', () => {
  const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';
  const serveRest = async (featureGates: string, more: ServingFlags = { encryptionProviderConfig: config }) => {
    const server = await serve({ onDamage: 'serve-rest', emulatedVersion: 'latest', featureGates, ...more });
    const secrets = secretsAt(server.url);
    const ask = async (method: string, name: string, query = '', headers = {}): Promise<[number, string]> => {
      const answer = await fetch(`${secrets}${name}${query}`, { method, headers });
      const { message = '' } = (await answer.json()) as { message?: string };
      return [answer.status, message];
    };
    return { url: server.url, ask, stop: () => server.stop() };
  };

  it('may be deleted if it is damaged, too', async () => {
    const storage = { storage: `unstorage:fs?base=${data}` };
    const before = await serveRest('', storage);
    for (const name of ['lost', 'sound']) await createSecret(before.url, name, `hunter-${name}`);
    await before.stop();
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    for (const file of files.map(({ parentPath, name }) => join(parentPath, name))) {
      const content = readFileSync(file);
      const at = content.indexOf(base64('hunter-lost'));
      if (at >= 0) writeFileSync(file, content.fill('x', at, at + 5));
    }
    const { ask, stop } = await serveRest('AllowUnsafeMalformedObjectDeletion=true', storage);
    expect(await ask('GET', '')).toEqual([500, 'failed to read one or more secrets from the storage']);
    expect(await ask('DELETE', '/lost', `?${unsafe}`)).toEqual([200, '']);
    expect(await ask('GET', '')).toEqual([200, '']);
    await stop();
    const again = await serveRest('', { ...storage, onDamage: 'refuse' });
    expect([(await again.ask('GET', '/lost'))[0], await passwordOf(again.url, 'sound')]).toEqual([404, 'hunter-sound']);
  });

  it('may be deleted by users with the right and the option, but nothing else may', async () => {
    use('a');
    const before = await serveRest('');
    await createSecret(before.url, 'lost', 'hunter');
    await before.stop();
    use('b');
    const without = await serveRest('');
    expect(await without.ask('DELETE', '/lost', `?${unsafe}`)).toEqual([
      500,
      expect.stringContaining('cannot be read'),
    ]);
    expect((await without.ask('GET', ''))[0]).toBe(200);
    await without.stop();

    const { url, ask } = await serveRest('AllowUnsafeMalformedObjectDeletion=true');
    expect((await createSecret(url, 'sound', 'hunter')).status).toBe(201);
    const key = '/registry/secrets/default/lost';
    const corrupt = `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: data from the storage is not transformable revision=0: it is encrypted with key "a" of secretbox`;
    const cause = { reason: 'UnexpectedServerResponse', message: expect.stringContaining(corrupt), field: key };
    expect(await (await fetch(secretsAt(url))).json()).toMatchObject({
      code: 500,
      reason: 'StorageReadError',
      message: 'failed to read one or more secrets from the storage',
      details: { name: 'list', kind: 'secrets', causes: [cause] },
    });
    expect((await ask('DELETE', ''))[1]).toBe('failed to read one or more secrets from the storage');
    const exclusive = 'is exclusively used to delete corrupt object(s), try again by removing this option';
    for (const name of ['/sound', '/none'])
      expect(await ask('DELETE', name, `?${unsafe}`)).toEqual([422, expect.stringContaining(exclusive)]);
    expect(await ask('DELETE', '/lost', `?${unsafe}&dryRun=All&gracePeriodSeconds=1`)).toEqual([
      422,
      expect.stringMatching(/cannot be set together with \.dryRun.*cannot be set together with \.gracePeriodSeconds/),
    ]);
    expect(await ask('DELETE', '', `?${unsafe}`)).toEqual([
      422,
      expect.stringContaining('not allowed with DELETECOLLECTION'),
    ]);
    const rights = `${url}/apis/rbac.authorization.platform.io/v1`;
    const post = (path: string, body: object) =>
      fetch(`${rights}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name: 'cleaner' }, ...body }),
      });
    const roleRef = { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'cleaner' };
    const bob = { kind: 'User', apiGroup: roleRef.apiGroup, name: 'bob' };
    await post('clusterroles', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['delete'] }] });
    expect((await post('clusterrolebindings', { roleRef, subjects: [bob] })).status).toBe(201);
    expect(await ask('DELETE', '/lost', `?${unsafe}`, { 'impersonate-user': 'bob' })).toEqual([
      403,
      expect.stringContaining('not permitted to do "unsafe-delete-ignore-read-errors"'),
    ]);
    expect(await ask('DELETE', '/lost')).toEqual([500, expect.stringContaining('cannot be read')]);
    expect(await ask('DELETE', '/lost', `?${unsafe}`)).toEqual([200, '']);
    expect([(await ask('GET', '/lost'))[0], (await ask('GET', ''))[0]]).toEqual([404, 200]);
    expect((await createSecret(url, 'lost', 'again')).status).toBe(201);
  }, 60_000);
});
