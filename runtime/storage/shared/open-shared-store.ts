/** Opens a store that several servers share. A driver keeps its data and decides on its changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Basis,
  Change,
  Commit,
  Damage,
  Entry,
  Failure,
  Key,
  RestoredObject,
  Revision,
  SharedDriver,
} from '../../contract/index.js';
import { closedFailure, damagedFailure, UNFINISHED, UnfinishedRestoreError, unfinishedFailure } from '../failures.js';
import { inRestoredOrder } from '../keys.js';
import { LaterReading } from '../memory/later-attributes.js';
import { damageBelow, Replica, ReplicaReads } from '../memory/replica.js';
import { refuseDamage } from '../open-store.js';
import { MemoryBasis } from './confirmations.js';
import { DriverError, unavailable } from './errors.js';
import { Housekeeper } from './housekeeper.js';
import type { SharedStore, SharedStoreOptions } from './options.js';
import { assemble, type Parts } from './parts.js';
import { Refusals } from './refusals.js';

const READ_ONLY = 'the store is open for reading only';
const RETRY_MS = 500;
/** The intervals, in milliseconds, at which an idle store trims history and asks the driver for its revision. */
const TRIM_INTERVAL_MS = 5_000;
const CHECK_INTERVAL_MS = 2_000;

/**
 * Opens the store. The store closes the driver. Rejects with a `DriverError` if the driver refuses or its data is not
 * there in time, with an `UnfinishedRestoreError` if a restore was interrupted, and with a `DamagedStoreError` if
 * objects cannot be read.
 */
export async function openSharedStore(driver: SharedDriver, options: SharedStoreOptions): Promise<SharedStore> {
  const store = new DriverStore(driver, options);
  try {
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class DriverStore extends ReplicaReads implements SharedStore {
  readonly #options: SharedStoreOptions;
  readonly #windowMs: number;
  readonly #driver: SharedDriver;
  readonly #refusals = new Refusals();
  #parts: Parts;
  #unfinished = false;
  /** The generation of the encryption when objects were last read. */
  #generation: number;
  #secret: Uint8Array | undefined;
  #housekeeper: Housekeeper | undefined;
  #isOpen = false;
  #later = new LaterReading([]);
  readonly #timers: NodeJS.Timeout[] = [];
  #closing: Promise<void> | undefined;

  constructor(driver: SharedDriver, options: SharedStoreOptions) {
    const { historyMaxBytes = 64 * 1024 * 1024, now = () => performance.now(), onWatchError } = options;
    const { historyWindowMs = 5 * 60_000 } = options;
    super(new Replica({ historyWindowMs, historyMaxBytes, now, onWatchError }, 0));
    this.#options = options;
    this.#generation = options.encryption?.generation ?? 0;
    this.#windowMs = historyWindowMs;
    this.#driver = driver;
    this.#parts = this.#assemble();
  }

  get damage(): readonly Damage[] {
    return this.#parts.mirror.damage;
  }

  get secret(): Uint8Array | undefined {
    return this.#secret;
  }

  /** Loads the data of the driver. Called once, before anything else. */
  async open(): Promise<void> {
    const until = this.#deadline();
    await this.#load(until);
    const { onDamage = 'refuse', readOnly = false, compaction = !readOnly, leaseSeconds } = this.#options;
    if (this.#unfinished && onDamage !== 'replace') throw new UnfinishedRestoreError();
    refuseDamage(this.damage, onDamage);
    await this.#settle(until);
    // The history may have brought more damage.
    refuseDamage(this.damage, onDamage);
    await this.#refusals.check(this.#driver);
    this.#later = new LaterReading(this.#parts.mirror.takeLater());
    const { housekeeping } = this.#driver;
    if (compaction && housekeeping) {
      this.#housekeeper = new Housekeeper(housekeeping, { windowMs: this.#windowMs, leaseSeconds });
    }
    this.#timers.push(
      setInterval(() => this.#trim(), TRIM_INTERVAL_MS).unref(),
      setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref(),
    );
    this.#isOpen = true;
  }

  /** Confirms with the driver, without a promise if possible. Never rejects. */
  confirm(): Failure | undefined | Promise<Failure | undefined> {
    if (this.#isOpen && !this.#unfinished && !this.#closing && this.#parts.confirmations.isCurrent) return undefined;
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
    return (this.#options.encryption ?? this.#driver).isStale?.(entry) ?? false;
  }

  commit(change: Change): Promise<Commit> {
    if (this.#unfinished) return Promise.resolve({ outcome: 'failed', failure: unfinishedFailure() });
    if (this.#options.readOnly) return Promise.resolve({ outcome: 'failed', failure: unavailable(READ_ONLY) });
    return this.#parts.commits.commit(change);
  }

  /**
   * Waits for a revision. Asks the driver, because another server may know of a revision that no change here has
   * reached.
   */
  reached(revision: Revision, withinMs: number): Promise<boolean> {
    const reached = this.replica.reached(revision, withinMs);
    if (revision > this.replica.revision) void this.confirm();
    return reached;
  }

  async restore(
    objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>,
    behind: Revision,
    secret?: Uint8Array,
  ): Promise<Revision> {
    if (this.#closing) throw new DriverError('refused', 'the store is closed');
    if (this.#options.readOnly) throw new DriverError('refused', READ_ONLY);
    const { commits, mirror } = this.#parts;
    this.#unfinished = true;
    await commits.close();
    await mirror.close();
    await this.#driver.replace(inRestoredOrder(objects), behind, secret);
    // After the restore, the store follows changes as it does after a start.
    const until = this.#deadline();
    await this.#load(until);
    await this.#settle(until);
    return this.revision;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #assemble(): Parts {
    // Reports later damage only: callers read the damage found at open from `damage`.
    const onDamage = (damage: Damage): void => {
      if (this.#isOpen) this.#options.onDamageFound?.(damage);
    };
    const state = { driver: this.#driver, replica: this.replica, refusals: this.#refusals };
    return assemble({ ...this.#options, ...state, onDamage });
  }

  /** Returns the time at which a start stops waiting for the driver, by `performance.now()`. */
  #deadline(): number {
    return performance.now() + (this.#options.openWithinMs ?? 30_000);
  }

  /** Rejects if memory does not catch up in time: a member may be far behind the other members. */
  async #settle(until: number): Promise<void> {
    for (;;) {
      const failure = await this.#parts.confirmations.confirm();
      if (!failure) return;
      const isPassing = !this.#parts.mirror.superseded && performance.now() + RETRY_MS <= until;
      if (!isPassing) throw new DriverError('unsent', failure.message, { failure });
      await sleep(RETRY_MS);
    }
  }

  /** Loads the store, and tries again until the deadline. Fails at once if the driver refuses. */
  async #load(until: number): Promise<void> {
    const { readOnly = false, onDamage, readAttributes } = this.#options;
    for (;;) {
      try {
        const replacing = onDamage === 'replace';
        const opened = await this.#driver.open({ readOnly, replacing, windowMs: this.#windowMs });
        this.#unfinished = opened.unfinished;
        this.#secret = opened.secret;
        this.#parts = this.#assemble();
        await readAttributes.ready?.();
        await this.#parts.mirror.open(opened.historyFrom);
        await readAttributes.ready?.();
        return;
      } catch (error) {
        // The next attempt reads the state after a restore that has begun or ended meanwhile.
        const isPassing = error instanceof DriverError && error.problem !== 'refused';
        if (!isPassing || performance.now() + RETRY_MS > until) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  #check(): void {
    this.#readLocked();
    void this.#parts.confirmations.confirm();
    void this.#refusals.check(this.#driver);
  }

  /** Reads the objects again that could not be decrypted, once the keys have changed. */
  #readLocked(): void {
    const { generation = 0 } = this.#options.encryption ?? {};
    if (generation === this.#generation) return;
    this.#generation = generation;
    if (this.damage.some(({ locked }) => locked)) this.#parts.mirror.reload('the encryption keys have changed');
  }

  #trim(): void {
    this.replica.trim();
    // The driver forgets history itself.
    this.replica.takeForgettable();
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#later.stop();
    await this.#parts.commits.close();
    await this.#housekeeper?.close();
    await this.#parts.mirror.close();
    this.replica.close();
    await this.#driver.close();
  }
}
