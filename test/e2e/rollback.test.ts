/**
 * Releases of a project over the same data, forward and back. Each release reads the data of the next one, by rule 4b
 * of deprecations. If a project breaks the rule, its server refuses the data rather than lose some of it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ApiObjectLike, createResourceClient, defineResource } from '../../client/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { nativeResource } from '../support/kinds.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const folder = scratchFolder();

type Version = 'v1' | 'v2';

const versionOf = (name: Version, spec: JsonObject) => ({
  name,
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
  },
});
const v1 = versionOf('v1', { degrees: { type: 'integer' }, shelves: { type: 'integer' } });
const v2 = versionOf('v2', { temperature: { type: 'integer' }, shelves: { type: 'integer' } });

/** The conversion of each version to the other one, if the other one is stored. */
const steps = {
  v2: [{ move: { field: 'spec.temperature', stored: 'spec.degrees' } }],
  v1: [{ move: { field: 'spec.degrees', stored: 'spec.temperature' } }],
};

/** Builds the project with these versions. The first one is stored. */
function build(name: string, versions: readonly (typeof v1)[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  const written = versions.map((version, index) => ({
    ...version,
    storage: index === 0,
    ...(index === 0 ? {} : { conversion: { steps: steps[version.name] } }),
  }));
  const definition = nativeResource({ kind: 'Oven', group: 'bakery.example.com', versions: written });
  writeFileSync(join(path, 'ovens.json'), JSON.stringify(definition));
  return path;
}

const builds = { old: build('old', [v1]), new: build('new', [v1, v2]), next: build('next', [v2, v1]) };

interface Oven extends ApiObjectLike {
  readonly spec?: { readonly degrees?: number; readonly temperature?: number; readonly shelves?: number };
}

const ovensOf = (server: ListeningServer, version: Version) =>
  createResourceClient(
    defineResource<Oven>()({
      group: 'bakery.example.com',
      version,
      plural: 'ovens',
      kind: 'Oven',
      scope: 'Namespaced',
      subresources: [],
    } as const),
    { baseUrl: server.url },
  ).in('default');

/** Runs a build over the data. */
async function during<T>(schemas: string, storage: string, use: (server: ListeningServer) => Promise<T>): Promise<T> {
  const server = await startServing({ schemas, storage });
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

let stores = 0;
const freshStore = (): string => `lmdb:${join(folder, `data${stores++}`)}`;

const degrees = async (server: ListeningServer) =>
  Object.fromEntries(
    (await ovensOf(server, 'v1').list()).items.map(({ metadata, spec }) => [metadata.name, spec?.degrees]),
  );

describe('releases that keep the rule', () => {
  it('read the data of the next release, and keep unknown fields', async () => {
    const storage = freshStore();
    await during(builds.old, storage, async (server) => {
      await ovensOf(server, 'v1').create({ metadata: { name: 'first' }, spec: { degrees: 100 } });
    });
    await during(builds.new, storage, async (server) => {
      await ovensOf(server, 'v2').create({ metadata: { name: 'second' }, spec: { temperature: 200, shelves: 3 } });
      await ovensOf(server, 'v2').patch('first', { spec: { temperature: 101 } });
    });
    // Back to the old release, which does not know v2.
    await during(builds.old, storage, async (server) => {
      expect(await degrees(server)).toEqual({ first: 101, second: 200 });
      await ovensOf(server, 'v1').patch('second', { spec: { degrees: 201 } });
    });
    await during(builds.new, storage, async (server) => {
      expect(await ovensOf(server, 'v2').get('second')).toMatchObject({ spec: { temperature: 201, shelves: 3 } });
    });
    await during(builds.next, storage, async (server) => {
      await ovensOf(server, 'v2').create({ metadata: { name: 'third' }, spec: { temperature: 300 } });
      await ovensOf(server, 'v2').patch('first', { spec: { temperature: 102 } });
      expect(await degrees(server)).toEqual({ first: 102, second: 201, third: 300 });
    });
    // Back to the release before, which stores v1 and knows v2.
    await during(builds.new, storage, async (server) => {
      expect(await degrees(server)).toEqual({ first: 102, second: 201, third: 300 });
      await ovensOf(server, 'v1').patch('third', { spec: { degrees: 301 } });
      expect(await ovensOf(server, 'v2').get('third')).toMatchObject({ spec: { temperature: 301 } });
    });
  });
});

describe('a release that breaks the rule', () => {
  it('does not start on data that it would lose, and does not change it', async () => {
    const storage = freshStore();
    await during(builds.next, storage, async (server) => {
      await ovensOf(server, 'v2').create({ metadata: { name: 'only' }, spec: { temperature: 1 } });
    });
    await expect(during(builds.old, storage, async () => {})).rejects.toThrow(
      /stored there are 1 object of ovens\.bakery\.example\.com in v2, which the definitions do not have; start the release/,
    );
    await during(builds.next, storage, async (server) => {
      expect(await ovensOf(server, 'v2').get('only')).toMatchObject({ spec: { temperature: 1 } });
      // An object that was deleted later does not count.
      await ovensOf(server, 'v2').delete('only');
    });
    await during(builds.old, storage, async (server) => expect(await degrees(server)).toEqual({}));
  });

  it.runIf(hasEtcd)(`does not change what another server over ${etcdOrWhyNot} stores meanwhile`, async () => {
    const cluster = await startEtcd();
    const storage = `etcd:${cluster.endpoints[0]?.replace('http://', '')}`;
    onTestFinished(() => cluster.dispose());
    await during(builds.old, storage, (old) =>
      during(builds.next, storage, async (next) => {
        const oven = { metadata: { name: 'shared' }, spec: { temperature: 1 } };
        await ovensOf(next, 'v2').create(oven);
        const refused = 'stored in bakery.example.com/v2, which this server does not know';
        await expect(ovensOf(old, 'v1').patch('shared', { spec: { degrees: 2 } })).rejects.toThrow(refused);
        await expect(ovensOf(old, 'v1').delete('shared')).rejects.toThrow(refused);
        expect(await ovensOf(next, 'v2').get('shared')).toMatchObject({ spec: oven.spec });
      }),
    );
  });
});
