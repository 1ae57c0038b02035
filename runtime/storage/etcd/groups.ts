/** Sends changes to etcd in groups: changes that wait while a transaction is in flight go together in the next. */
import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Basis, Failure, Key, Span } from '../../contract/index.js';
import { currentSpan } from '../../objects/tracing.js';
import type { Confirmations } from './confirmations.js';
import type { Connection } from './connection.js';
import { EtcdError } from './errors.js';
import { txn } from './messages.js';
import type { EtcdRevision } from './numbering.js';
import type { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';
import { type Context, groupRequest, groupVerdicts, loneRequest, loneVerdict, type Verdict } from './requests.js';

/** The most changes of one transaction; etcd takes 128 operations by default. */
export const LARGEST_GROUP = 100;
/** The most bytes of one transaction, unless it has only one change; etcd takes 1.5 MiB by default. */
const GROUP_BYTES = 1024 * 1024;
/**
 * Turns of the event loop between the answer to a group and the next one: by then most answered clients have sent their
 * next change, which joins the group. Without these turns, clients split into two halves that alternate.
 */
const TURNS_AFTER_GROUP = 8;
/** Guards of one change in a group; one with more goes alone, as they count as operations too. */
const MOST_GUARDS = 20;

interface Waiting {
  readonly pending: PendingChange;
  /** The time at which the change is given up, by `performance.now()`. */
  readonly until: number;
  /** The span of the request that the change belongs to. */
  readonly span: Span | undefined;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: EtcdError) => void;
  /** Set if etcd refused a group with this change. The change itself may be fine. */
  alone?: true;
}

/** Waits until memory has caught up with a verdict. Resolves to the failure if it does not. */
export type Follow = (verdict: Pick<Verdict, 'revision' | 'head'>) => Promise<Failure | undefined>;

/**
 * Sends one transaction at a time. So changes are made in the order of their arrival, and groups grow with the load.
 * With two transactions at a time, groups would be half as large and cost more in total.
 */
export class Groups {
  readonly #connection: Pick<Connection, 'ask'>;
  readonly #context: Context;
  readonly #follow: Follow;
  #largest: number;
  #waiting: Waiting[] = [];
  #isSending = false;
  #isDue = false;
  /** Transactions are sent from here, and not on behalf of the request that happened to set the first one off. */
  readonly #ownContext = new AsyncResource('EtcdGroups');

  /** `largest` is the most changes in a transaction, from 1 to 100. */
  constructor(connection: Pick<Connection, 'ask'>, context: Context, follow: Follow, largest: number = LARGEST_GROUP) {
    this.#connection = connection;
    this.#context = context;
    this.#follow = follow;
    this.#largest = Math.min(LARGEST_GROUP, Math.max(1, largest));
  }

  /**
   * Has etcd decide on a change; no two with the same key may be in flight. Rejects with an `EtcdError`, `uncertain` if
   * the change may have been made.
   */
  decide(pending: PendingChange, until: number): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pending, until, span: currentSpan(), resolve, reject });
      this.#schedule();
    });
  }

  /** Changes that have arrived by now are let in first: as a rule, all that the same turn of the event loop has read. */
  #schedule(): void {
    if (this.#isSending || this.#isDue) return;
    this.#isDue = true;
    this.#ownContext.runInAsyncScope(setImmediate, undefined, () => {
      this.#isDue = false;
      void this.#sendAll();
    });
  }

  /** Sends all waiting changes. Never rejects: each change gets its own error. */
  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) {
        const group = this.#next();
        await this.#send(group);
        for (let turns = group.length > 1 ? TURNS_AFTER_GROUP : 0; turns > 0; turns--) await nextTurn();
      }
    } finally {
      this.#isSending = false;
    }
  }

  /** Takes the next group, in the order of arrival. It is empty if all waiting changes were dropped. */
  #next(): readonly Waiting[] {
    this.#dropLate();
    this.#dropOutdated();
    const keys = new Set<Key>();
    let [count, bytes] = [0, 0];
    for (const { pending, alone } of this.#waiting) {
      const guards = pending.change.guards ?? [];
      const isFull = count === this.#largest || bytes + pending.size > GROUP_BYTES;
      const isApart = alone === true || guards.length > MOST_GUARDS || guards.some(({ key }) => keys.has(key));
      if (count > 0 && (isFull || isApart)) break;
      keys.add(pending.key);
      bytes += pending.size;
      count++;
      if (isApart) break;
    }
    return this.#waiting.splice(0, count);
  }

  /** Rejects changes that have run out of time: nothing of them was sent. */
  #dropLate(): void {
    const now = performance.now();
    if (!this.#waiting.some(({ until }) => until <= now)) return;
    const late = this.#waiting.filter(({ until }) => until <= now);
    this.#waiting = this.#waiting.filter(({ until }) => until > now);
    for (const { reject } of late) reject(new EtcdError('unsent', 'etcd has not answered the changes before in time'));
  }

  /** Drops changes that are outdated, because others have written since they were decided. */
  #dropOutdated(): void {
    if (!this.#waiting.some(({ pending }) => pending.isOutdated)) return;
    const outdated = this.#waiting.filter(({ pending }) => pending.isOutdated);
    this.#waiting = this.#waiting.filter(({ pending }) => !pending.isOutdated);
    for (const { resolve } of outdated) resolve(OUTDATED);
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    try {
      // A transaction is in one trace: the trace of the first change that has one.
      const span = group.find((waiting) => waiting.span)?.span;
      const verdicts = await (span ? span.within(() => this.#ask(group)) : this.#ask(group));
      const [first] = verdicts;
      if (first?.outcome === 'moved') return await this.#sendAgain(group, first);
      for (const [index, { resolve, reject }] of group.entries()) {
        const verdict = verdicts[index];
        if (verdict) resolve(verdict);
        else reject(new EtcdError('uncertain', 'etcd has not said what became of the change'));
      }
    } catch (error) {
      const problem = error instanceof EtcdError ? error : new EtcdError('uncertain', String(error));
      if (group.length > 1 && isOfTheGroup(problem)) this.#divide(group);
      else for (const { reject } of group) reject(problem);
    }
  }

  async #ask(group: readonly Waiting[]): Promise<readonly Verdict[]> {
    const changes = group.map(({ pending }, position) => {
      pending.place(position);
      return pending;
    });
    const withinMs = Math.min(...group.map(({ until }) => until)) - performance.now();
    const [first] = changes;
    const context = this.#context;
    const options = { withinMs, repeatable: false };
    const head = changes.some(({ isUnconfirmed }) => isUnconfirmed) ? context.others.head : undefined;
    const isLone = changes.length === 1;
    const request = first && isLone ? loneRequest(first, context, head) : groupRequest(changes, context, head);
    const answer = await this.#connection.ask(txn, request, options);
    if (head !== undefined && answer.succeeded && (first?.writes || !isLone)) {
      context.others.noteMade(answer.header?.revision ?? 0);
    }
    return first && isLone ? [loneVerdict(first, context, answer, head)] : groupVerdicts(changes, context, answer);
  }

  /**
   * Sends a group again if etcd has decided nothing, as there was a change that memory does not have. Once memory has
   * it, each change was either decided on the latest state, or is outdated.
   */
  async #sendAgain(group: readonly Waiting[], moved: Verdict): Promise<void> {
    const failure = await this.#follow(moved);
    if (failure) throw new EtcdError('unsent', failure.message, failure);
    for (const { pending } of group) if (!pending.isOutdated) pending.isUnconfirmed = false;
    this.#waiting.unshift(...group);
  }

  /** Sends each change of a refused group by itself. */
  #divide(group: readonly Waiting[]): void {
    for (const waiting of group) waiting.alone = true;
    this.#waiting.unshift(...group);
  }
}

const OUTDATED: Verdict = { outcome: 'outdated', revision: 0, position: 0, head: 0 };

/** Checks whether etcd has refused a group before it did anything: it may be too much for the configuration of etcd. */
const isOfTheGroup = ({ problem, message }: EtcdError): boolean =>
  problem === 'refused' && !message.includes('space exceeded');

export class MemoryBasis implements Basis {
  constructor(
    private readonly others: OtherWriters,
    private readonly confirmations: Confirmations,
    /** The revision up to which memory had everything. */
    private readonly revision: EtcdRevision,
  ) {}

  get isOutdated(): boolean {
    return this.others.haveWrittenSince(this.revision);
  }

  confirm(): Promise<Failure | undefined> {
    return this.confirmations.confirm();
  }
}
