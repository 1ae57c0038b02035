/** Does the jobs of `kindforge storage`: takes and restores snapshots, copies stores, and verifies both. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { DiscoveredResource } from '../../client/index.js';
import type { Position } from '../../controllers/storage-migration/migrate-resource.js';
import type { Store } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import {
  copyState,
  DamagedFileError,
  DamagedSnapshotError,
  DamagedStoreError,
  type Encryption,
  LockedStoreError,
  NoSnapshotError,
  REVISION_GAP,
  receiveSnapshot,
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
import { jsonObjectIn } from '../text/limits.js';
import { withoutPassword } from '../text/postgres.js';
import {
  connectionTo,
  FlagError,
  isSame,
  NotEmptyError,
  nameOfServer,
  openSource,
  openTarget,
  type RunningServerFlags,
  readStore,
  takeSnapshot,
  withEncryption,
} from './open-stores.js';

/** A job, with the values of the flags as the user wrote them. */
export type StorageJob = (
  | { readonly job: 'snapshot'; readonly file: string; readonly storage: string }
  | ({ readonly job: 'snapshot-of-server'; readonly file: string } & RunningServerFlags)
  | { readonly job: 'restore'; readonly file: string; readonly storage: string; readonly replace: boolean }
  | { readonly job: 'migrate'; readonly from: string; readonly to: string; readonly replace: boolean }
  | { readonly job: 'verify'; readonly storage: string }
  | { readonly job: 'verify-snapshot'; readonly file: string }
) & {
  /** The file with the keys of the store. */
  readonly encryptionProviderConfig?: string | undefined;
};

/** A written snapshot. */
export interface SnapshotOutcome {
  readonly kind: 'snapshot';
  readonly file: string;
  readonly storage: string;
  readonly objects: number;
  readonly bytes: number;
  readonly revision: number;
}

/** A restore or copy: the target now has exactly the objects of the source. */
export interface TransferOutcome {
  readonly kind: 'transfer';
  readonly source: string;
  readonly target: string;
  readonly transferred: Transferred;
  /** Whether the target now has the secret of the source. The authority and the keys are derived from it. */
  readonly keepsSecret: boolean;
}

/** The state of a store or a snapshot, with its damage. */
export interface VerifyOutcome {
  readonly kind: 'verify';
  readonly place: string;
  readonly verified: Verified;
}

export type StorageOutcome = SnapshotOutcome | TransferOutcome | VerifyOutcome;

/** Does a job, and reports its steps. Rejects with a `FlagError`, or with an error of the store or of the snapshot. */
export function runStorageJob(job: StorageJob, progress: TransferProgress): Promise<StorageOutcome> {
  return withEncryption<StorageOutcome>(job.encryptionProviderConfig, (encryption) => {
    const context = { progress, encryption };
    if (job.job === 'snapshot') return snapshot(job.storage, job.file, context);
    if (job.job === 'snapshot-of-server') return snapshotOfServer(job, job.file, progress);
    if (job.job === 'restore') return restore(job.file, job.storage, job.replace, context);
    if (job.job === 'migrate') return migrate(job.from, job.to, job.replace, context);
    return job.job === 'verify' ? verify(job.storage, context) : verifyFile(job.file, context);
  });
}

/** The parts that all jobs use. */
interface JobContext {
  readonly progress: TransferProgress;
  readonly encryption: Encryption | undefined;
}

async function snapshot(storage: string, file: string, { progress, encryption }: JobContext): Promise<SnapshotOutcome> {
  const { store } = await openSource('--storage', storage, 'refuse', encryption);
  return closing(store, async () => {
    const state = soundState(store, progress);
    const { objects, bytes } = await writeSnapshot(file, state, progress, encryption);
    return { kind: 'snapshot', file, storage: withoutPassword(storage), objects, bytes, revision: state.revision };
  });
}

async function snapshotOfServer(
  flags: RunningServerFlags,
  file: string,
  progress: TransferProgress,
): Promise<SnapshotOutcome> {
  const connection = connectionTo(flags);
  const { objects, bytes, revision } = await receiveSnapshot(file, takeSnapshot(connection), progress);
  return { kind: 'snapshot', file, storage: nameOfServer(connection), objects, bytes, revision };
}

async function restore(
  file: string,
  storage: string,
  replace: boolean,
  { progress, encryption }: JobContext,
): Promise<TransferOutcome> {
  const snapshot = await soundSnapshot(file, progress, encryption);
  const { store } = await openTarget('--storage', storage, replace, encryption);
  return closing(store, async () => {
    const transferred = await restoreSnapshot(snapshot, store, { progress });
    return { kind: 'transfer', source: file, target: withoutPassword(storage), transferred, keepsSecret: false };
  });
}

async function migrate(
  from: string,
  to: string,
  replace: boolean,
  { progress, encryption }: JobContext,
): Promise<TransferOutcome> {
  if (isSame(readStore('--from', from), readStore('--to', to))) throw sameStore(from, to);
  const source = await openSource('--from', from, 'refuse', encryption);
  return closing(source.store, async () => {
    const target = await openTarget('--to', to, replace, encryption);
    return closing(target.store, async () => {
      if (isSameData(source.store, target.store)) throw sameStore(from, to);
      const { secret } = source.store;
      const transferred = await copyState(soundState(source.store, progress), target.store, { progress, secret });
      return {
        kind: 'transfer',
        source: withoutPassword(from),
        target: withoutPassword(to),
        transferred,
        keepsSecret: shareSecret(source.store, target.store),
      };
    });
  });
}

/** Reports whether two stores are the same one. A copy has the same secret, too, but far greater revisions. */
const isSameData = (one: Store, other: Store): boolean =>
  shareSecret(one, other) && Math.abs(one.revision - other.revision) < REVISION_GAP / 2;

const shareSecret = ({ secret: one }: Store, { secret: other }: Store): boolean =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;

function sameStore(from: string, to: string): FlagError {
  return new FlagError(`--from ${withoutPassword(from)} and --to ${withoutPassword(to)} are the same store`);
}

async function verify(storage: string, { progress, encryption }: JobContext): Promise<VerifyOutcome> {
  const { store, damage } = await openSource('--storage', storage, 'serve-rest', encryption);
  return closing(store, async () => {
    const verified = verifyState(stateOf(store), progress);
    return {
      kind: 'verify',
      place: withoutPassword(storage),
      verified: { ...verified, damage: [...damage, ...verified.damage] },
    };
  });
}

async function verifyFile(file: string, { progress, encryption }: JobContext): Promise<VerifyOutcome> {
  return { kind: 'verify', place: file, verified: await verifySnapshot(file, progress, encryption) };
}

/** Closes a store after its use, even if the use fails. */
async function closing<Outcome>(store: Store, use: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await use();
  } finally {
    await store.close();
  }
}

const refusals = [
  DamagedFileError,
  DamagedSnapshotError,
  DamagedStoreError,
  LockedStoreError,
  NoSnapshotError,
  NotEmptyError,
  UnfinishedRestoreError,
];

/** Returns whether a job failed because data is damaged, a file is not a snapshot, or data already exists. */
export const isRefusal = (error: unknown): boolean => refusals.some((refusal) => error instanceof refusal);

/** Returns whether a job failed because a key is missing. */
export const isLocked = (error: unknown): boolean => error instanceof LockedStoreError;

/** The position of each resource. */
export interface Positions {
  of(resource: DiscoveredResource): Position | undefined;
  save(resource: DiscoveredResource, position: Position): Promise<void>;
  /** Forgets all positions, when everything is migrated. */
  end(): Promise<void>;
}

/** Reads the file, if it exists. Ignores positions of another server. Rejects with a `FlagError`. */
export async function openPositions(file: string, server: string): Promise<Positions> {
  const known = await read(file, server);
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const partial = `${file}.${process.pid}.partial`;
    await writeFile(partial, `${JSON.stringify({ server, resources: Object.fromEntries(known) }, undefined, 2)}\n`);
    await rename(partial, file);
  };
  return {
    of: (resource) => known.get(nameOf(resource)),
    save: (resource, position) => {
      known.set(nameOf(resource), position);
      writing = writing.then(write);
      return writing;
    },
    end: () => rm(file, { force: true }),
  };
}

async function read(file: string, server: string): Promise<Map<string, Position>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return new Map();
  const content = parse(text);
  if (content === undefined) {
    throw new FlagError(`--state ${file} does not hold the state of a migration; name another file, or remove it`);
  }
  if (content.server !== server || !isObject(content.resources)) return new Map();
  return new Map(
    Object.entries(content.resources).flatMap(([name, position]) =>
      isPosition(position) ? [[name, { mark: position.mark, token: position.token }]] : [],
    ),
  );
}

function parse(text: string) {
  const content = jsonObjectIn(text);
  return typeof content?.server === 'string' ? content : undefined;
}

const isPosition = (value: unknown): value is Position =>
  isObject(value) && typeof value.mark === 'string' && typeof value.token === 'string';

const nameOf = ({ plural, group }: DiscoveredResource): string => `${plural}.${group}`;
