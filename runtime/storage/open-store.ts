/** Opens the embedded store: memory in front of one backend. */
import type {
  AttributeReader,
  Backend,
  Change,
  Checkpoint,
  Commit,
  Damage,
  Entry,
  Failure,
  Key,
  OnLoading,
  RestoredObject,
  Revision,
  Store,
} from '../contract/index.js';
import { MAX_OBJECT_BYTES } from '../objects/size-limit.js';
import { CommitQueue } from './commit-queue.js';
import { encryptedBackend } from './encryption/encrypted-backend.js';
import type { Encryption } from './encryption/encryption.js';
import {
  damagedFailure,
  isUnfinished,
  MARK_KEY,
  UNFINISHED,
  UnfinishedRestoreError,
  unfinishedFailure,
} from './failures.js';
import { load } from './load.js';
import { LaterReading } from './memory/later-attributes.js';
import { Replica, ReplicaReads, type StoreStatistics, Unreadable } from './memory/replica.js';
import type { StoredEntry } from './memory/stored-entry.js';
import { replaceAll } from './replacement.js';

export interface OpenStoreOptions {
  readonly backend: Backend;
  /** Encrypts everything that the backend gets. Default: no encryption. */
  readonly encryption?: Encryption | undefined;
  /** Reads the selectable attributes of objects that were stored earlier. */
  readonly readAttributes: AttributeReader;
  /** How long changes can be replayed and earlier states listed, in milliseconds; 5 minutes by default. */
  readonly historyWindowMs?: number;
  /** The most bytes of memory for history; 64 MiB by default. If that is not enough, the window is shorter. */
  readonly historyMaxBytes?: number;
  /** The largest size of a stored object, in bytes; 1.5 MiB by default. Larger objects are refused. */
  readonly maxObjectBytes?: number;
  /** Called with the progress of opening, if that takes a while. */
  readonly onLoading?: OnLoading | undefined;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  /** Receives errors that sinks of watches throw although they must not. Default: prints them. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /**
   * The treatment of stored data that cannot be trusted.
   * - `refuse` (default): do not open.
   * - `serve-rest`: open without it and leave it in place.
   * - `discard`: open without it and remove it for good.
   * - `replace`: like `discard`; also opens the remains of an unfinished restore, for another `restore`.
   */
  readonly onDamage?: 'refuse' | 'serve-rest' | 'discard' | 'replace';
}

/** Receives the newest revision. Must not throw. */
export type OnNewest = (revision: Revision | undefined) => void;

/** A store with details about itself. */
export interface EmbeddedStore extends Store {
  readonly statistics: StoreStatistics;
  /** Data that the store does not serve because it was damaged at open. */
  readonly damage: readonly Damage[];
  /** The last assigned revision. Its change may still be in flight. */
  readonly assigned: Revision;
  /** Returns, for each encrypted resource, the revision up to which `isStale` may be true. */
  stale(): ReadonlyMap<string, Revision>;
  /**
   * Calls a function with the newest revision: now, and before each answer that shows a later one. Calls it with
   * `undefined` while `confirm` fails. Replaces the former function.
   */
  onNewest(listener: OnNewest | undefined): void;
  confirm(): Failure | undefined;
  unreadable(prefix: string): readonly Damage[];
  evict(key: Key): Promise<Failure | undefined>;
  /** Starts history at the present revision: earlier revisions can no longer be listed or watched. */
  forgetHistory(): void;
}

/** Thrown if stored data cannot be trusted, unless the options allow to open it. */
export class DamagedStoreError extends Error {
  constructor(readonly damage: readonly Damage[]) {
    const findings = damage.map(({ key, problem, cure }) => `${key || '(key unknown)'}: ${problem}; ${cure}`);
    super(`the stored data is damaged:\n${findings.join('\n')}`);
    this.name = 'DamagedStoreError';
  }
}

/** Thrown if keys of encrypted objects are missing. The objects stay as they are, for a start with the keys. */
export class LockedStoreError extends Error {
  constructor(locked: readonly Damage[], place = 'the store') {
    const shown = locked.slice(0, MOST_SHOWN).map(({ key, problem }) => `${key}: ${problem}`);
    const more = locked.length > shown.length ? [`and ${locked.length - shown.length} more`] : [];
    super([`objects in ${place} cannot be decrypted:`, ...shown, ...more].join('\n'));
    this.name = 'LockedStoreError';
  }
}

/** The most objects that a message names. A missing key affects all objects of a resource. */
const MOST_SHOWN = 10;

/** Throws the error for this damage, unless the options allow to open it. */
export function refuseDamage(damage: readonly Damage[], onDamage: NonNullable<OpenStoreOptions['onDamage']>): void {
  const locked = damage.filter((found) => found.locked);
  if (locked.length > 0 && (onDamage === 'refuse' || onDamage === 'discard')) throw new LockedStoreError(locked);
  if (damage.length > 0 && onDamage === 'refuse') throw new DamagedStoreError(damage);
}

/**
 * Opens the store. Rejects with a `DamagedStoreError` if stored data is damaged, with a `LockedStoreError` if a key is
 * missing with which objects are encrypted, and with an `UnfinishedRestoreError` if a restore was interrupted. Also
 * rejects with the backend's own error if the backend cannot be opened (in use by another process, no permission). The
 * backend is closed again then.
 */
export async function openStore(options: OpenStoreOptions): Promise<EmbeddedStore> {
  const { encryption, onDamage = 'refuse', maxObjectBytes = MAX_OBJECT_BYTES } = options;
  const backend = encryption ? encryptedBackend(options.backend, encryption) : options.backend;
  const opened = await backend.open({ discardDamage: onDamage === 'discard' || onDamage === 'replace' });
  try {
    const replicaOptions = toReplicaOptions(options);
    const replica = new Replica(replicaOptions, historyStart(opened.checkpoint, replicaOptions.historyWindowMs));
    await options.readAttributes.ready?.();
    const loaded = await load(replica, opened, options.readAttributes, options.onLoading);
    await options.readAttributes.ready?.();
    const unfinished = isUnfinished(replica.get(MARK_KEY), loaded.damage);
    if (unfinished && onDamage !== 'replace') throw new UnfinishedRestoreError();
    refuseDamage(loaded.damage, onDamage);
    const { digest, damage, unreadable, later } = loaded;
    const newQueue: NewQueue = (from, onPublished) =>
      new CommitQueue(replica, backend, from, { now: replicaOptions.now, maxObjectBytes, onPublished });
    return new MemoryFrontedStore(replica, backend, newQueue, {
      digest,
      damage,
      unreadable,
      secret: opened.secret,
      unfinished,
      later,
      encryption,
    });
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** Returns milliseconds that never go back. `performance` would make Node load code that a start does not need. */
const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1e6;

function toReplicaOptions(options: OpenStoreOptions) {
  const { historyWindowMs = 5 * 60_000, historyMaxBytes = 64 * 1024 * 1024, now = monotonicNow } = options;
  return { historyWindowMs, historyMaxBytes, now, onWatchError: options.onWatchError };
}

/**
 * Returns the revision at which the history of stored data begins. It is the last one if all changes are older than the
 * window.
 */
function historyStart({ revision, oldestRevision, time }: Checkpoint, windowMs: number): Revision {
  return Date.now() - time > windowMs ? revision : oldestRevision;
}

/** The interval at which history is trimmed while nothing happens, in milliseconds. */
const TRIM_INTERVAL_MS = 5_000;

/** The state at the opening of the store. */
interface Found extends Pick<EmbeddedStore, 'damage' | 'secret'> {
  readonly unreadable: readonly Damage[];
  /** The digest of the loaded objects. */
  readonly digest: number;
  readonly unfinished: boolean;
  /** Entries that wait for their attributes to be read. */
  readonly later: readonly StoredEntry[];
  readonly encryption: Encryption | undefined;
}

/** Starts a queue for changes of objects with this digest. */
type NewQueue = (digest: number, onPublished: (revision: Revision) => void) => CommitQueue;

class MemoryFrontedStore extends ReplicaReads implements EmbeddedStore {
  readonly #newQueue: NewQueue;
  #onNewest: OnNewest | undefined;
  #queue: CommitQueue;
  readonly #backend: Backend;
  readonly #trimming: NodeJS.Timeout;
  readonly #later: LaterReading;
  readonly #encryption: Encryption | undefined;
  #unreadable: Unreadable;
  readonly damage: readonly Damage[];
  #secret: Uint8Array | undefined;
  #unfinished: boolean;
  #closing: Promise<void> | undefined;

  constructor(replica: Replica, backend: Backend, newQueue: NewQueue, found: Found) {
    super(replica);
    this.#unfinished = found.unfinished;
    this.damage = found.damage;
    this.#secret = found.secret;
    this.#newQueue = newQueue;
    this.#queue = this.#startQueue(found.digest);
    this.#backend = backend;
    this.#later = new LaterReading(found.later);
    this.#encryption = found.encryption;
    this.#unreadable = new Unreadable(found.unreadable);
    this.#trimming = setInterval(() => replica.trim(), TRIM_INTERVAL_MS).unref();
  }

  get secret(): Uint8Array | undefined {
    return this.#secret;
  }

  get assigned(): Revision {
    return this.#queue.assigned;
  }

  /** Confirms at once: memory is up to date, because no other process can write. */
  confirm(): Failure | undefined {
    return this.#unfinished ? unfinishedFailure() : undefined;
  }

  selectable(): Promise<void> | undefined {
    return this.#later.done();
  }

  health(): string {
    return this.#unfinished ? UNFINISHED : this.#backend.health?.() || this.#queue.problem;
  }

  /** Returns a failure for objects that cannot be decrypted, so that they are neither read nor changed. */
  damageAt(key: Key): Failure | undefined {
    const found = this.#unreadable.at(key);
    return found?.locked && damagedFailure(found);
  }

  unreadable(prefix: string): readonly Damage[] {
    return this.#unreadable.below(prefix);
  }

  async evict(key: Key): Promise<Failure | undefined> {
    const { revision, locked = false } = this.#unreadable.at(key) ?? {};
    if (revision === undefined) return undefined;
    if (this.#unfinished) return unfinishedFailure();
    const commit = await this.#queue.evict(key, { revision, isCounted: locked });
    if (commit.outcome === 'failed') return commit.failure;
    this.#unreadable.noteGone(key);
    return undefined;
  }

  isStale(entry: Pick<Entry, 'key' | 'revision'>): boolean {
    return this.#encryption?.isStale(entry) ?? false;
  }

  #startQueue(digest: number): CommitQueue {
    return this.#newQueue(digest, (revision) => this.#onNewest?.(revision));
  }

  onNewest(listener: OnNewest | undefined): void {
    this.#onNewest = listener;
    listener?.(this.#unfinished ? undefined : this.revision);
  }

  stale(): ReadonlyMap<string, Revision> {
    return this.#encryption?.stale() ?? new Map();
  }

  commit(change: Change): Promise<Commit> {
    if (this.#unfinished) return Promise.resolve({ outcome: 'failed', failure: unfinishedFailure() });
    const refusal = this.damageAt(change.key) ?? (change.next && this.#encryption?.refusal(change.key));
    if (refusal) return Promise.resolve({ outcome: 'failed', failure: refusal });
    const commit = this.#queue.commit(change);
    return this.#unreadable.at(change.key) ? this.#healed(change.key, commit) : commit;
  }

  /** Notes when a damaged object is written again. */
  async #healed(key: Key, writing: Promise<Commit>): Promise<Commit> {
    const commit = await writing;
    if (commit.outcome === 'committed') this.#unreadable.noteGone(key);
    return commit;
  }

  forgetHistory(): void {
    this.replica.forgetHistory();
  }

  reached(revision: Revision, withinMs: number): Promise<boolean> {
    return this.replica.reached(revision, withinMs);
  }

  async restore(
    objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>,
    behind: Revision,
    secret?: Uint8Array,
  ): Promise<Revision> {
    if (this.#closing) throw new Error('the store is closed');
    this.#unfinished = true;
    this.#onNewest?.(undefined);
    await this.#queue.close();
    const { locked } = this.#unreadable;
    const target = { replica: this.replica, backend: this.#backend, digest: this.#queue.digest, locked };
    const digest = await replaceAll(target, objects, behind, secret);
    if (this.#backend.replaceSecret && this.#secret && secret) this.#secret = secret;
    this.#queue = this.#startQueue(digest);
    this.#unreadable = new Unreadable();
    this.#unfinished = false;
    this.#onNewest?.(this.revision);
    return this.revision;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#trimming);
    this.#later.stop();
    await this.#queue.close();
    this.replica.close();
    await this.#backend.close();
  }
}
