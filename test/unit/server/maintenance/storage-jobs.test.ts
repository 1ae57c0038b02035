import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lmdbBackend, openStore } from '../../../../runtime/storage/index.js';
import { FlagError } from '../../../../server/maintenance/open-stores.js';
import { isRefusal, runStorageJob, type StorageJob } from '../../../../server/maintenance/storage-jobs.js';
import { startServer } from '../../../../server/start-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();
let storage: string;

beforeAll(async () => {
  const data = join(folder, 'data');
  storage = `lmdb:${data}`;
  const server = await startServer({ http: false, storage: { lmdb: data }, controllers: [] });
  await server.stop();
}, 60_000);

/** Returns the secret of a store in a folder. */
async function secretIn(name: string): Promise<Buffer> {
  const backend = lmdbBackend(join(folder, name));
  const store = await openStore({ backend, readAttributes: () => ({ labels: {}, fields: {} }) });
  await store.close();
  return Buffer.from(store.secret ?? []);
}

const quiet = (): void => {};

const isFlagError = (error: unknown): boolean => error instanceof FlagError && !isRefusal(error);

describe('a storage job', () => {
  it('returns the outcome, and reports each object on the way', async () => {
    const file = join(folder, 'snapshot');
    const target = `lmdb:${join(folder, 'restored')}`;
    const stages: string[] = [];
    const written = await runStorageJob({ job: 'snapshot', file, storage }, (stage) => stages.push(stage));
    expect(written).toMatchObject({ kind: 'snapshot', file, storage });
    const { objects } = written.kind === 'snapshot' ? written : { objects: 0 };
    expect(objects).toBeGreaterThan(100);
    expect(stages.length).toBeGreaterThanOrEqual(objects);
    expect(await runStorageJob({ job: 'verify-snapshot', file }, quiet)).toMatchObject({
      kind: 'verify',
      place: file,
      verified: { objects, damage: [] },
    });
    expect(await runStorageJob({ job: 'restore', file, storage: target, replace: false }, quiet)).toMatchObject({
      kind: 'transfer',
      source: file,
      target,
      transferred: { objects },
    });
    expect(await runStorageJob({ job: 'verify', storage: target }, quiet)).toMatchObject({ verified: { objects } });
  }, 60_000);

  it('copies a store with its secret, also twice, and back', async () => {
    const copy = `lmdb:${join(folder, 'copy')}`;
    const carried = { kind: 'transfer', keepsSecret: true };
    const migrate = (from: string, to: string, replace: boolean) =>
      runStorageJob({ job: 'migrate', from, to, replace }, quiet);
    const before = await secretIn('data');
    expect(await migrate(storage, copy, false)).toMatchObject(carried);
    expect(await secretIn('copy')).toEqual(before);
    // Two stores with one secret are still two stores.
    expect(await migrate(storage, copy, true)).toMatchObject(carried);
    expect(await migrate(copy, storage, true)).toMatchObject(carried);
    expect(await secretIn('data')).toEqual(before);
  }, 60_000);

  it.each<[string, () => StorageJob, (error: unknown) => boolean]>([
    ['one store for both', () => ({ job: 'migrate', from: storage, to: storage, replace: true }), isFlagError],
    ['a store that is not there', () => ({ job: 'verify', storage: `lmdb:${join(folder, 'none')}` }), isFlagError],
    ['a store in memory', () => ({ job: 'verify', storage: 'memory' }), isFlagError],
    [
      'a target with objects',
      () => ({ job: 'restore', file: join(folder, 'snapshot'), storage, replace: false }),
      isRefusal,
    ],
    [
      'a file that is no snapshot',
      () => ({ job: 'verify-snapshot', file: join(folder, 'data', 'data.mdb') }),
      isRefusal,
    ],
  ])('rejects %s', async (_, job, isExpected) => {
    const error: unknown = await runStorageJob(job(), quiet).catch((reason: unknown) => reason);
    expect(isExpected(error), String(error)).toBe(true);
  });
});
