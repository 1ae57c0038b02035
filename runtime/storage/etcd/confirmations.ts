/** Confirms that memory holds all that any server acknowledged, by asking etcd for the latest change of the objects. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure } from '../../contract/index.js';
import type { Replica } from '../memory/replica.js';
import { type Connection, READ } from './connection.js';
import { failureOf, replaced, unavailable } from './errors.js';
import type { Layout } from './layout.js';
import { range } from './messages.js';
import type { Mirror } from './mirror.js';
import type { EtcdRevision, Numbering } from './numbering.js';
import { SUPERSEDED } from './restore-epoch.js';

/** The answer of etcd to a read that sees all that was acknowledged before. */
interface Heads {
  /** The revision of the keyspace. */
  readonly revision: EtcdRevision;
  /** The last revision at which an object changed. */
  readonly head: EtcdRevision;
  /** The revision that had been delivered when the question went out. */
  readonly known: EtcdRevision;
}

/**
 * Turns of the event loop between an answer and the next question. By then most answered callers have asked again, and
 * share the question. With one turn, clients split into two halves that alternate; with three, a create takes a tenth
 * less CPU time.
 */
const TURNS_AFTER_ANSWER = 3;
/** Milliseconds that memory may be behind before the watch counts as stuck. */
const BEHIND_MS = 4_000;

export class Confirmations {
  readonly #connection: Connection;
  readonly #layout: Layout;
  readonly #replica: Replica;
  readonly #numbering: Numbering;
  readonly #mirror: Mirror;
  /** The read that has been sent: it may have been answered already, so nobody may join it. */
  #sent: Promise<Heads> | undefined;
  /** The read that goes out next, for all who ask meanwhile. */
  #next: Promise<Heads> | undefined;
  #problem = '';

  constructor(connection: Connection, layout: Layout, replica: Replica, numbering: Numbering, mirror: Mirror) {
    this.#connection = connection;
    this.#layout = layout;
    this.#replica = replica;
    this.#numbering = numbering;
    this.#mirror = mirror;
  }

  /** The problem of the last confirmation; empty if it succeeded. */
  get problem(): string {
    return this.#problem;
  }

  /** Confirms as the store does. Never rejects. */
  async confirm(): Promise<Failure | undefined> {
    const failure = await this.#confirm();
    this.#problem = failure?.message ?? '';
    return failure;
  }

  /**
   * Waits until memory holds all changes up to a revision of the keyspace; `head` is the last of them. Returns the
   * reason if it does not get there.
   */
  async settle({ revision, head, known }: Heads): Promise<Failure | undefined> {
    if (this.#mirror.superseded) return unavailable(SUPERSEDED);
    if (revision < known) return replaced(revision, known);
    if (!(await this.#replica.reached(this.#numbering.toStore(head), BEHIND_MS))) {
      const behind = `memory is behind etcd: at revision ${this.#mirror.delivered} of ${head}`;
      this.#mirror.restart(behind);
      return unavailable(this.#mirror.problem === '' ? behind : `${behind}; ${this.#mirror.problem}`);
    }
    this.#replica.advance(this.#numbering.toStore(revision));
    return undefined;
  }

  async #confirm(): Promise<Failure | undefined> {
    try {
      return await this.settle(await this.#read());
    } catch (error) {
      return failureOf(error);
    }
  }

  /**
   * Reads the heads. One read serves all callers that ask while the one before is in flight, and all that come within
   * the next turns of the event loop: nothing has been sent for them yet.
   */
  #read(): Promise<Heads> {
    this.#next ??= this.#sendNext();
    return this.#next;
  }

  async #sendNext(): Promise<Heads> {
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

  async #ask(): Promise<Heads> {
    const known = this.#mirror.delivered;
    const { header, kvs } = await this.#connection.ask(range, { key: this.#layout.head, keysOnly: true }, READ);
    return { revision: header?.revision ?? 0, head: kvs?.[0]?.modRevision ?? 0, known };
  }
}
