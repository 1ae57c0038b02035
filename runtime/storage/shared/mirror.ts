/**
 * Keeps memory up to date with the driver: loads all objects, then follows changes, despite lost connections and
 * forgotten history.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AttributeReader,
  Damage,
  GroupNumber,
  Key,
  OnLoading,
  Revision,
  SharedChange,
  SharedDriver,
  SharedGroup,
} from '../../contract/index.js';
import type { BriefMap } from '../brief-map.js';
import type { Replica } from '../memory/replica.js';
import { type StoredEntry, toEvent } from '../memory/stored-entry.js';
import { Entries } from './entries.js';
import { DriverError, failureOf, SUPERSEDED, toDriverError } from './errors.js';
import { readChanged, readFirst } from './load.js';
import type { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';

export interface MirrorOptions {
  readonly driver: Pick<SharedDriver, 'name' | 'load' | 'follow' | 'leave'>;
  readonly replica: Replica;
  readonly readAttributes: AttributeReader;
  /** This server's own changes by key. Their content need not be parsed when the driver delivers it. */
  readonly pending: BriefMap<Key, PendingChange>;
  /** Notified of each group and its writer. */
  readonly others: OtherWriters;
  /** Called with the progress of the first loading. */
  readonly onLoading?: OnLoading | undefined;
  /** Called with each damaged object, once for each of its revisions. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** The pause before following again after it broke, in milliseconds: the first and the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

export class Mirror {
  readonly #options: MirrorOptions;
  /** All changes up to this number have been delivered, or were part of the loaded state. */
  #delivered: GroupNumber = 0;
  /** The oldest group with history, if the driver refused to follow from an older one. */
  #oldest: GroupNumber | undefined;
  #problem: string;
  #superseded = false;
  readonly #entries: Entries;
  #later: readonly StoredEntry[] = [];
  #stop: ((error: DriverError) => void) | undefined;
  #following: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#entries = new Entries(options);
    this.#problem = `${options.driver.name} is not followed yet`;
  }

  /** The last delivered number. */
  get delivered(): GroupNumber {
    return this.#delivered;
  }

  /** True if the data was replaced after this server started. Memory then no longer changes. */
  get superseded(): boolean {
    return this.#superseded;
  }

  /** The reason why memory is not up to date now; empty if it is. */
  get problem(): string {
    return this.#problem;
  }

  /** Objects that the store does not serve because it cannot read them. */
  get damage(): readonly Damage[] {
    return this.#entries.damage;
  }

  /** Returns the damage of an object; `undefined` if it has none. */
  damageAt(key: Key): Damage | undefined {
    return this.#entries.damageAt(key);
  }

  /** Returns the entries that may still lack their attributes. Returns each entry once. */
  takeLater(): readonly StoredEntry[] {
    const later = this.#later;
    this.#later = [];
    return later;
  }

  /**
   * Loads all objects as they were at a number, and follows later changes. Loads the present objects if the history of
   * the number is gone.
   */
  async open(from: GroupNumber | undefined): Promise<void> {
    await this.#loadFrom(from);
    this.#following = this.#follow();
  }

  /** Follows again from the start, through another member if there is one. */
  restart(why: string): void {
    this.#options.driver.leave?.();
    this.#stop?.(new DriverError('uncertain', why));
  }

  /** Loads all objects again, because memory does not hold all of them as it should. */
  reload(why: string): void {
    this.#stop?.(new DriverError('compacted', why));
  }

  /**
   * Notes that memory has all changes up to a number. Also counts the revisions of the last group if some of its
   * changes were not made, so that every server is at the same revision.
   */
  reach(number: GroupNumber, revision: Revision = number): void {
    this.#delivered = Math.max(this.#delivered, number);
    this.#options.replica.advance(revision);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stop?.(new DriverError('uncertain', 'the store is closed'));
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { name } = this.#options.driver;
    const { signal } = this.#closing;
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const before = this.#delivered;
      const error = await this.#untilBroken();
      if (signal.aborted) return;
      if (error.problem === 'superseded') {
        this.#supersede();
        return;
      }
      this.#problem = `the watch of ${name} is down: ${error.message}`;
      this.#oldest = error.oldest;
      const reloaded = error.problem === 'compacted' && (await this.#reload());
      pause = reloaded || this.#delivered > before ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pause * 2);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  /** Loads the changes again that the driver can no longer deliver. */
  async #reload(): Promise<boolean> {
    try {
      await this.#loadFrom(this.#oldest);
      return true;
    } catch (error) {
      const { name } = this.#options.driver;
      this.#problem = `the objects could not be loaded from ${name}: ${failureOf(error).message}`;
      return false;
    }
  }

  async #loadFrom(number: GroupNumber | undefined): Promise<void> {
    try {
      await this.#load(number);
    } catch (error) {
      if (number === undefined || !isCompacted(error)) throw error;
      await this.#load(undefined);
    }
  }

  /**
   * Follows until delivery breaks. Resolves to the cause; its problem is `compacted` if all objects must be loaded
   * again.
   */
  #untilBroken(): Promise<DriverError> {
    return new Promise((resolve) => {
      let isOver = false;
      let unfollow: (() => void) | undefined;
      const stop = (error: DriverError): void => {
        if (isOver) return;
        isOver = true;
        this.#stop = undefined;
        unfollow?.();
        resolve(error);
      };
      this.#stop = stop;
      unfollow = this.#options.driver.follow(this.#delivered, {
        begun: () => {
          if (!isOver) this.#problem = '';
        },
        reached: (number) => {
          if (!isOver) this.reach(number);
        },
        group: (group) => {
          if (isOver || this.#apply(group)) return;
          stop(new DriverError('compacted', `revision ${group.number} was written by another program`));
        },
        broken: (error) => stop(toDriverError(error)),
      });
      if (isOver) unfollow();
    });
  }

  #supersede(): void {
    this.#superseded = true;
    this.#problem = SUPERSEDED;
    this.#options.replica.endWatches();
  }

  /** Applies changes. Returns false if watches cannot report them: all objects must then be loaded again. */
  #apply({ number, revision, changes, writer }: SharedGroup): boolean {
    const { replica, others } = this.#options;
    if (number <= this.#delivered) return true;
    others.noteDelivered(number, writer);
    const [first] = changes;
    if (first && first.revision <= replica.revision) return false;
    for (const change of changes) this.#applyChange(change);
    this.reach(number, revision);
    return true;
  }

  #applyChange(change: SharedChange): void {
    const { replica, pending } = this.#options;
    const { key, revision, value, locked, attributes } = change;
    const previous = replica.get(key);
    if (!value) this.#entries.noteGone(key);
    const entry = value && this.#entries.make({ key, revision, value, locked }, attributes);
    const gone = entry ? undefined : previous && this.#entries.lastState(previous, change);
    const result = entry ?? gone;
    if (!result) return;
    // Before watchers are notified, because this change also wakes the writer.
    pending.get(key)?.arrived.push(result);
    replica.apply(toEvent(result, gone !== undefined, previous));
  }

  /**
   * Makes memory match the driver at a number. Changes memory once all objects have arrived, so readers never see a
   * part. If memory has missed a change, ends watches and starts history again.
   */
  async #load(at: GroupNumber | undefined): Promise<void> {
    const { replica, others } = this.#options;
    const isFirst = this.#delivered === 0 && replica.statistics.objects === 0;
    const loading = { ...this.#options, entries: this.#entries };
    const read = await (isFirst ? readFirst(loading, at) : readChanged(loading, at)).catch((error: unknown) => {
      if (error instanceof DriverError && error.problem === 'superseded') this.#supersede();
      throw error;
    });
    const { number, head, revision } = read;
    others.noteDelivered(head, undefined);
    const missed = head > this.#delivered || this.#delivered === 0;
    if (missed || read.hasChanged) {
      replica.forgetHistory();
      const later = read.apply();
      if (isFirst) this.#later = later;
      replica.advance(revision);
      replica.forgetHistory();
      replica.endWatches();
    }
    this.reach(number, revision);
  }
}

function isCompacted(error: unknown): boolean {
  return error instanceof DriverError && error.problem === 'compacted';
}
