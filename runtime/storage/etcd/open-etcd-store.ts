/** Opens a store with its data in etcd. All servers over the same etcd share it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Basis,
  Change,
  Commit,
  Damage,
  Entry,
  Failure,
  Key,
  ListOptions,
  RestoredObject,
  Revision,
  RevisionProblem,
  Snapshot,
  Subscription,
  WatchSink,
} from '../../contract/index.js';
import { MAX_OBJECT_BYTES } from '../../objects/size-limit.js';
import { BriefMap } from '../brief-map.js';
import { closedFailure, damagedFailure, UNFINISHED, UnfinishedRestoreError, unfinishedFailure } from '../failures.js';
import { LaterReading } from '../memory/later-attributes.js';
import { Replica, type StoreStatistics } from '../memory/replica.js';
import { refuseDamage } from '../open-store.js';
import { damageBelow } from '../unreadable.js';
import { Commits } from './commits.js';
import { Compactor, historyStart } from './compactor.js';
import { Confirmations } from './confirmations.js';
import { Connection } from './connection.js';
import { Decryption } from './decryption.js';
import { EtcdError, unavailable } from './errors.js';
import { MemoryBasis } from './groups.js';
import { Layout } from './layout.js';
import { Mirror } from './mirror.js';
import type { EtcdBackedStore, OpenEtcdStoreOptions } from './options.js';
import { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';
import { Refusals } from './refusals.js';
import { replaceAll } from './replacement.js';
import {
  FORMAT,
  foundSecret,
  numberingOf,
  type RestoreEpoch,
  readRestoreEpoch,
  sharedSecret,
  upgraded,
} from './restore-epoch.js';

/** The parts that work on the state of the last restore. */
interface Parts {
  readonly epoch: RestoreEpoch;
  readonly mirror: Mirror;
  readonly confirmations: Confirmations;
  readonly commits: Commits;
  readonly others: OtherWriters;
}

const READ_ONLY = 'the store was opened to be read only';
const DEFAULT_PREFIX = '/kindforge/';
const RETRY_MS = 500;
/**
 * The interval at which history is trimmed, and etcd asked for its revision, while nothing happens, in milliseconds.
 */
const TRIM_INTERVAL_MS = 5_000;
const CHECK_INTERVAL_MS = 2_000;

/**
 * Opens the store. Rejects with an `EtcdError` that says what failed when etcd refuses or is not there in time, with an
 * `UnfinishedRestoreError` when a restore was interrupted, and with a `DamagedStoreError` when objects cannot be read.
 */
export async function openEtcdStore(options: OpenEtcdStoreOptions): Promise<EtcdBackedStore> {
  const store = new EtcdStore(options);
  try {
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class EtcdStore implements EtcdBackedStore {
  readonly #options: OpenEtcdStoreOptions;
  readonly #windowMs: number;
  readonly #layout: Layout;
  readonly #connection: Connection;
  readonly #replica: Replica;
  readonly #refusals = new Refusals();
  #parts: Parts;
  #unfinished = false;
  /** Of the encryption, when objects were last read with it. */
  #generation: number;
  #secret: Uint8Array | undefined;
  #compactor: Compactor | undefined;
  #isOpen = false;
  #later = new LaterReading([]);
  readonly #timers: NodeJS.Timeout[] = [];
  #closing: Promise<void> | undefined;

  constructor(options: OpenEtcdStoreOptions) {
    const { historyMaxBytes = 64 * 1024 * 1024, now = () => performance.now(), onWatchError } = options;
    const { historyWindowMs = 5 * 60_000, prefix = DEFAULT_PREFIX } = options;
    this.#options = options;
    this.#generation = options.encryption?.generation ?? 0;
    this.#windowMs = historyWindowMs;
    this.#layout = new Layout(prefix);
    this.#connection = new Connection(options);
    this.#replica = new Replica({ historyWindowMs, historyMaxBytes, now, onWatchError }, 0);
    this.#parts = this.#assemble({ format: FORMAT, base: 0, unfinished: false, revision: 0 });
  }

  get revision(): Revision {
    return this.#replica.revision;
  }

  get oldestRevision(): Revision {
    return this.#replica.oldestRevision;
  }

  get statistics(): StoreStatistics {
    return this.#replica.statistics;
  }

  get damage(): readonly Damage[] {
    return this.#parts.mirror.damage;
  }

  get secret(): Uint8Array | undefined {
    return this.#secret;
  }

  /** Loads what etcd holds. To be called once, before anything else. */
  async open(): Promise<void> {
    const until = this.#deadline();
    await this.#load(until);
    const { onDamage = 'refuse', readOnly = false, compaction = !readOnly, leaseSeconds } = this.#options;
    if (this.#unfinished && onDamage !== 'replace') throw new UnfinishedRestoreError();
    refuseDamage(this.damage, onDamage);
    await this.#settle(until);
    await this.#refusals.check(this.#connection);
    this.#later = new LaterReading(this.#parts.mirror.takeLater());
    if (compaction) {
      const options = { windowMs: this.#windowMs, ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
      this.#compactor = new Compactor(this.#connection, this.#layout, options);
    }
    this.#timers.push(
      setInterval(() => this.#trim(), TRIM_INTERVAL_MS).unref(),
      setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref(),
    );
    this.#isOpen = true;
  }

  /** Confirms with etcd. Never rejects. */
  confirm(): Promise<Failure | undefined> {
    if (this.#unfinished) return Promise.resolve(unfinishedFailure());
    return this.#closing ? Promise.resolve(closedFailure()) : this.#parts.confirmations.confirm();
  }

  basis(): Basis | undefined {
    const { mirror, confirmations, others } = this.#parts;
    const isOpen = !this.#closing && !this.#options.readOnly && !mirror.superseded && this.health() === '';
    return isOpen && others.areSilent ? new MemoryBasis(others, confirmations, mirror.delivered) : undefined;
  }

  selectable(): Promise<void> | undefined {
    return this.#later.done();
  }

  health(): string {
    if (this.#unfinished) return UNFINISHED;
    return this.#parts.mirror.problem || this.#parts.confirmations.problem || this.#refusals.problem;
  }

  get(key: Key): Entry | undefined {
    return this.#replica.get(key);
  }

  damageAt(key: Key): Failure | undefined {
    const damage = this.#parts.mirror.damageAt(key);
    return damage && damagedFailure(damage);
  }

  unreadable(prefix: string): readonly Damage[] {
    return damageBelow(prefix, this.damage);
  }

  async evict(key: Key): Promise<Failure | undefined> {
    const { revision } = this.#parts.mirror.damageAt(key) ?? {};
    if (revision === undefined) return undefined;
    const commit = await this.commit({ key, expected: revision });
    return commit.outcome === 'failed' ? commit.failure : undefined;
  }

  isStale(entry: Pick<Entry, 'key' | 'revision'>): boolean {
    return this.#options.encryption?.isStale(entry) ?? false;
  }

  list(prefix: string, options?: ListOptions): Snapshot | RevisionProblem {
    return this.#replica.list(prefix, options);
  }

  count(prefix: string): number {
    return this.#replica.count(prefix);
  }

  commit(change: Change): Promise<Commit> {
    if (this.#unfinished) return Promise.resolve({ outcome: 'failed', failure: unfinishedFailure() });
    if (this.#options.readOnly) return Promise.resolve({ outcome: 'failed', failure: unavailable(READ_ONLY) });
    return this.#parts.commits.commit(change);
  }

  watch(prefix: string, from: Revision, sink: WatchSink): Subscription | RevisionProblem {
    return this.#replica.watch(prefix, from, sink);
  }

  /** Waits for a revision. Asks etcd, as another server may know of a revision at which nothing happened here. */
  reached(revision: Revision, withinMs: number): Promise<boolean> {
    const reached = this.#replica.reached(revision, withinMs);
    if (revision > this.#replica.revision) void this.confirm();
    return reached;
  }

  async restore(
    objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>,
    behind: Revision,
    secret?: Uint8Array,
  ): Promise<Revision> {
    if (this.#closing) throw new EtcdError('refused', 'the store is closed');
    if (this.#options.readOnly) throw new EtcdError('refused', READ_ONLY);
    const { epoch, commits, mirror } = this.#parts;
    this.#unfinished = true;
    await commits.close();
    await mirror.close();
    await replaceAll(this.#connection, this.#layout, epoch, objects, behind, {
      encryption: this.#options.encryption,
      secret,
    });
    // Changes after the restore are followed as from a start.
    const until = this.#deadline();
    await this.#load(until);
    await this.#settle(until);
    return this.revision;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #assemble(epoch: RestoreEpoch): Parts {
    const { readAttributes, maxObjectBytes = MAX_OBJECT_BYTES, largestGroup, onLoading, encryption } = this.#options;
    const [connection, layout, replica] = [this.#connection, this.#layout, this.#replica];
    const numbering = numberingOf(epoch);
    const pending = new BriefMap<Key, PendingChange>();
    const others = new OtherWriters();
    const decryption = new Decryption(encryption, layout, numbering);
    const state = { connection, layout, replica, pending, epoch, numbering, others, decryption };
    // Whoever opens the store learns of earlier damage from `damage`.
    const onDamage = (damage: Damage): void => {
      if (this.#isOpen) this.#options.onDamageFound?.(damage);
    };
    const mirror = new Mirror({ ...state, readAttributes, onLoading, onDamage });
    const confirmations = new Confirmations(connection, layout, replica, numbering, mirror);
    const context = { layout, encryption, epoch, numbering, others };
    const commitOptions = { maxObjectBytes, largestGroup, refusals: this.#refusals, decryption };
    const commits = new Commits(connection, context, replica, confirmations, pending, commitOptions);
    return { epoch, mirror, confirmations, commits, others };
  }

  /** Returns until when a start waits for etcd, by the clock of `performance.now`. */
  #deadline(): number {
    return performance.now() + (this.#options.openWithinMs ?? 30_000);
  }

  /** Rejects if memory does not catch up with etcd in time: a member may be far behind the others. */
  async #settle(until: number): Promise<void> {
    for (;;) {
      const failure = await this.#parts.confirmations.confirm();
      if (!failure) return;
      const isPassing = !this.#parts.mirror.superseded && performance.now() + RETRY_MS <= until;
      if (!isPassing) throw new EtcdError('unsent', failure.message, failure);
      await sleep(RETRY_MS);
    }
  }

  /** Loads the store, and tries again until the deadline. Fails at once if etcd refuses. */
  async #load(until: number): Promise<void> {
    for (;;) {
      try {
        const epoch = await this.#readEpoch();
        this.#unfinished = epoch.unfinished;
        this.#parts = this.#assemble(epoch);
        const secretOf = this.#options.readOnly ? foundSecret : sharedSecret;
        this.#secret = await secretOf(this.#connection, this.#layout);
        const from = await historyStart(this.#connection, this.#layout, this.#windowMs);
        await this.#options.readAttributes.ready?.();
        await this.#parts.mirror.open(from === undefined ? undefined : Math.max(from, epoch.revision));
        await this.#options.readAttributes.ready?.();
        return;
      } catch (error) {
        // A restore that has begun or ended meanwhile is read with the next attempt.
        const isPassing = error instanceof EtcdError && (error.problem !== 'refused' || this.#parts.mirror.superseded);
        if (!isPassing || performance.now() + RETRY_MS > until) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Reads the format of the data, and upgrades an earlier one if this server may write and use the data. */
  async #readEpoch(): Promise<RestoreEpoch> {
    const { readOnly = false, onDamage } = this.#options;
    const found = await readRestoreEpoch(this.#connection, this.#layout);
    const isUseless = found.unfinished && onDamage !== 'replace';
    return readOnly || isUseless ? found : upgraded(this.#connection, this.#layout, found);
  }

  #check(): void {
    this.#readLocked();
    void this.#parts.confirmations.confirm();
    void this.#refusals.check(this.#connection);
  }

  /** Reads objects again that could not be decrypted, once there are other keys. */
  #readLocked(): void {
    const { generation = 0 } = this.#options.encryption ?? {};
    if (generation === this.#generation) return;
    this.#generation = generation;
    if (this.damage.some(({ locked }) => locked))
      this.#parts.mirror.reload('there are other keys for what is encrypted');
  }

  #trim(): void {
    this.#replica.trim();
    // etcd forgets by itself.
    this.#replica.takeForgettable();
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#later.stop();
    await this.#parts.commits.close();
    await this.#compactor?.close();
    await this.#parts.mirror.close();
    this.#replica.close();
    this.#connection.close();
  }
}
