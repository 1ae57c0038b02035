/**
 * Sends changes to the driver in groups: the changes that wait while the driver has as many groups as it takes are sent
 * together in the next.
 */
import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Failure,
  Key,
  Revision,
  SharedCommit,
  SharedDriver,
  SharedHeads,
  SharedRecord,
  Span,
} from '../../contract/index.js';
import { currentSpan } from '../../objects/tracing.js';
import { DriverError, toDriverError } from './errors.js';
import type { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';

/**
 * Turns of the event loop before the next group. By then most clients that have an answer have sent their next change,
 * which joins the group. Without these turns, clients split into small groups that alternate.
 */
const TURNS_AFTER_GROUP = 8;

/**
 * The outcome of a change. `superseded`: a restore has replaced all data. `outdated`: the change was not sent, because
 * other servers have changed something since it was decided.
 */
export type Verdict =
  | (SharedHeads & { readonly outcome: 'made'; readonly revision: Revision })
  | (SharedHeads & { readonly outcome: 'lost'; readonly found?: SharedRecord | undefined })
  | { readonly outcome: 'failed'; readonly failure: Failure }
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'outdated' };

interface Waiting {
  readonly pending: PendingChange;
  /** The time at which to give up, by `performance.now()`. */
  readonly until: number;
  /** The span of the request that the change belongs to. */
  readonly span: Span | undefined;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: DriverError) => void;
  /** Set if the driver refused a group with this change. The change itself may be fine. */
  alone?: true;
}

/** Waits until memory has caught up with heads. Resolves to the failure if it does not. */
export type Follow = (heads: SharedHeads) => Promise<Failure | undefined>;

/**
 * Sends one group at a time, unless the driver takes more. So changes are made in the order of their arrival, and groups
 * grow with the load. With two groups at a time, groups are smaller and cost more in total.
 */
export class Groups {
  readonly #driver: Pick<SharedDriver, 'commit' | 'limits'>;
  readonly #others: OtherWriters;
  readonly #follow: Follow;
  readonly #largest: number;
  #waiting: Waiting[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #isSending = false;
  #isDue = false;
  /**
   * The context in which groups are sent, instead of the context of the request that happened to start the first one.
   */
  readonly #ownContext = new AsyncResource('StorageGroups');

  /** `largest` is the most changes in a group; by default, and at most, as many as the driver takes. */
  constructor(
    driver: Pick<SharedDriver, 'commit' | 'limits'>,
    others: OtherWriters,
    follow: Follow,
    largest: number = driver.limits.changes,
  ) {
    this.#driver = driver;
    this.#others = others;
    this.#follow = follow;
    this.#largest = Math.min(driver.limits.changes, Math.max(1, largest));
  }

  /**
   * Has the driver decide on a change. No two changes with the same key may be in flight. Rejects with a `DriverError`;
   * it is `uncertain` if the change may have been made.
   */
  decide(pending: PendingChange, until: number): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pending, until, span: currentSpan(), resolve, reject });
      this.#schedule();
    });
  }

  /** Waits for the changes that have already arrived: usually all that the same turn of the event loop has read. */
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
        // Each group in flight moves the head.
        if (this.#waiting.some(({ pending }) => pending.isUnconfirmed)) await this.#untilInFlight(0);
        const group = this.#next();
        const sent: Promise<void> = this.#send(group).then(() => void this.#inFlight.delete(sent));
        this.#inFlight.add(sent);
        await this.#untilInFlight((this.#driver.limits.groups ?? 1) - 1);
        for (let turns = group.length > 1 ? TURNS_AFTER_GROUP : 0; turns > 0; turns--) await nextTurn();
      }
    } finally {
      this.#isSending = false;
    }
  }

  /** Waits until at most so many groups are in flight. */
  async #untilInFlight(most: number): Promise<void> {
    while (this.#inFlight.size > most) await Promise.race(this.#inFlight);
  }

  /** Takes the next group, in the order of arrival. It is empty if all waiting changes were dropped. */
  #next(): readonly Waiting[] {
    this.#dropLate();
    this.#dropOutdated();
    const { limits } = this.#driver;
    const keys = new Set<Key>();
    let [count, bytes] = [0, 0];
    for (const { pending, alone } of this.#waiting) {
      const guards = pending.guards ?? [];
      const isFull = count === this.#largest || bytes + pending.size > limits.bytes;
      const isApart = alone === true || guards.length > limits.guards || guards.some(({ key }) => keys.has(key));
      if (count > 0 && (isFull || isApart)) break;
      keys.add(pending.key);
      bytes += pending.size;
      count++;
      if (isApart) break;
    }
    return this.#waiting.splice(0, count);
  }

  /** Rejects changes that have run out of time. They were not sent. */
  #dropLate(): void {
    const now = performance.now();
    if (!this.#waiting.some(({ until }) => until <= now)) return;
    const late = this.#waiting.filter(({ until }) => until <= now);
    this.#waiting = this.#waiting.filter(({ until }) => until > now);
    for (const { reject } of late)
      reject(new DriverError('unsent', 'the driver did not answer earlier changes in time'));
  }

  /** Drops outdated changes: other servers have written since they were decided. */
  #dropOutdated(): void {
    if (!this.#waiting.some(({ pending }) => pending.isOutdated)) return;
    const outdated = this.#waiting.filter(({ pending }) => pending.isOutdated);
    this.#waiting = this.#waiting.filter(({ pending }) => !pending.isOutdated);
    for (const { resolve } of outdated) resolve({ outcome: 'outdated' });
  }

  /** Has the driver decide on a group. Never rejects. */
  async #send(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    try {
      // A group belongs to one trace: the trace of the first change that has one.
      const span = group.find((waiting) => waiting.span)?.span;
      await (span ? span.within(() => this.#ask(group)) : this.#ask(group));
    } catch (error) {
      const problem = toDriverError(error);
      // A driver refuses a whole group before it does anything. The group may be too large for the program behind the
      // driver.
      if (group.length > 1 && problem.problem === 'refused' && !problem.full) this.#divide(group);
      else for (const { reject } of group) reject(problem);
    }
  }

  async #ask(group: readonly Waiting[]): Promise<void> {
    const changes = group.map(({ pending }) => pending);
    const withinMs = Math.min(...group.map(({ until }) => until)) - performance.now();
    const head = changes.some(({ isUnconfirmed }) => isUnconfirmed) ? this.#others.head : undefined;
    const commit = await this.#driver.commit(changes, { head, withinMs });
    if (commit.outcome === 'moved') return this.#sendAgain(group, commit);
    if (commit.outcome === 'superseded') {
      for (const { resolve } of group) resolve({ outcome: 'superseded' });
      return;
    }
    // A group that required the head is the next group after it.
    const wrote = changes.some(({ writes }, index) => writes && commit.verdicts[index]?.made === true);
    if (head !== undefined && wrote) this.#others.noteMade(commit.head);
    for (const [index, { resolve, reject }] of group.entries()) {
      const verdict = verdictAt(commit, index);
      if (verdict) resolve(verdict);
      else reject(new DriverError('uncertain', UNANSWERED));
    }
  }

  /**
   * Sends a group again after the driver decided nothing, because memory did not have the latest change. Once memory
   * has it, each change was either decided on the latest state, or is outdated.
   */
  async #sendAgain(group: readonly Waiting[], moved: SharedHeads): Promise<void> {
    const failure = await this.#follow(moved);
    if (failure) throw new DriverError('unsent', failure.message, { failure });
    for (const { pending } of group) if (!pending.isOutdated) pending.isUnconfirmed = false;
    this.#putBack(group);
  }

  /** Sends each change of a refused group by itself. */
  #divide(group: readonly Waiting[]): void {
    for (const waiting of group) waiting.alone = true;
    this.#putBack(group);
  }

  #putBack(group: readonly Waiting[]): void {
    this.#waiting.unshift(...group);
    this.#schedule();
  }
}

type Decided = Extract<SharedCommit, { readonly outcome: 'decided' }>;

/** Returns the verdict on the change at an index of a group; undefined without one. */
function verdictAt({ number, head, verdicts }: Decided, index: number): Verdict | undefined {
  const verdict = verdicts[index];
  if (!verdict) return undefined;
  if (verdict.made) return { outcome: 'made', number, head, revision: verdict.revision };
  const { failure, found } = verdict;
  return failure ? { outcome: 'failed', failure } : { outcome: 'lost', number, head, found };
}

/** Returns the verdict on the only change of a group. Throws a `DriverError` if nothing was decided. */
export function loneVerdict(commit: SharedCommit): Verdict {
  if (commit.outcome === 'superseded') return commit;
  const verdict = commit.outcome === 'decided' ? verdictAt(commit, 0) : undefined;
  if (!verdict) throw new DriverError('uncertain', UNANSWERED);
  return verdict;
}

const UNANSWERED = 'the driver has not reported the outcome of the change';
