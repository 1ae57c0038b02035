/** Carries changes out: each is one transaction that etcd decides, and is answered when memory shows it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, Commit, Entry, Failure, Guard, Key, Revision } from '../../contract/index.js';
import { closedFailure, keyFailure, overloadFailure, uncertain, unguarded } from '../failures.js';
import { keyProblem } from '../keys.js';
import type { Replica } from '../memory/replica.js';
import { sizeFailure } from '../object-size.js';
import { restampBytes, stampRevision } from '../stamp.js';
import type { Confirmations } from './confirmations.js';
import type { Connection } from './connection.js';
import { createAgain } from './create-again.js';
import { EtcdError, failureOf, replaced, unavailable } from './errors.js';
import type { Layout } from './layout.js';
import { type Compare, type KeyValue, MOD, type RequestOp, type TxnRequest, type TxnResponse } from './messages.js';
import type { PendingChange } from './pending-change.js';
import { txn } from './protocol.js';
import { isSameEpoch, type RestoreEpoch, SUPERSEDED } from './restore-epoch.js';

/** Milliseconds after which a change is given up that etcd does not answer. */
const CHANGE_MS = 5_000;
/** Milliseconds before a change is tried again whose first try may have succeeded. */
const PAUSE_MS = 100;
/** Milliseconds that the watch may take to deliver a change that etcd has acknowledged. */
const VISIBLE_MS = 4_000;
/** Bytes that may be on their way; beyond, changes are refused. */
const PENDING_BYTES = 64 * 1024 * 1024;

/** The answer of etcd to a transaction. */
interface Verdict {
  readonly answer: TxnResponse;
  /** Whether an earlier try may have made the change. */
  readonly retried: boolean;
  /** How far memory was before the first try. */
  readonly since: Revision;
}

/**
 * Changes of different keys go out at once. Those of one key wait for each other: only one of them can be right about
 * what it follows, and which that is is known when the one before has been answered.
 */
export class Commits {
  readonly #connection: Connection;
  readonly #layout: Layout;
  readonly #replica: Replica;
  readonly #confirmations: Confirmations;
  readonly #pending: Map<Key, PendingChange>;
  readonly #epoch: RestoreEpoch;
  readonly #maxObjectBytes: number;
  /** The last change of each key that has some under way. */
  readonly #turns = new Map<Key, Promise<Commit>>();
  #bytes = 0;
  #closed = false;

  /**
   * `pending` is where the changes under way are found by whoever delivers their events; `epoch` is the last restore,
   * since which nobody may have begun another.
   */
  constructor(
    connection: Connection,
    layout: Layout,
    replica: Replica,
    confirmations: Confirmations,
    pending: Map<Key, PendingChange>,
    epoch: RestoreEpoch,
    maxObjectBytes: number,
  ) {
    this.#connection = connection;
    this.#layout = layout;
    this.#replica = replica;
    this.#confirmations = confirmations;
    this.#pending = pending;
    this.#epoch = epoch;
    this.#maxObjectBytes = maxObjectBytes;
  }

  commit(change: Change): Promise<Commit> {
    const refusal = this.#refusal(change);
    if (refusal) return Promise.resolve({ outcome: 'failed', failure: refusal });
    const before = this.#turns.get(change.key);
    const turn = before ? before.then(() => this.#run(change)) : this.#run(change);
    this.#turns.set(change.key, turn);
    void turn.then(() => {
      if (this.#turns.get(change.key) === turn) this.#turns.delete(change.key);
    });
    return turn;
  }

  /** Refuses new changes and resolves when those under way have been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
  }

  #refusal({ key, expected }: Change): Failure | undefined {
    if (this.#closed) return closedFailure();
    if (this.#bytes > PENDING_BYTES) return overloadFailure();
    const problem = expected === 0 ? keyProblem(key) : undefined;
    return problem === undefined ? undefined : keyFailure(problem);
  }

  async #run(change: Change): Promise<Commit> {
    const { key, expected, next, last } = change;
    const current = this.#replica.get(key);
    // The key has gone on for good from where the writer thinks it is. Whether it is absent only etcd knows.
    if (expected > 0 && current && current.revision > expected) return { outcome: 'conflict', current };
    const tooLarge = sizeFailure(change, this.#replica.revision + 1, current?.size ?? 0, this.#maxObjectBytes);
    if (tooLarge) return { outcome: 'failed', failure: tooLarge };
    const pending: PendingChange = {
      change,
      ...(next ? { value: Buffer.from(next.text) } : {}),
      ...(!next && last ? { last: Buffer.from(last.text) } : {}),
      arrived: new Map(),
    };
    const bytes = (pending.value ?? pending.last)?.length ?? 0;
    this.#bytes += bytes;
    this.#pending.set(key, pending);
    try {
      return await this.#settle(pending, await this.#decide(pending));
    } catch (error) {
      return { outcome: 'failed', failure: failureOf(error) };
    } finally {
      this.#pending.delete(key);
      this.#bytes -= bytes;
    }
  }

  /**
   * Has etcd decide. A try whose outcome is unknown can be made again: if the first has been carried out, or still
   * will be, the second finds that the key is not what it was; only the absence of a key can come back. Rejects with an
   * `EtcdError`.
   */
  async #decide(pending: PendingChange): Promise<Verdict> {
    const request = toRequest(pending, this.#layout, this.#epoch);
    const until = performance.now() + CHANGE_MS;
    const since = this.#replica.revision;
    let retried = false;
    for (;;) {
      try {
        const withinMs = until - performance.now();
        return { answer: await this.#connection.ask(txn, request, { withinMs, repeatable: false }), retried, since };
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        retried ||= error.problem === 'uncertain';
        const isOver = error.problem !== 'uncertain' || performance.now() + PAUSE_MS >= until;
        if (isOver) throw retried ? new EtcdError('uncertain', error.message, uncertain(error.message)) : error;
        await sleep(PAUSE_MS);
        if (pending.change.expected > 0) continue;
        const tried = { pending, request, epoch: this.#epoch, since, until };
        const answer = await createAgain(this.#connection, this.#layout, this.#replica, tried);
        return { answer, retried, since };
      }
    }
  }

  async #settle(pending: PendingChange, { answer, retried, since }: Verdict): Promise<Commit> {
    const revision = answer.header?.revision ?? 0;
    const { change } = pending;
    const written = answer.succeeded && (change.next !== undefined || change.expected > 0);
    // A change comes after all that was seen before it, unless that was of other data.
    if (revision < since || (written && revision === since)) {
      return { outcome: 'failed', failure: replaced(revision, since) };
    }
    if (written) return this.#committed(pending, revision);
    // Nothing was to be deleted, and nothing was there.
    if (answer.succeeded) return { outcome: 'conflict', current: undefined };
    const [found, head, restore] = (answer.responses ?? []).map(({ responseRange }) => responseRange?.kvs?.[0]);
    if ((restore?.modRevision ?? 0) !== this.#epoch.revision) {
      return { outcome: 'failed', failure: unavailable(SUPERSEDED) };
    }
    if (retried) return this.#recognize(pending, found);
    const failure = await this.#confirmations.settle({ revision, head: head?.modRevision ?? 0, known: 0 });
    if (failure) return { outcome: 'failed', failure };
    if ((found?.modRevision ?? 0) === change.expected) return unguarded();
    return { outcome: 'conflict', current: this.#entryOf(change.key, found) };
  }

  async #committed(pending: PendingChange, revision: Revision): Promise<Commit> {
    const before = this.#replica.get(pending.change.key);
    await this.#replica.reached(revision, VISIBLE_MS);
    // Where the watch is down or has lost it: it is stored all the same, and reads wait for the watch to come back.
    const entry = pending.arrived.get(revision) ?? stampedEntry(pending, revision, before);
    return { outcome: 'committed', entry };
  }

  /** A change was tried more than once, and the last try lost: perhaps against the first. */
  #recognize(pending: PendingChange, found: KeyValue | undefined): Promise<Commit> | Commit {
    const { value } = pending;
    if (value && found?.value?.equals(value)) return this.#committed(pending, found.modRevision ?? 0);
    const failure = uncertain('etcd was lost while it was on its way, and the object has changed since');
    return { outcome: 'failed', failure };
  }

  /** The entry that etcd has found for a key; the one in memory where that is the same. */
  #entryOf(key: Key, found: KeyValue | undefined): Entry | undefined {
    const revision = found?.modRevision ?? 0;
    const current = this.#replica.get(key);
    if (!found?.value || current?.revision === revision) return found?.value ? current : undefined;
    // It has changed again. The attributes are those of a neighbour version; writers read the bytes.
    const attributes = current?.attributes ?? { labels: {}, fields: {} };
    return { key, revision, bytes: restampBytes(found.value, revision), attributes };
  }
}

/** The entry of a change that memory does not show yet. */
function stampedEntry({ change }: PendingChange, revision: Revision, before: Entry | undefined): Entry {
  const object = change.next ?? change.last;
  const bytes = object ? Buffer.from(stampRevision(object, revision)) : restampBytes(before?.bytes ?? EMPTY, revision);
  const attributes = object?.attributes ?? before?.attributes ?? { labels: {}, fields: {} };
  return { key: change.key, revision, bytes, attributes };
}

const EMPTY = Buffer.from('{}');

const isGuarded = (layout: Layout, { key, revision }: Guard): Compare => ({
  target: MOD,
  key: layout.object(key),
  modRevision: revision,
});

function toRequest({ change, value, last }: PendingChange, layout: Layout, epoch: RestoreEpoch): TxnRequest {
  const key = layout.object(change.key);
  const head: RequestOp = { requestPut: last ? { key: layout.head, value: last } : { key: layout.head } };
  const write: RequestOp = value ? { requestPut: { key, value } } : { requestDeleteRange: { key } };
  return {
    compare: [
      { target: MOD, key, modRevision: change.expected },
      ...(change.guards ?? []).map((guard) => isGuarded(layout, guard)),
      isSameEpoch(layout, epoch),
    ],
    success: value || change.expected > 0 ? [head, write] : [],
    failure: [
      { requestRange: { key } },
      { requestRange: { key: layout.head, keysOnly: true } },
      { requestRange: { key: layout.restore, keysOnly: true } },
    ],
  };
}
