/** The jobs of `kindforge storage`. */
import { createProgress } from '../../generator/diagnostics/progress.js';
import type { Damage, Store } from '../../runtime/contract/index.js';
import {
  copyState,
  DamagedSnapshotError,
  DamagedStoreError,
  NoSnapshotError,
  restoreSnapshot,
  soundSnapshot,
  soundState,
  stateOf,
  type TransferProgress,
  type Transferred,
  UnfinishedRestoreError,
  type Verified,
  verifySnapshot,
  verifyState,
  writeSnapshot,
} from '../../runtime/storage/index.js';
import { FlagError, isSame, NotEmptyError, openSource, openTarget, readStore } from './open-stores.js';

/** How a job ended: `refused` where data is wrong, `failed` where a store or a file cannot be used. */
export type Ending = 'done' | 'refused' | 'failed';

/** A job, with the flags' values as they were given. */
export type StorageJob =
  | { readonly job: 'snapshot'; readonly file: string; readonly storage: string }
  | { readonly job: 'restore'; readonly file: string; readonly storage: string; readonly replace: boolean }
  | { readonly job: 'migrate'; readonly from: string; readonly to: string; readonly replace: boolean }
  | { readonly job: 'verify'; readonly storage: string }
  | { readonly job: 'verify-snapshot'; readonly file: string };

/** Does a job. Its outcome goes to standard output; its progress, and what went wrong, to standard error. */
export async function runStorage(job: StorageJob): Promise<Ending> {
  const progress = createProgress(process.stderr);
  try {
    return await start(job, (...step) => progress.step(...step));
  } catch (error) {
    progress.end();
    console.error(`kindforge: ${error instanceof Error ? error.message : String(error)}`);
    return endingOf(error);
  } finally {
    progress.end();
  }
}

function endingOf(error: unknown): Ending {
  const refusals = [DamagedSnapshotError, DamagedStoreError, NoSnapshotError, NotEmptyError, UnfinishedRestoreError];
  return refusals.some((refusal) => error instanceof refusal) ? 'refused' : 'failed';
}

function start(job: StorageJob, progress: TransferProgress): Promise<Ending> {
  if (job.job === 'snapshot') return snapshot(job.storage, job.file, progress);
  if (job.job === 'restore') return restore(job.file, job.storage, job.replace, progress);
  if (job.job === 'migrate') return migrate(job.from, job.to, job.replace, progress);
  return job.job === 'verify' ? verify(job.storage, progress) : verifyFile(job.file, progress);
}

async function snapshot(storage: string, file: string, progress: TransferProgress): Promise<Ending> {
  const { store } = await openSource('--storage', storage);
  return closing(store, async () => {
    const state = soundState(store, progress);
    const { objects, bytes } = await writeSnapshot(file, state, progress);
    console.log(`${file}: ${objects} objects, ${bytes} bytes, as they are in ${storage} at revision ${state.revision}`);
    return 'done';
  });
}

async function restore(file: string, storage: string, replace: boolean, progress: TransferProgress): Promise<Ending> {
  const snapshot = await soundSnapshot(file, progress);
  const { store } = await openTarget('--storage', storage, replace);
  return closing(store, async () => {
    tell(await restoreSnapshot(snapshot, store, { progress }), file, storage);
    return 'done';
  });
}

async function migrate(from: string, to: string, replace: boolean, progress: TransferProgress): Promise<Ending> {
  if (isSame(readStore('--from', from), readStore('--to', to))) throw sameStore(from, to);
  const source = await openSource('--from', from);
  return closing(source.store, async () => {
    const target = await openTarget('--to', to, replace);
    return closing(target.store, async () => {
      const [secret, other] = [source.store.secret, target.store.secret];
      // Only the servers over one and the same store share a secret.
      if (secret && other && Buffer.compare(secret, other) === 0) throw sameStore(from, to);
      tell(await copyState(soundState(source.store, progress), target.store, { progress }), from, to);
      return 'done';
    });
  });
}

function sameStore(from: string, to: string): FlagError {
  return new FlagError(`--from ${from} and --to ${to} are the same store`);
}

function tell({ objects, from, to }: Transferred, source: string, target: string): void {
  console.log(`${target}: ${objects} objects, as they were in ${source} at revision ${from}`);
  console.log(`its revisions go on from ${to}; clients that know older ones list again`);
}

async function verify(storage: string, progress: TransferProgress): Promise<Ending> {
  const { store, damage } = await openSource('--storage', storage, 'serve-rest');
  return closing(store, async () => {
    const verified = verifyState(stateOf(store), progress);
    return summarize(storage, { ...verified, damage: [...damage, ...verified.damage] });
  });
}

async function verifyFile(file: string, progress: TransferProgress): Promise<Ending> {
  return summarize(file, await verifySnapshot(file, progress));
}

function summarize(place: string, { objects, bytes, oldest, newest, revision, damage }: Verified): Ending {
  for (const found of damage) console.log(lineOf(found));
  const changed = objects === 0 ? '' : `, last changed at revisions ${oldest} to ${newest}`;
  console.log(`${place}, at revision ${revision}: ${objects} objects, ${bytes} bytes${changed}`);
  console.log(damage.length === 0 ? 'nothing is damaged' : `${damage.length} damaged`);
  return damage.length === 0 ? 'done' : 'refused';
}

function lineOf({ key, problem, cure }: Damage): string {
  return `${key || '(key unknown)'}: ${problem}; ${cure}`;
}

/** Closes a store after its use, whatever comes of that. */
async function closing(store: Store, use: () => Promise<Ending>): Promise<Ending> {
  try {
    return await use();
  } finally {
    await store.close();
  }
}
