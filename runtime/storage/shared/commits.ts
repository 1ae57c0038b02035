/** Carries out changes: the driver decides on them in groups, and each gets its answer once memory shows it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Change,
  Commit,
  Entry,
  Failure,
  GroupNumber,
  Key,
  Revision,
  SharedDriver,
  SharedRecord,
} from '../../contract/index.js';
import { BriefMap } from '../brief-map.js';
import type { Encryption } from '../encryption/encryption.js';
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
import { createAgain } from './create-again.js';
import { damageOf, isStoredObject } from './entries.js';
import { DriverError, failureOf, replaced, SUPERSEDED, unavailable } from './errors.js';
import { Groups, loneVerdict, type Verdict } from './groups.js';
import type { Mirror } from './mirror.js';
import type { OtherWriters } from './other-writers.js';
import { PendingChange } from './pending-change.js';
import type { Refusals } from './refusals.js';

/** Milliseconds to wait for the driver before a change is given up. */
const CHANGE_MS = 5_000;
/** The pause before a change is tried again if its first try may have succeeded, in milliseconds. */
const PAUSE_MS = 100;
/** The time in which the driver must deliver a change that it has acknowledged, in milliseconds. */
const VISIBLE_MS = 4_000;
/** Bytes that may be in flight. Changes beyond that are refused. */
const PENDING_BYTES = 64 * 1024 * 1024;

/** The outcome of all tries of a change. */
interface Decision {
  readonly verdict: Verdict;
  /** True if an earlier try may have made the change. */
  readonly retried: boolean;
  /** The revision of memory before the first try, and the number that it had reached. */
  readonly since: Revision;
  readonly known: GroupNumber;
}

export interface CommitsOptions {
  readonly driver: Pick<SharedDriver, 'name' | 'commit' | 'look' | 'limits'>;
  readonly encryption?: Encryption | undefined;
  readonly replica: Replica;
  readonly mirror: Mirror;
  readonly confirmations: Confirmations;
  readonly others: OtherWriters;
  /** Holds the changes in flight for the code that delivers them. */
  readonly pending: BriefMap<Key, PendingChange>;
  /** The largest size of a stored object, in bytes. */
  readonly maxObjectBytes: number;
  /** The most changes in a group. Default: as many as the driver takes. */
  readonly largestGroup?: number | undefined;
  /** Notified of each change that was made or refused. */
  readonly refusals: Refusals;
}

/**
 * Queues changes of different keys in one line. Changes of one key wait for each other: only one of them can have the
 * right base. Which one is known once the change before has its answer.
 */
export class Commits {
  readonly #options: CommitsOptions;
  readonly #groups: Groups;
  /** The last change in flight of each key that has one. */
  readonly #turns = new BriefMap<Key, Promise<Commit>>();
  #bytes = 0;
  #closed = false;

  constructor(options: CommitsOptions) {
    const { driver, others, confirmations, largestGroup } = options;
    this.#options = options;
    this.#groups = new Groups(driver, others, (heads) => confirmations.settle(heads), largestGroup);
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

  /** Refuses new changes. Resolves once all changes in flight have their answers. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
  }

  #refusal({ key, expected, next }: Change): Failure | undefined {
    if (this.#closed) return closedFailure();
    const unencrypted = next && this.#options.encryption?.refusal(key);
    if (unencrypted) return unencrypted;
    if (this.#bytes > PENDING_BYTES) return overloadFailure();
    const problem = expected === 0 ? keyProblem(key) : undefined;
    return problem === undefined ? undefined : keyFailure(problem);
  }

  async #run(change: Change): Promise<Commit> {
    const { replica, confirmations, maxObjectBytes, pending: inFlight, refusals } = this.#options;
    const { key, expected } = change;
    // Another server may report a revision before memory here reaches it.
    const isAhead = expected > replica.revision;
    const isKnown = !isAhead || (await confirmations.confirm()) === undefined;
    const current = replica.get(key);
    // Memory has every change up to the expected revision, and none of them gave the key that revision.
    const isWrong = isKnown && expected > 0 && current !== undefined && current.revision !== expected;
    if (isWrong) return { outcome: 'conflict', current };
    const tooLarge = sizeFailure(change, replica.revision + 1, current?.size ?? 0, maxObjectBytes);
    if (tooLarge) return { outcome: 'failed', failure: tooLarge };
    const pending = new PendingChange(change);
    this.#bytes += pending.size;
    inFlight.set(key, pending);
    try {
      return await this.#settle(pending, await this.#decide(pending));
    } catch (error) {
      refusals.noteFailed(error);
      return { outcome: 'failed', failure: failureOf(error) };
    } finally {
      inFlight.delete(key);
      this.#bytes -= pending.size;
    }
  }

  /**
   * Has the driver decide. Repeats a try with an unknown outcome: if the first try has made the change, or still will,
   * the second finds the key changed. A create is repeated in another way, because its key may be absent again. Rejects
   * with a `DriverError`.
   */
  async #decide(pending: PendingChange): Promise<Decision> {
    const { replica, mirror, driver } = this.#options;
    const until = performance.now() + CHANGE_MS;
    const [since, known] = [replica.revision, mirror.delivered];
    for (let retried = false; ; retried = true) {
      try {
        const verdict = retried ? await this.#askAgain(pending, until) : await this.#groups.decide(pending, until);
        return { verdict, retried, since, known };
      } catch (error) {
        if (!(error instanceof DriverError)) throw error;
        const { problem, message } = error;
        const isOver = problem !== 'uncertain' || performance.now() + PAUSE_MS >= until;
        const isUnknown = retried || problem === 'uncertain';
        if (isOver) throw isUnknown ? unknown(message) : error;
        await sleep(PAUSE_MS);
        await this.#confirmBasis(pending, message);
        if (pending.expected > 0) continue;
        const verdict = await createAgain(driver, replica, { pending, since, until });
        return { verdict, retried: true, since, known };
      }
    }
  }

  /** Rejects if a change with an unknown outcome must not be repeated, because it may be based on an older state. */
  async #confirmBasis(pending: PendingChange, message: string): Promise<void> {
    if (!pending.isUnconfirmed) return;
    const failure = await this.#options.confirmations.confirm();
    if (failure || pending.isOutdated) throw unknown(message);
    pending.isUnconfirmed = false;
  }

  /**
   * Asks again for one change alone, even if it was sent in a group: the outcomes of the other changes say nothing
   * about it.
   */
  async #askAgain(pending: PendingChange, until: number): Promise<Verdict> {
    return loneVerdict(await this.#options.driver.commit([pending], { withinMs: until - performance.now() }));
  }

  async #settle(pending: PendingChange, { verdict, retried, since, known }: Decision): Promise<Commit> {
    const { driver, confirmations } = this.#options;
    if (verdict.outcome === 'outdated') return outdated();
    if (verdict.outcome === 'failed') return verdict;
    if (verdict.outcome === 'superseded') return { outcome: 'failed', failure: unavailable(SUPERSEDED) };
    const { number, head } = verdict;
    // A change is newer than everything seen before. If not, the driver now holds other data.
    if (number < known || (verdict.outcome === 'made' && pending.writes && verdict.revision <= since)) {
      return { outcome: 'failed', failure: replaced(driver.name, number, known) };
    }
    // There may have been nothing to delete.
    if (verdict.outcome === 'made') {
      return pending.writes ? this.#committed(pending, verdict.revision) : { outcome: 'conflict', current: undefined };
    }
    const { found } = verdict;
    // The first try has lost too, and always will, if the key already had another revision before it. If the key must
    // not exist, it may be free when the first try arrives late. A guard may hold by then, too.
    const isLost = pending.expected > 0 && found && found.revision <= since && found.revision !== pending.expected;
    if (retried && !isLost) return this.#recognize(pending, found);
    const failure = await confirmations.settle({ number, head });
    if (failure) return { outcome: 'failed', failure };
    if ((found?.revision ?? 0) === pending.expected) return unguarded();
    return this.#conflict(found);
  }

  async #committed(pending: PendingChange, revision: Revision): Promise<Commit> {
    const { refusals, replica } = this.#options;
    refusals.noteMade();
    const before = replica.get(pending.key);
    await replica.reached(revision, VISIBLE_MS);
    // If the driver does not deliver it, the change is stored anyway. Reads then wait for the driver.
    const entry = pending.arrivedAt(revision) ?? stampedEntry(pending, revision, before);
    return { outcome: 'committed', entry };
  }

  /** Recognizes a change after more than one try. The last try lost, perhaps against the first one. */
  #recognize(pending: PendingChange, found: SharedRecord | undefined): Promise<Commit> | Commit {
    if (found && pending.made(found.value)) return this.#committed(pending, found.revision);
    const { name } = this.#options.driver;
    const lost = `the connection to ${name} was lost before it answered`;
    return { outcome: 'failed', failure: uncertain(`${lost}, and the object has changed since`) };
  }

  /** Reports a conflict with the record that the driver found: as the entry in memory, if that is the same. */
  #conflict(found: SharedRecord | undefined): Commit {
    if (!found) return { outcome: 'conflict', current: undefined };
    const { replica, driver } = this.#options;
    const { key, revision, value, locked } = found;
    const current = replica.get(key);
    if (current?.revision === revision) return { outcome: 'conflict', current };
    if (locked !== undefined || !isStoredObject(value)) {
      return { outcome: 'failed', failure: damagedFailure(damageOf(driver.name, found)) };
    }
    // The key has changed again. The attributes of the version in memory suffice: writers read only the bytes.
    const attributes = current?.attributes ?? { labels: {}, fields: {} };
    const bytes = restampBytes(value, revision) ?? value;
    return { outcome: 'conflict', current: { key, revision, bytes, attributes } };
  }
}

const unknown = (message: string): DriverError =>
  new DriverError('uncertain', message, { failure: uncertain(message) });

/** Returns an entry for a change that memory does not show yet. */
function stampedEntry({ change }: PendingChange, revision: Revision, before: Entry | undefined): Entry {
  const object = change.next ?? change.last;
  const stored = before?.bytes ?? EMPTY;
  const bytes = object ? Buffer.from(stampRevision(object, revision)) : (restampBytes(stored, revision) ?? stored);
  const attributes = object?.attributes ?? before?.attributes ?? { labels: {}, fields: {} };
  return { key: change.key, revision, bytes, attributes };
}

const EMPTY = Buffer.from('{}');
