/**
 * Delivers all groups after a number, in order. This server's own groups arrive when they are made, all others when
 * they are read.
 */
import { randomBytes } from 'node:crypto';
import type { GroupNumber, SharedFollower, SharedGroup } from '../../contract/index.js';
import { type DriverError, toDriverError } from '../shared/errors.js';
import type { Data } from './data.js';
import { readChanges } from './history.js';
import { literal } from './names.js';
import { reading } from './session.js';

/** The time between two reads of the table, in milliseconds. Notifications may be lost, or may never arrive. */
const POLL_MS = 1_000;
const FAST_POLL_MS = 75;
/** The time that a server's notification to itself may take, in milliseconds. */
const PROOF_MS = 1_000;

/** Whether this server has a change in flight. If so, its own notification does not need a read. */
export interface OwnWrites {
  readonly inFlight: boolean;
}

export class Following {
  readonly #data: Data;
  readonly #follower: SharedFollower;
  readonly #writes: OwnWrites;
  #position: GroupNumber;
  #isOver = false;
  #isReading = false;
  #isDue = false;
  #hasBegun = false;
  /** Set once a notification has arrived. */
  #listens = false;
  #timer: NodeJS.Timeout | undefined;
  #proof: NodeJS.Timeout | undefined;
  readonly #token = `? ${randomBytes(6).toString('base64url')}`;

  constructor(data: Data, after: GroupNumber, follower: SharedFollower, writes: OwnWrites) {
    this.#data = data;
    this.#position = after;
    this.#follower = follower;
    this.#writes = writes;
    void this.#begin();
  }

  /** Ends it. Delivers nothing after that. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#proof);
    const { changes } = this.#data;
    changes.onNotification = undefined;
    changes.onLost = undefined;
  }

  /** Delivers a group that this server has made. If there are groups before it, reads them instead. */
  own(group: SharedGroup): void {
    const before = group.number - group.changes.length;
    if (this.#isOver || !this.#hasBegun || this.#position !== before) this.wake();
    else this.#deliver(group);
  }

  /** Reads the table now. */
  wake(): void {
    this.#isDue = true;
    if (!this.#isOver && this.#hasBegun) void this.#read();
  }

  /** Begins to follow. Never rejects: the follower gets the error. */
  async #begin(): Promise<void> {
    const { changes, schema } = this.#data;
    changes.onNotification = (payload) => this.#notified(payload);
    changes.onLost = (error) => this.#break(error);
    try {
      if (!this.#data.readOnly) {
        await changes.query(`LISTEN ${schema}`, [], reading('listen'));
        if (this.#isOver) return;
        this.#prove();
      }
      this.#isDue = true;
      await this.#read();
    } catch (error) {
      this.#break(toDriverError(error));
    }
  }

  #notified(payload: string): void {
    if (payload.startsWith('? ')) {
      if (payload !== this.#token) return;
      clearTimeout(this.#proof);
      this.#listens = true;
      this.#data.hears = true;
      return;
    }
    const [head = '', writer] = payload.split(' ');
    if (Number(head) <= this.#position) return;
    // The answer to the change delivers it, or starts a read.
    if (writer === this.#data.writer && this.#writes.inFlight) return;
    this.wake();
  }

  /**
   * Sends a notification to this server over another connection. A pooler may give both the same connection to
   * PostgreSQL while they are in use.
   */
  #prove(): void {
    const { questions, name } = this.#data;
    const notify = `SELECT pg_notify(${literal(name)}, ${literal(this.#token)})`;
    questions
      .query(notify, [], reading('notify'))
      .then(() => this.#expectProof())
      .catch(() => {});
  }

  #expectProof(): void {
    if (!this.#isOver && !this.#listens) this.#proof = setTimeout(() => this.#unproven(), PROOF_MS).unref();
  }

  #unproven(): void {
    if (this.#isOver || this.#listens || this.#data.hears === false) return;
    // PostgreSQL delivers notifications only between two statements, and this one may wait for a lock.
    if (this.#isReading) {
      this.#expectProof();
      return;
    }
    this.#data.hears = false;
    this.#data.notice(
      'PostgreSQL does not carry notifications to this server, as a pooler in transaction mode does not; ' +
        `this server reads the changes of other servers every ${FAST_POLL_MS} ms`,
    );
  }

  /**
   * Reads until there is nothing more, and again later. Only one read at a time. Never rejects: the follower gets the
   * error.
   */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isDue && !this.#isOver) {
        this.#isDue = false;
        const { groups, head } = await readChanges(this.#data, this.#position);
        if (this.#isOver) return;
        if (!this.#hasBegun) {
          this.#hasBegun = true;
          this.#follower.begun();
        }
        for (const group of groups) this.#deliver(group);
        if (head > this.#position) this.#isDue = true;
      }
      this.#later();
    } catch (error) {
      this.#break(toDriverError(error));
    } finally {
      this.#isReading = false;
    }
  }

  /** Delivers a group, unless it was delivered during the read. */
  #deliver(group: SharedGroup): void {
    if (this.#isOver || group.number <= this.#position) return;
    this.#position = group.number;
    this.#follower.group(group);
  }

  #later(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), this.#listens ? POLL_MS : FAST_POLL_MS).unref();
  }

  #break(error: DriverError): void {
    if (this.#isOver) return;
    this.stop();
    this.#follower.broken(error);
  }
}
