/** Carries changes out: etcd decides them in groups, and each is answered when memory shows it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, Commit, Entry, Failure, Key, Revision } from '../../contract/index.js';
import { BriefMap } from '../brief-map.js';
import {
  closedFailure,
  damagedFailure,
  keyFailure,
  outdated,
  overloadFailure,
  uncertain,
  unguarded,
} from '../failures.js';
import { keyProblem, sizeFailure } from '../keys.js';
import type { Replica } from '../memory/replica.js';
import { restampBytes, stampRevision } from '../stamp.js';
import type { Confirmations } from './confirmations.js';
import type { Connection } from './connection.js';
import { createAgain } from './create-again.js';
import type { Decryption } from './decryption.js';
import { damageOf, isStoredObject } from './entries.js';
import { EtcdError, failureOf, replaced, unavailable } from './errors.js';
import { type Follow, Groups } from './groups.js';
import { type KeyValue, txn } from './messages.js';
import { type EtcdRevision, positionOf } from './numbering.js';
import { PendingChange } from './pending-change.js';
import type { Refusals } from './refusals.js';
import { type Context, loneRequest, loneVerdict, type Verdict } from './requests.js';
import { SUPERSEDED } from './restore-epoch.js';

/** Milliseconds to wait for etcd before a change is given up. */
const CHANGE_MS = 5_000;
/** The pause before a change is tried again if its first try may have succeeded, in milliseconds. */
const PAUSE_MS = 100;
/** Milliseconds that the watch may take to deliver a change that etcd has acknowledged. */
const VISIBLE_MS = 4_000;
/** Bytes that may be in flight. Changes beyond that are refused. */
const PENDING_BYTES = 64 * 1024 * 1024;

/** The outcome of all tries of a change. */
interface Decision {
  readonly verdict: Verdict;
  /** True if an earlier try may have made the change. */
  readonly retried: boolean;
  /** The revision of memory before the first try. */
  readonly since: Revision;
}

export interface CommitsOptions {
  /** Bytes of the largest object that is stored. */
  readonly maxObjectBytes: number;
  /** The most changes in a transaction, from 1 to 100; 100 by default. */
  readonly largestGroup?: number | undefined;
  /** Notified of each change that etcd has made or refused. */
  readonly refusals: Refusals;
  readonly decryption: Decryption;
}

/**
 * Queues changes of different keys in one line. Changes of one key wait for each other: only one of them can be right
 * about its base, and which one is known when the one before has been answered.
 */
export class Commits {
  readonly #connection: Connection;
  readonly #context: Context;
  readonly #decryption: Decryption;
  readonly #replica: Replica;
  readonly #confirmations: Confirmations;
  readonly #pending: BriefMap<Key, PendingChange>;
  readonly #groups: Groups;
  readonly #maxObjectBytes: number;
  readonly #refusals: Refusals;
  /** The last change in flight of each key that has one. */
  readonly #turns = new BriefMap<Key, Promise<Commit>>();
  #bytes = 0;
  #closed = false;

  /** `pending` holds the changes in flight for the code that delivers their events. */
  constructor(
    connection: Connection,
    context: Context,
    replica: Replica,
    confirmations: Confirmations,
    pending: BriefMap<Key, PendingChange>,
    { maxObjectBytes, largestGroup, refusals, decryption }: CommitsOptions,
  ) {
    this.#connection = connection;
    this.#context = context;
    this.#decryption = decryption;
    this.#replica = replica;
    this.#confirmations = confirmations;
    this.#pending = pending;
    const follow: Follow = ({ revision, head }) => confirmations.settle({ revision, head, known: 0 });
    this.#groups = new Groups(connection, context, follow, largestGroup);
    this.#maxObjectBytes = maxObjectBytes;
    this.#refusals = refusals;
  }

  commit(change: Change): Promise<Commit> {
    const refusal = this.#refusal(change);
    if (refusal) return Promise.resolve({ outcome: 'failed', failure: refusal });
    const before = this.#turns.get(change.key);
    const run = (): Promise<Commit> => this.#run(change);
    const turn = before ? before.then(run, run) : run();
    this.#turns.set(change.key, turn);
    const forget = (): void => {
      if (this.#turns.get(change.key) === turn) this.#turns.delete(change.key);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** Refuses new changes and resolves when those in flight have been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
  }

  #refusal({ key, expected, next }: Change): Failure | undefined {
    if (this.#closed) return closedFailure();
    const unencrypted = next && this.#context.encryption?.refusal(key);
    if (unencrypted) return unencrypted;
    if (this.#bytes > PENDING_BYTES) return overloadFailure();
    const problem = expected === 0 ? keyProblem(key) : undefined;
    return problem === undefined ? undefined : keyFailure(problem);
  }

  async #run(change: Change): Promise<Commit> {
    const { key, expected } = change;
    if (this.#isAhead(expected)) await this.#confirmations.confirm();
    const current = this.#replica.get(key);
    if (current && this.#isWrong(expected, current.revision)) return { outcome: 'conflict', current };
    const tooLarge = sizeFailure(change, this.#replica.revision + 1, current?.size ?? 0, this.#maxObjectBytes);
    if (tooLarge) return { outcome: 'failed', failure: tooLarge };
    const pending = new PendingChange(change);
    this.#bytes += pending.size;
    this.#pending.set(key, pending);
    try {
      return await this.#settle(pending, await this.#decide(pending));
    } catch (error) {
      this.#refusals.noteFailed(error);
      return { outcome: 'failed', failure: failureOf(error) };
    } finally {
      this.#pending.delete(key);
      this.#bytes -= pending.size;
    }
  }

  /** Checks whether another server has reported the revision before memory here has reached it. */
  #isAhead(expected: Revision): boolean {
    const { numbering } = this.#context;
    return numbering.toEtcd(expected) > numbering.toEtcd(this.#replica.revision);
  }

  /**
   * Checks whether the key has already passed the expected revision, or never had it. etcd cannot find the latter if
   * only the position differs, as it compares its own revisions. Only etcd knows if the key is absent.
   */
  #isWrong(expected: Revision, current: Revision): boolean {
    const { numbering } = this.#context;
    if (expected === 0 || expected === current) return false;
    return current > expected || numbering.toEtcd(current) === numbering.toEtcd(expected);
  }

  /**
   * Has etcd decide. A try with an unknown outcome is repeated: if etcd has made the change, or still will, the second
   * try finds the key changed. A create is repeated differently, since its key can be absent again. Rejects with an
   * `EtcdError`.
   */
  async #decide(pending: PendingChange): Promise<Decision> {
    const until = performance.now() + CHANGE_MS;
    const since = this.#replica.revision;
    for (let retried = false; ; retried = true) {
      try {
        const verdict = retried ? await this.#askAgain(pending, until) : await this.#groups.decide(pending, until);
        return { verdict, retried, since };
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        const { problem, message } = error;
        const isOver = problem !== 'uncertain' || performance.now() + PAUSE_MS >= until;
        const isUnknown = retried || problem === 'uncertain';
        if (isOver) throw isUnknown ? new EtcdError('uncertain', message, uncertain(message)) : error;
        await sleep(PAUSE_MS);
        await this.#confirmBasis(pending, message);
        if (pending.change.expected > 0) continue;
        const tried = { pending, since, until };
        const verdict = await createAgain(this.#connection, this.#context, this.#replica, tried);
        return { verdict, retried: true, since };
      }
    }
  }

  /** Rejects if a change with an unknown outcome must not be repeated, because it may be based on an older state. */
  async #confirmBasis(pending: PendingChange, message: string): Promise<void> {
    if (!pending.isUnconfirmed) return;
    const failure = await this.#confirmations.confirm();
    if (failure || pending.isOutdated) throw new EtcdError('uncertain', message, uncertain(message));
    pending.isUnconfirmed = false;
  }

  /**
   * Asks again for one change alone, even if it was sent in a group: the outcomes of the others say nothing about it.
   */
  async #askAgain(pending: PendingChange, until: number): Promise<Verdict> {
    const options = { withinMs: until - performance.now(), repeatable: false };
    const answer = await this.#connection.ask(txn, loneRequest(pending, this.#context), options);
    return loneVerdict(pending, this.#context, answer);
  }

  async #settle(pending: PendingChange, { verdict, retried, since }: Decision): Promise<Commit> {
    const { outcome, revision, position, head } = verdict;
    const [found] = verdict.found ? await this.#decryption.objects([verdict.found]) : [];
    const { change } = pending;
    if (outcome === 'outdated') return outdated();
    const isMade = outcome === 'made' && pending.writes;
    const before = this.#context.numbering.toEtcd(since);
    // A change is newer than everything seen before. If not, etcd now holds other data.
    if (revision < before || (isMade && revision === before)) {
      return { outcome: 'failed', failure: replaced(revision, before) };
    }
    if (isMade) return this.#committed(pending, revision, position);
    // There was nothing to delete.
    if (outcome === 'made') return { outcome: 'conflict', current: undefined };
    if (outcome === 'superseded') return { outcome: 'failed', failure: unavailable(SUPERSEDED) };
    // If the key has not changed since before the first try, that try has lost too.
    const isOld = found !== undefined && (found.modRevision ?? 0) <= before;
    if (retried && !isOld) return this.#recognize(pending, found);
    const failure = await this.#confirmations.settle({ revision, head, known: 0 });
    if (failure) return { outcome: 'failed', failure };
    if ((found?.modRevision ?? 0) === this.#context.numbering.toEtcd(change.expected)) return unguarded();
    return this.#conflict(change.key, found);
  }

  async #committed(pending: PendingChange, at: EtcdRevision, position: number): Promise<Commit> {
    this.#refusals.noteMade();
    const before = this.#replica.get(pending.key);
    const revision = this.#context.numbering.toStore(at, position);
    await this.#replica.reached(revision, VISIBLE_MS);
    // If the watch is down, the change is stored all the same, and reads wait for the watch.
    const entry = pending.arrivedAt(revision) ?? stampedEntry(pending, revision, before);
    return { outcome: 'committed', entry };
  }

  /** Recognizes a change that was tried more than once and lost the last time, perhaps against its own first try. */
  #recognize(pending: PendingChange, found: KeyValue | undefined): Promise<Commit> | Commit {
    const { value, position } = pending;
    if (value && found?.value?.equals(value)) return this.#committed(pending, found.modRevision ?? 0, position);
    const failure = uncertain('etcd was lost while it was on its way, and the object has changed since');
    return { outcome: 'failed', failure };
  }

  /** Loses against what etcd has found for a key: the entry in memory if that is the same. */
  #conflict(key: Key, found: KeyValue | undefined): Commit {
    if (!found?.value) return { outcome: 'conflict', current: undefined };
    const { value, locked } = found;
    const position = locked === undefined ? positionOf(value) : 0;
    const revision = this.#context.numbering.toStore(found.modRevision ?? 0, position);
    const current = this.#replica.get(key);
    if (current?.revision === revision) return { outcome: 'conflict', current };
    if (locked !== undefined || !isStoredObject(value)) {
      return { outcome: 'failed', failure: damagedFailure(damageOf(key, revision, value, locked)) };
    }
    // The key has changed again. The attributes of the version in memory suffice: writers read only the bytes.
    const attributes = current?.attributes ?? { labels: {}, fields: {} };
    const bytes = restampBytes(value, revision);
    return { outcome: 'conflict', current: { key, revision, bytes, attributes } };
  }
}

/** Returns the entry of a change that memory does not show yet. */
function stampedEntry({ change }: PendingChange, revision: Revision, before: Entry | undefined): Entry {
  const object = change.next ?? change.last;
  const bytes = object ? Buffer.from(stampRevision(object, revision)) : restampBytes(before?.bytes ?? EMPTY, revision);
  const attributes = object?.attributes ?? before?.attributes ?? { labels: {}, fields: {} };
  return { key: change.key, revision, bytes, attributes };
}

const EMPTY = Buffer.from('{}');
