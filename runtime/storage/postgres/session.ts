/**
 * One connection to the database. It is made when a call needs it, and again after it was lost. One call at a time uses
 * it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StorageObserver } from '../../contract/index.js';
import { DriverError } from '../shared/errors.js';
import { connect, type Link, placeOf, TOO_LATE } from './connect.js';
import type { Row } from './copied-rows.js';
import { CopyOut } from './copy-out.js';
import { isMisplaced, isPassing, type Stage, toProblem } from './errors.js';
import type { Target } from './target.js';

/** A value of a statement: a text, or an array in binary format. */
export type Value = string | Buffer | null;

/** A row of an answer: its columns as text. */
export type TextRow = readonly (string | null)[];

export interface CallOptions {
  /** The name in metrics. */
  readonly operation: string;
  /** The time limit of the call, in milliseconds. If it is over, the connection is closed too. */
  readonly withinMs: number;
  /** Set if the call may be repeated although it may have been carried out. */
  readonly repeatable: boolean;
  /** Set if the call changes nothing, so its outcome is never uncertain. */
  readonly reads: boolean;
  /** Set if the call must not be repeated, even if it did nothing. */
  readonly once?: boolean;
}

/** Returns the options of a call that only reads. */
export const reading = (operation: string): CallOptions => ({
  operation,
  withinMs: 4_000,
  repeatable: true,
  reads: true,
});

const PAUSE_MS = 50;
const CONNECT_MS = 10_000;
const LONGEST_COPY_MS = 3_600_000;

export class Session {
  readonly #target: Target;
  readonly #observer: StorageObserver | undefined;
  #link: Link | undefined;
  /** The last call in the line. */
  #last: Promise<unknown> = Promise.resolve();
  /** The index of the host to try first. */
  #host = 0;
  #closed = false;
  /** The server's processes that may still carry out a change for a lost connection, as in `Link.process`. */
  readonly lost = new Set<string>();
  /** Called with each notification. */
  onNotification: ((payload: string) => void) | undefined;
  /** Called when the connection is lost between calls. */
  onLost: ((error: DriverError) => void) | undefined;

  constructor(target: Target, observer: StorageObserver | undefined) {
    this.#target = target;
    this.#observer = observer;
  }

  /** Runs a statement. Rejects with a `DriverError`. */
  query(text: string, values: readonly Value[], options: CallOptions): Promise<readonly TextRow[]> {
    return this.#call(options, async ({ client }) => {
      const query = { text, values: [...values], rowMode: 'array' as const, types: PLAIN };
      return (await client.query<(string | null)[]>(query)).rows;
    });
  }

  /**
   * Runs statements without values. One of them copies rows out. Gives up if nothing arrives for `silentMs`
   * milliseconds, and does not try again. Rejects with a `DriverError`.
   */
  copy(
    operation: string,
    text: string,
    take: (rows: readonly Row[]) => Promise<void> | void,
    silentMs = 4_000,
  ): Promise<void> {
    const options = { operation, withinMs: LONGEST_COPY_MS, repeatable: false, reads: true, once: true };
    return this.#call(options, async ({ client }) => {
      const copy = new CopyOut(text, take);
      const timer = setInterval(() => copy.silentMs > silentMs && this.#drop(TOO_LATE), silentMs / 4);
      try {
        await client.query(copy).done;
      } catch (error) {
        // The connection may still be in a failed transaction.
        this.#drop('statements have failed');
        throw error;
      } finally {
        clearInterval(timer);
      }
    });
  }

  /** Ends the connection. The next call makes another, to another host if there is one. */
  leave(why: string): void {
    this.#host++;
    this.#drop(why);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const link = this.#link;
    this.#link = undefined;
    if (!link) return;
    await Promise.race([link.client.end().catch(() => {}), sleep(200)]);
    link.socket.destroy();
  }

  /** Waits for its turn, and then makes the call. */
  #call<T>(options: CallOptions, work: (link: Link) => Promise<T>): Promise<T> {
    const until = performance.now() + options.withinMs;
    const turn = this.#last.then(() => this.#attempts(options, until, work));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #attempts<T>(options: CallOptions, until: number, work: (link: Link) => Promise<T>): Promise<T> {
    const { operation, reads, repeatable, once = false } = options;
    const began = performance.now();
    for (;;) {
      let stage: Stage = 'connecting';
      let place = this.#target.hosts.map(placeOf).join(', ');
      try {
        if (this.#closed) throw new DriverError('refused', 'the driver is closed');
        if (performance.now() >= until) throw new Error(TOO_LATE);
        const link = await this.#connected(Math.min(CONNECT_MS, until - performance.now()));
        stage = reads ? 'reading' : 'changing';
        place = link.place;
        const result = await this.#within(link, { reads, until }, work);
        this.#observer?.asked(operation, '', (performance.now() - began) / 1000);
        return result;
      } catch (error) {
        const problem = toProblem(error, stage, place);
        if (isMisplaced(error)) this.#drop(problem.message);
        const isWorth =
          isPassing(error) || problem.problem === 'unsent' || (problem.problem === 'uncertain' && repeatable);
        if (this.#closed || once || !isWorth || performance.now() + PAUSE_MS >= until) throw problem;
        if (!isPassing(error)) await sleep(PAUSE_MS);
      }
    }
  }

  /**
   * Does the work. Ends the connection if that takes too long, because a later answer could not be matched to its call.
   */
  async #within<T>(
    link: Link,
    { reads, until }: { readonly reads: boolean; readonly until: number },
    work: (link: Link) => Promise<T>,
  ): Promise<T> {
    link.doubt = undefined;
    const timer = setTimeout(() => this.#drop(TOO_LATE), Math.max(1, until - performance.now()));
    try {
      const result = await work(link);
      if (link.doubt !== undefined) throw new DriverError('uncertain', link.doubt);
      return result;
    } catch (error) {
      if (reads || isPassing(error) || (await isUsable(link))) throw error;
      if (link.process !== undefined) this.lost.add(link.process);
      throw toProblem(error, 'lost', link.place);
    } finally {
      clearTimeout(timer);
    }
  }

  async #connected(withinMs: number): Promise<Link> {
    if (this.#link) return this.#link;
    const link = await connect(this.#target, this.#host, withinMs);
    const { client, socket } = link;
    if (this.#closed) socket.destroy();
    const lost = (error?: unknown): void => {
      socket.destroy();
      if (this.#link !== link) return;
      this.#link = undefined;
      this.onLost?.(toProblem(error ?? new Error('the connection has ended'), 'reading', link.place));
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload = '' }) => this.onNotification?.(payload));
    client.on('notice', (notice) => {
      if (notice.routine === 'SyncRepWaitForLSN')
        link.doubt = notice.message ?? 'a standby has not confirmed the change';
    });
    this.#link = link;
    return link;
  }

  #drop(why: string): void {
    const link = this.#link;
    this.#link = undefined;
    link?.socket.destroy(new Error(why));
  }
}

/**
 * Checks whether the connection outlived an error. If it did, the server has rolled the call back. If the server ends
 * the connection, the call may have been carried out. The severity of the error would say this too, but is translated.
 */
const isUsable = ({ client }: Link): Promise<boolean> =>
  client.query('').then(
    () => true,
    () => false,
  );

/** Leaves all values in the form in which PostgreSQL sends them. */
const PLAIN = { getTypeParser: () => (value: string) => value };
