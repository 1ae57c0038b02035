/** Decides changes, makes them durable in batches, and publishes them: the write path of the embedded store. */
import type { Backend, Change, Commit, Entry, Failure, Key, Revision } from '../contract/index.js';
import {
  Batch,
  bareRecordOf,
  digestWith,
  type Evicted,
  lastOf,
  Operation,
  recordOf,
  resultOf,
  unsettled,
} from './commit-batch.js';
import { closedFailure, keyFailure, overloadFailure, unguarded, writeFailure } from './failures.js';
import { keyProblem, sizeFailure } from './keys.js';
import type { Replica } from './memory/replica.js';
import { StoredEntry, type StoredEvent } from './memory/stored-entry.js';
import { restampBytes, stampedPieces } from './stamp.js';

/** Bytes that may wait for the backend. Changes beyond that are refused. */
const WAITING_BYTES = 64 * 1024 * 1024;
/** The time after which a backend that still has a batch counts as having a problem, in milliseconds. */
const SLOW_MS = 5_000;
/** The time for which a failed batch is reported as a problem if no other write follows, in milliseconds. */
const FAILED_MS = 30_000;

export interface CommitQueueOptions {
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** The largest size of an object, in bytes. */
  readonly maxObjectBytes: number;
  /** Called with the newest revision before the writers get their answers. */
  readonly onPublished: (revision: Revision) => void;
}

/**
 * Decides on a change at once, against the committed state and the changes in flight, and assigns its revision. While
 * one batch is with the backend, the next gathers, so a single fsync serves all writers that wait. Once a batch is
 * durable, it becomes visible, its watchers get it in order, and then its writers get their answers.
 */
export class CommitQueue {
  readonly #replica: Replica;
  readonly #backend: Backend;
  readonly #now: () => number;
  /** The batch that is being published, if any, and the one that is with the backend. */
  readonly #underWay: Batch[] = [];
  readonly #waiting: Batch[] = [];
  #waitingBytes = 0;
  #busy = false;
  #scheduled = false;
  #closed = false;
  #idle: (() => void)[] = [];
  /**
   * The last assigned revision. Revisions of failed changes are not used again, because some might have become durable.
   */
  #assigned: Revision;
  /** The digest of the durable state. */
  #digest: number;
  /** The start of the history on disk, if it is later than in memory. */
  #historyFrom: Revision = 0;
  /** Revisions that only the history in memory still needs. */
  readonly #forgotten = new Set<Revision>();
  /** The time at which the backend got the current batch. */
  #handedAt = 0;
  /** The error and the time of the last batch, if it failed. */
  #failed: { readonly message: string; readonly at: number } | undefined;

  readonly #maxObjectBytes: number;
  readonly #onPublished: (revision: Revision) => void;

  constructor(replica: Replica, backend: Backend, digest: number, options: CommitQueueOptions) {
    const { now, maxObjectBytes, onPublished } = options;
    this.#onPublished = onPublished;
    this.#replica = replica;
    this.#backend = backend;
    this.#assigned = replica.revision;
    this.#digest = digest;
    this.#now = now;
    this.#maxObjectBytes = maxObjectBytes;
  }

  /** The reason why changes would probably fail or take long now; empty if all is well. */
  get problem(): string {
    const now = this.#now();
    if (this.#failed && now - this.#failed.at < FAILED_MS) return this.#failed.message;
    if (!this.#busy || now - this.#handedAt < SLOW_MS) return '';
    return `storage has not answered for ${Math.floor((now - this.#handedAt) / 1000)} s`;
  }

  /** The last assigned revision. Its change may still be in flight. */
  get assigned(): Revision {
    return this.#assigned;
  }

  /** Returns the digest of the durable state. */
  get digest(): number {
    return this.#digest;
  }

  commit(change: Change): Promise<Commit> {
    const refusal = this.#refusal(change);
    if (refusal) return Promise.resolve({ outcome: 'failed', failure: refusal });
    const base = this.#onItsWay(change.key);
    const current = base ? resultOf(base) : this.#replica.get(change.key);
    if ((current?.revision ?? 0) !== change.expected || !(current || change.next)) return this.#lost(base, current);
    const tooLarge = sizeFailure(change, this.#assigned + 1, current?.size ?? 0, this.#maxObjectBytes);
    if (tooLarge) return Promise.resolve({ outcome: 'failed', failure: tooLarge });
    if (!this.#isGuarded(change)) return Promise.resolve(unguarded());
    return new Promise((answer) => {
      const event = this.#decide(change, current);
      const ending = change.ending ?? !change.next;
      this.#enqueue(new Operation(event, answer, ending, base));
    });
  }

  /**
   * Removes an object that is not in memory because it cannot be read. The history on disk then starts after the
   * removal. Fails if the object was or is being written again.
   */
  evict(key: Key, evicted: Evicted): Promise<Commit> {
    if (this.#closed) return Promise.resolve({ outcome: 'failed', failure: closedFailure() });
    if (this.#onItsWay(key) || this.#replica.get(key)) return Promise.resolve(unguarded());
    return new Promise((answer) => {
      const at = ++this.#assigned;
      const entry = new StoredEntry(key, at, { labels: {}, fields: {} });
      this.#waiting.push(new Batch());
      this.#enqueue(new Operation({ type: 'DELETED', revision: at, entry }, answer, true, undefined, evicted));
      this.#waiting.push(new Batch());
    });
  }

  /** Refuses new changes. Resolves once all decided changes have their answers. */
  close(): Promise<void> {
    this.#closed = true;
    if (!this.#busy && this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #refusal(change: Change): Failure | undefined {
    if (this.#closed) return closedFailure();
    if (this.#waitingBytes > WAITING_BYTES) return overloadFailure();
    const problem = change.expected === 0 ? keyProblem(change.key) : undefined;
    return problem === undefined ? undefined : keyFailure(problem);
  }

  /** Checks whether the guards of a change hold, and no change in flight would break them. */
  #isGuarded({ guards = [] }: Change): boolean {
    return guards.every(
      ({ key, revision }) => !this.#onItsWay(key) && (this.#replica.get(key)?.revision ?? 0) === revision,
    );
  }

  /** Returns the last change of a key that is still in flight. */
  #onItsWay(key: Key): Operation | undefined {
    const last = lastOf(this.#waiting, key) ?? lastOf(this.#underWay, key);
    return last && unsettled(last);
  }

  #lost(base: Operation | undefined, current: Entry | undefined): Promise<Commit> {
    if (!base) return Promise.resolve({ outcome: 'conflict', current });
    return new Promise((answer) => base.losers.push(answer));
  }

  #decide(change: Change, previous: StoredEntry | undefined): StoredEvent {
    const revision = ++this.#assigned;
    const { slabs, attributes: pool } = this.#replica;
    const object = change.next ?? change.last;
    const attributes = pool.share(object?.attributes ?? previous?.attributes ?? { labels: {}, fields: {} });
    const entry = new StoredEntry(previous?.key ?? change.key, revision, attributes);
    if (object) slabs.holdText(entry, stampedPieces(object, revision));
    else if (previous) slabs.holdCopy(entry, restampBytes(previous.bytes, revision) ?? previous.bytes);
    const type = change.next ? (previous ? 'MODIFIED' : 'ADDED') : 'DELETED';
    const { writer } = change;
    return previous ? { type, revision, entry, previous, writer } : { type, revision, entry, writer };
  }

  #enqueue(operation: Operation): void {
    const { size } = operation.event.entry;
    const last = this.#waiting.at(-1);
    const batch = last?.hasRoomFor(size) ? last : new Batch();
    if (batch !== last) this.#waiting.push(batch);
    batch.add(operation);
    this.#waitingBytes += size;
    // All requests that arrived together join one batch.
    if (!this.#busy && !this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#start());
    }
  }

  /** Passes the next batch to the backend. */
  #start(): void {
    this.#scheduled = false;
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      this.#waitingBytes -= batch.bytes;
      // A batch is empty if all its changes depended on a change that failed.
      if (batch.operations.length === 0) continue;
      this.#busy = true;
      this.#underWay.push(batch);
      this.#handedAt = this.#now();
      void this.#write(batch);
      return;
    }
    this.#rest();
  }

  /** Rejects only if memory cannot apply a durable batch. That is a defect, and the process should then end. */
  async #write({ operations }: Batch): Promise<void> {
    try {
      await this.#hand(operations, isEviction(operations));
      this.#failed = undefined;
    } catch (error) {
      const spared = this.#failUnspared(operations, error);
      if (spared.length > 0) await this.#spare(spared);
      this.#underWay.shift();
      return this.#start();
    }
    // The backend gets its next batch first, so it works on that while this one is published.
    this.#start();
    try {
      this.#publish(operations);
    } finally {
      this.#underWay.shift();
    }
  }

  /**
   * Makes changes durable. If `spare` is set, these are deletions on a full disk, and take as little space as possible.
   */
  async #hand(operations: readonly Operation[], spare: boolean): Promise<void> {
    const revision = operations.at(-1)?.event.revision ?? 0;
    const digest = operations.reduce(digestWith, this.#digest);
    const historyFrom = spare ? revision : Math.max(this.#historyFrom, this.#replica.oldestRevision);
    const checkpoint = { revision, oldestRevision: historyFrom, digest, time: Date.now() };
    // The backend has already forgotten some of them.
    const forget = this.#replica.takeForgettable().filter((revision) => !this.#forgotten.delete(revision));
    const records = operations.map(spare ? bareRecordOf : recordOf);
    await this.#backend.commit(records, checkpoint, forget, { spare });
    this.#digest = digest;
    this.#historyFrom = historyFrom;
    if (!spare) return;
    for (const { event } of operations) if (event.previous) this.#forgotten.add(event.previous.revision);
  }

  /**
   * Fails changes. If the backend is full, returns the deletions instead of failing them: they may succeed on their
   * own.
   */
  #failUnspared(operations: readonly Operation[], error: unknown): readonly Operation[] {
    const failure = this.#failureOf(error);
    const spared = new Set(isFull(error) ? operations.filter(({ ending }) => ending) : []);
    this.#fail(
      operations.filter((operation) => !spared.has(operation)),
      failure,
    );
    // Deletions that depend on a failed change fail too.
    const left = [...spared].filter(({ base }) => !base?.failure);
    this.#fail(
      [...spared].filter(({ base }) => base?.failure),
      failure,
    );
    return left;
  }

  /** Tries deletions again, on their own. */
  async #spare(operations: readonly Operation[]): Promise<void> {
    try {
      await this.#hand(operations, true);
      this.#publish(operations);
    } catch (error) {
      this.#fail(operations, this.#failureOf(error));
    }
  }

  #failureOf(error: unknown): Failure {
    const failure = writeFailure(error);
    this.#failed = { message: failure.message, at: this.#now() };
    return failure;
  }

  #publish(operations: readonly Operation[]): void {
    for (const operation of operations) {
      operation.settled = true;
      operation.base = undefined;
      // No reader has seen an object that is not in memory.
      if (operation.evicts) this.#replica.advance(operation.event.revision);
      else this.#replica.apply(operation.event);
    }
    this.#onPublished(this.#replica.revision);
    for (const operation of operations) {
      operation.answer({ outcome: 'committed', entry: operation.event.entry });
      for (const lost of operation.losers) lost({ outcome: 'conflict', current: resultOf(operation) });
    }
  }

  /** Fails changes, and all changes that depend on them. */
  #fail(operations: readonly Operation[], failure: Failure): void {
    for (const operation of operations) this.#abandon(operation, failure);
    for (const waiting of this.#waiting) {
      for (const operation of waiting.operations.splice(0)) {
        if (operation.base?.failure) this.#abandon(operation, failure);
        else waiting.operations.push(operation);
      }
    }
  }

  #abandon(operation: Operation, failure: Failure): void {
    operation.failure = failure;
    operation.settled = true;
    this.#replica.slabs.release(operation.event.entry);
    const failed = { outcome: 'failed', failure } as const;
    operation.answer(failed);
    for (const lost of operation.losers) lost(failed);
  }

  #rest(): void {
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** Returns whether a batch removes an object that cannot be read. That is then its only change. */
const isEviction = (operations: readonly Operation[]): boolean => operations.some(({ evicts }) => evicts !== undefined);

const isFull = (error: unknown): boolean => error instanceof Error && 'full' in error && error.full === true;
