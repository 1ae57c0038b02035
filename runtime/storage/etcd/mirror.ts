/** Keeps memory in step with etcd: loads all objects, then follows a watch, over lost connections and compactions. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeReader, Damage, Key, OnLoading, Revision } from '../../contract/index.js';
import { thenSync } from '../../objects/turns.js';
import type { BriefMap } from '../brief-map.js';
import type { Replica } from '../memory/replica.js';
import { type StoredEntry, toEvent } from '../memory/stored-entry.js';
import { changesOf, type ObjectChange, positionsOf, type RevisionChanges } from './changes.js';
import { type Connection, READ, type Stream } from './connection.js';
import { type Decryption, InOrder } from './decryption.js';
import { Entries } from './entries.js';
import { EtcdError, failureOf, toEtcdError } from './errors.js';
import { decodeHead, type Layout } from './layout.js';
import { readChanged, readFirst } from './load.js';
import { range, type WatchRequest, type WatchResponse, watch } from './messages.js';
import type { EtcdRevision, Numbering } from './numbering.js';
import type { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';
import { type RestoreEpoch, SUPERSEDED } from './restore-epoch.js';

export interface MirrorOptions {
  readonly connection: Connection;
  readonly layout: Layout;
  readonly replica: Replica;
  readonly readAttributes: AttributeReader;
  /** This server's own changes by key: what they carry need not be parsed when it comes back. */
  readonly pending: BriefMap<Key, PendingChange>;
  /** The last restore when the server started. */
  readonly epoch: RestoreEpoch;
  readonly numbering: Numbering;
  readonly decryption: Decryption;
  /** Notified of each head and its writer. */
  readonly others: OtherWriters;
  /** Called with the progress of the first loading. */
  readonly onLoading?: OnLoading | undefined;
  /** Called with each damaged object, once for each of its revisions. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** Milliseconds before a broken watch is opened again, at first and at most. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/** An answer of the watch with its changes. */
type Answer = WatchResponse & { readonly changes: readonly RevisionChanges[] };

export class Mirror {
  readonly #options: MirrorOptions;
  /** All changes up to here have been delivered by the watch or were part of what was loaded. */
  #delivered: EtcdRevision = 0;
  /** The oldest revision that etcd still has, if it refused a watch that asked for an older one. */
  #compacted: EtcdRevision | undefined;
  #problem = 'the watch of etcd has not begun';
  #superseded = false;
  readonly #entries: Entries;
  #later: readonly StoredEntry[] = [];
  #stopStream: ((error: EtcdError) => void) | undefined;
  #following: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#entries = new Entries(options);
  }

  /** The last revision that is known to have been delivered. */
  get delivered(): EtcdRevision {
    return this.#delivered;
  }

  /** True if the store was restored after this server started. Memory then no longer changes. */
  get superseded(): boolean {
    return this.#superseded;
  }

  /** The reason why memory is not kept up to date at present; empty while it is. */
  get problem(): string {
    return this.#problem;
  }

  /** Objects in etcd that cannot be read, and so are not served. */
  get damage(): readonly Damage[] {
    return this.#entries.damage;
  }

  /** Returns the damage of an object; `undefined` if it has none. */
  damageAt(key: Key): Damage | undefined {
    return this.#entries.damageAt(key);
  }

  /** Returns entries that may still lack their attributes, each once. */
  takeLater(): readonly StoredEntry[] {
    const later = this.#later;
    this.#later = [];
    return later;
  }

  /** Loads all objects as they were at a revision, or as they are now if that is gone, and follows later changes. */
  async open(from: EtcdRevision | undefined): Promise<void> {
    await this.#loadFrom(from);
    this.#following = this.#follow();
  }

  /** Opens the watch again, with another member if there is one. */
  restart(why: string): void {
    this.#options.connection.leave();
    this.#stopStream?.(new EtcdError('uncertain', why));
  }

  /** Loads all objects again that are not in memory as they should be. */
  reload(why: string): void {
    this.#stopStream?.(new EtcdError('compacted', why));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopStream?.(new EtcdError('uncertain', 'the store is closed'));
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const before = this.#delivered;
      const error = await this.#watch();
      if (signal.aborted) return;
      if (this.#superseded) {
        this.#problem = SUPERSEDED;
        return;
      }
      this.#problem = `the watch of etcd is down: ${error.message}`;
      const reloaded = error.problem === 'compacted' && (await this.#reload());
      pause = reloaded || this.#delivered > before ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pause * 2);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  /** Loads again what the watch cannot deliver any more. */
  async #reload(): Promise<boolean> {
    try {
      await this.#loadFrom(this.#compacted);
      this.#compacted = undefined;
      return true;
    } catch (error) {
      this.#problem = `the objects could not be loaded from etcd: ${failureOf(error).message}`;
      return false;
    }
  }

  async #loadFrom(revision: EtcdRevision | undefined): Promise<void> {
    try {
      await this.#load(revision);
    } catch (error) {
      if (revision === undefined || !isCompacted(error)) throw error;
      await this.#load(undefined);
    }
  }

  /** Watches until that fails; resolves to the cause. Its problem is `compacted` if only loading again helps. */
  async #watch(): Promise<EtcdError> {
    const { connection, layout, decryption } = this.#options;
    let stream: Stream<WatchRequest> | undefined;
    const broken = new Promise<EtcdError>((resolve) => {
      this.#stopStream = resolve;
    });
    const stop = (error: EtcdError): void => this.#stopStream?.(error);
    const answers = new InOrder<Answer>(
      (answer) => {
        const problem = stream && this.#take(answer);
        if (!problem) return;
        stream?.close();
        stop(problem);
      },
      (error) => stop(new EtcdError('uncertain', failureOf(error).message)),
    );
    const answer = (response: WatchResponse): void => {
      const changes = decryption.changes([...changesOf(response.events ?? [], layout)]);
      answers.add(thenSync(changes, (changes) => ({ ...response, changes })));
    };
    try {
      stream = await connection.stream(watch, { answer, broken: stop });
      const startRevision = this.#delivered + 1;
      stream.send({
        createRequest: { key: layout.start, rangeEnd: layout.end, startRevision, progressNotify: true },
      });
      return await broken;
    } catch (error) {
      return error instanceof EtcdError ? error : new EtcdError('uncertain', failureOf(error).message);
    } finally {
      stream?.close();
      stream = undefined;
      this.#stopStream = undefined;
    }
  }

  /** Takes an answer of the watch. Returns the reason if the watch cannot go on. */
  #take(answer: Answer): EtcdError | undefined {
    const { events = [], changes: all, canceled, compactRevision = 0, cancelReason = '', header, created } = answer;
    if (compactRevision > 0) {
      this.#compacted = compactRevision;
      return new EtcdError('compacted', `etcd has compacted up to revision ${compactRevision}`);
    }
    if (canceled) {
      // The login may have expired: a stream is not notified of that in any other way.
      this.#options.connection.forgetLogin();
      return toEtcdError({ details: cancelReason }, 'the watched member');
    }
    if (created) this.#problem = '';
    else if (events.length === 0) this.#reach(header?.revision ?? 0);
    for (const changes of all) {
      if (changes.restored && changes.revision > this.#delivered) return this.#supersede();
      if (this.#apply(changes)) continue;
      return new EtcdError('compacted', `revision ${changes.revision} was written by something else than this program`);
    }
    return undefined;
  }

  #supersede(): EtcdError {
    this.#superseded = true;
    this.#options.replica.endWatches();
    return new EtcdError('refused', SUPERSEDED);
  }

  /**
   * Applies changes. Returns false for changes that only another program makes, and that watches cannot report: then
   * all is loaded again.
   */
  #apply({ revision, objects, head, last: decrypted }: RevisionChanges): boolean {
    const { replica, numbering, others } = this.#options;
    if (revision <= this.#delivered) return true;
    const positions = positionsOf(objects);
    const { size, writer, last } = decodeHead(head);
    if (head) others.noteDelivered(revision, writer);
    const isForeign = !positions || (positions.at(-1) ?? 0) >= size;
    const isKnown = objects.length > 0 && numbering.toStore(revision) <= replica.revision;
    if (isForeign || isKnown) return false;
    for (const [index, position] of positions.entries()) {
      const change = objects[index];
      if (change) this.#applyChange(change, numbering.toStore(revision, position), (decrypted ?? last).get(change.key));
    }
    this.#reach(revision, size);
    return true;
  }

  /** Counts the whole transaction, even changes that lost at its end: every server is then at the same revision. */
  #reach(revision: EtcdRevision, size = 1): void {
    const { replica, numbering } = this.#options;
    this.#delivered = Math.max(this.#delivered, revision);
    replica.advance(numbering.toStore(revision, size - 1));
  }

  #applyChange(change: ObjectChange, revision: Revision, last: Buffer | undefined): void {
    const { replica, pending } = this.#options;
    const { key, value, locked } = change;
    const previous = replica.get(key);
    if (!value) this.#entries.noteGone(key);
    const entry = value && this.#entries.make(key, revision, value, locked);
    const gone = entry ? undefined : previous && this.#entries.lastState(previous, revision, last);
    const result = entry ?? gone;
    if (!result) return;
    // Before watchers are notified: the same change wakes the writer.
    pending.get(key)?.arrived.push(result);
    replica.apply(toEvent(result, gone !== undefined, previous));
  }

  /**
   * Makes memory match etcd at a revision. Memory changes at once when all is there, so readers never see a part. If
   * something has changed that no watcher was notified of, watches end and history starts again.
   */
  async #load(at: EtcdRevision | undefined): Promise<void> {
    const { connection, layout, replica, numbering, others, epoch } = this.#options;
    const isFirst = this.#delivered === 0 && replica.statistics.objects === 0;
    const loading = { ...this.#options, entries: this.#entries };
    const read = await (isFirst ? readFirst(loading, at) : readChanged(loading, at));
    const { revision } = read;
    const { kvs } = await connection.ask(range, { key: layout.head, revision }, READ);
    const { modRevision: headRevision = 0, value: headValue } = kvs?.[0] ?? {};
    const restore = await connection.ask(range, { key: layout.restore, keysOnly: true, revision }, READ);
    if ((restore.kvs?.[0]?.modRevision ?? 0) !== epoch.revision) throw this.#supersede();
    others.noteDelivered(headRevision, undefined);
    const missed = headRevision > this.#delivered || this.#delivered === 0;
    const { size: written } = decodeHead(headRevision === revision ? headValue : undefined);
    // Another program may have stored any position.
    const size = Math.max(written, read.size);
    if (missed || read.hasChanged) {
      replica.forgetHistory();
      const later = read.apply();
      if (isFirst) this.#later = later;
      replica.advance(numbering.toStore(revision, size - 1));
      replica.forgetHistory();
      replica.endWatches();
    }
    this.#reach(revision, size);
  }
}

function isCompacted(error: unknown): boolean {
  return error instanceof EtcdError && error.problem === 'compacted';
}
