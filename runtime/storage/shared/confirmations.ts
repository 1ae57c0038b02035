/** Confirms that memory holds every change that any server acknowledged, by asking the driver for the last change. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Basis, Failure, GroupNumber, SharedDriver, SharedHeads } from '../../contract/index.js';
import type { Replica } from '../memory/replica.js';
import { failureOf, replaced, SUPERSEDED, unavailable } from './errors.js';
import type { Mirror } from './mirror.js';
import type { OtherWriters } from './other-writers.js';

/** The driver's answer with the heads. It includes everything that was acknowledged before the question. */
interface Answer extends SharedHeads {
  /** The delivered number when the question was sent. */
  readonly known: GroupNumber;
}

/**
 * Turns of the event loop between an answer and the next question. By then most answered callers have asked again, and
 * share the question. With one turn, clients split into two halves that alternate. With three turns, a create takes a
 * tenth less CPU time.
 */
const TURNS_AFTER_ANSWER = 3;
/** The time for which memory may be behind before the driver counts as stuck, in milliseconds. */
const BEHIND_MS = 4_000;

export class Confirmations {
  readonly #driver: Pick<SharedDriver, 'name' | 'look' | 'newest'>;
  readonly #replica: Replica;
  readonly #mirror: Mirror;
  /** The question in flight. It may have been answered already, so no caller may join it. */
  #sent: Promise<Answer> | undefined;
  /** The next question, for all callers that ask before it is sent. */
  #next: Promise<Answer> | undefined;
  #problem = '';

  constructor(driver: Pick<SharedDriver, 'name' | 'look' | 'newest'>, replica: Replica, mirror: Mirror) {
    this.#driver = driver;
    this.#replica = replica;
    this.#mirror = mirror;
  }

  /** The problem of the last confirmation; empty if it succeeded. */
  get problem(): string {
    return this.#problem;
  }

  /** Checks whether memory holds every acknowledged change, if the driver knows that without a question. */
  get isCurrent(): boolean {
    const newest = this.#driver.newest?.();
    return newest !== undefined && newest <= this.#replica.revision;
  }

  /** Confirms like `Store.confirm`. Never rejects. */
  async confirm(): Promise<Failure | undefined> {
    const failure = await this.#confirm();
    this.#problem = failure?.message ?? '';
    return failure;
  }

  /** Waits until memory holds all changes up to the heads. Returns the reason if it does not get there in time. */
  async settle({ number, head }: SharedHeads, known: GroupNumber = 0): Promise<Failure | undefined> {
    if (this.#mirror.superseded) return unavailable(SUPERSEDED);
    if (number < known) return replaced(this.#driver.name, number, known);
    if (!(await this.#replica.reached(head, BEHIND_MS))) {
      const behind = `memory is behind ${this.#driver.name}: at revision ${this.#mirror.delivered} of ${head}`;
      this.#mirror.restart(behind);
      return unavailable(this.#mirror.problem === '' ? behind : `${behind}; ${this.#mirror.problem}`);
    }
    this.#mirror.reach(number);
    return undefined;
  }

  async #confirm(): Promise<Failure | undefined> {
    try {
      const { known, ...heads } = await this.#read();
      return await this.settle(heads, known);
    } catch (error) {
      return failureOf(error);
    }
  }

  /**
   * Reads the heads. One question serves all callers that ask before it is sent: while the previous question is in
   * flight, and in the turns of the event loop after that.
   */
  #read(): Promise<Answer> {
    this.#next ??= this.#sendNext();
    return this.#next;
  }

  async #sendNext(): Promise<Answer> {
    const before = this.#sent;
    await before?.catch(() => {});
    for (let turns = before ? TURNS_AFTER_ANSWER : 1; turns > 0; turns--) await nextTurn();
    this.#next = undefined;
    const sent = this.#ask();
    this.#sent = sent;
    try {
      return await sent;
    } finally {
      if (this.#sent === sent) this.#sent = undefined;
    }
  }

  async #ask(): Promise<Answer> {
    const known = this.#mirror.delivered;
    const { number, head } = await this.#driver.look();
    return { number, head, known };
  }
}

/** The state of memory up to a number, as the basis of changes. */
export class MemoryBasis implements Basis {
  constructor(
    private readonly others: OtherWriters,
    private readonly confirmations: Confirmations,
    /** The number up to which memory had everything. */
    private readonly number: GroupNumber,
  ) {}

  get isOutdated(): boolean {
    return this.others.haveWrittenSince(this.number);
  }

  confirm(): Promise<Failure | undefined> {
    return this.confirmations.confirm();
  }
}
