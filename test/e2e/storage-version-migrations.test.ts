/** StorageVersionMigrations: when they are served, their results, their continuation, and the command. */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, createResourceClient, discoverResources, until } from '../../client/index.js';
import { endOf, migrationsOf, rateAnnotation } from '../../controllers/storage-migration/migrations.js';
import { migrateVersions } from '../../server/maintenance/migrate-versions.js';
import { defineTools, storeAs, storedVersionsOf, toolsOf } from '../support/migration/tools.js';
import { servingForTests, startServing } from '../support/serving.js';

const server = servingForTests({ featureGates: 'StorageVersionMigrator=true' });
let client: ClientOptions;
const objects = 450;

beforeAll(async () => {
  client = { baseUrl: server().url };
  await defineTools(client);
  const tools = toolsOf(client, 'v1').in('default');
  const names = Array.from({ length: objects }, (_, index) => `t${index}`);
  await Promise.all(names.map((name) => tools.create({ metadata: { name }, spec: { value: name } })));
});

const migrations = () => createResourceClient(migrationsOf('storagemigration.platform.io'), client);
const tools = { group: 'example.com', version: 'v2', resource: 'tools' };

async function ended(name: string) {
  const migration = await until(migrations(), name, (one) => endOf(one) !== undefined);
  return { ...endOf(migration), resourceVersion: migration.status?.resourceVersion };
}

it('run, and report their result', async () => {
  await storeAs(client, 'v2');
  await migrations().create({ metadata: { name: 'all' }, spec: { resource: tools } });
  expect(await ended('all')).toMatchObject({
    type: 'Succeeded',
    reason: 'StorageVersionMigrationSucceeded',
    message: `${objects} objects, ${objects} written again; nothing is stored in v1 any more`,
    resourceVersion: expect.stringMatching(/^\d+$/),
  });
  expect(await storedVersionsOf(client)).toEqual(['v2']);
});

it.each([
  [{ group: 'example.com', version: 'v2', resource: 'hammers' }, 'hammers of group "example.com" are not served'],
  [{ group: 'example.com', version: 'v9', resource: 'tools' }, 'tools of group "example.com" are not served in v9'],
  [
    { group: 'authorization.platform.io', version: 'v1', resource: 'subjectaccessreviews' },
    'cannot be listed and patched',
  ],
])('fail for %j', async (resource, message) => {
  const { metadata } = await migrations().create({ metadata: { generateName: 'none-' }, spec: { resource } });
  const { name = '' } = metadata;
  expect(await ended(name)).toMatchObject({ type: 'Failed', message: expect.stringContaining(message) });
});

it('continue from their continue token, keep their rate, and end with the object', async () => {
  await storeAs(client, 'v1');
  const annotations = { [rateAnnotation]: '400' };
  const began = performance.now();
  await migrations().create({ metadata: { name: 'slow', annotations }, spec: { resource: tools } });
  const half = await until(migrations(), 'slow', ({ spec }) => (spec?.continueToken ?? '') !== '');
  expect(half.status?.conditions).toMatchObject([
    { type: 'Running', status: 'True', message: expect.stringMatching(/^\d+ objects/) },
  ]);
  expect(await ended('slow')).toMatchObject({ type: 'Succeeded' });
  expect(performance.now() - began).toBeGreaterThan((objects / 400) * 1000 - 200);
  await storeAs(client, 'v2');
  await migrations().create({
    metadata: { name: 'gone', annotations: { [rateAnnotation]: '20' } },
    spec: { resource: tools },
  });
  await until(migrations(), 'gone', ({ status }) => (status?.conditions ?? []).length > 0);
  await migrations().delete('gone');
  // The migration that waited behind it runs now.
  await migrations().create({
    metadata: { name: 'next' },
    spec: { resource: { version: 'v1', resource: 'namespaces' } },
  });
  expect(await ended('next')).toMatchObject({ type: 'Succeeded' });
  expect(await storedVersionsOf(client)).toEqual(['v1', 'v2']);
});

it('are created by the command if they are served, and deleted again', async () => {
  for (const { metadata } of (await migrations().list()).items) await migrations().delete(metadata.name ?? '');
  await storeAs(client, 'v2');
  const told: string[] = [];
  const outcome = await migrateVersions(
    { server: server().url, naming: 'platform', rate: '5000' },
    (_done, _total, what) => {
      told.push(what);
    },
  );
  expect(outcome).toMatchObject({ kind: 'asked' });
  const ends = outcome.kind === 'asked' ? outcome.ends : [];
  expect(ends.filter(({ failed }) => failed)).toEqual([]);
  expect(ends.find(({ resource }) => resource === 'tools.example.com')?.message).toContain(`${objects} objects`);
  expect(told).toContain('resources, now configmaps');
  expect((await migrations().list()).items).toEqual([]);
  expect(await storedVersionsOf(client)).toEqual(['v2']);
});

it('do not exist unless the gate is on', async () => {
  const without = await startServing();
  const resources = await discoverResources({ baseUrl: without.url });
  expect(resources.filter(({ group }) => group.startsWith('storagemigration'))).toEqual([]);
  await without.stop();
});

it('run in v1beta1, too, which does not name a version', async () => {
  const later = await startServing({ featureGates: 'StorageVersionMigrator=true', emulatedVersion: 'latest' });
  onTestFinished(() => later.stop());
  const connection = { baseUrl: later.url };
  await defineTools(connection);
  await toolsOf(connection, 'v1')
    .in('default')
    .create({ metadata: { name: 'a' }, spec: { value: 'a' } });
  await storeAs(connection, 'v2');
  const resource = createResourceClient(migrationsOf('storagemigration.platform.io', 'v1beta1'), connection);
  await resource.create({
    metadata: { name: 'all' },
    spec: { resource: { group: 'example.com', resource: 'tools' } },
  });
  const migration = await until(resource, 'all', (one) => endOf(one) !== undefined);
  expect(endOf(migration)).toMatchObject({ type: 'Succeeded', lastTransitionTime: expect.any(String) });
  expect(await storedVersionsOf(connection)).toEqual(['v2']);
  await storeAs(connection, 'v1');
  const outcome = await migrateVersions({ server: later.url, naming: 'platform', rate: '5000' }, () => undefined);
  const ends = outcome.kind === 'asked' ? outcome.ends : [];
  expect(ends.find(({ resource }) => resource === 'tools.example.com')?.message).toContain('1 object, 1 written again');
  expect((await resource.list()).items.map(({ metadata }) => metadata.name)).toEqual(['all']);
});
