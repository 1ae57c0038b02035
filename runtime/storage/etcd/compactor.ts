/** Lets etcd forget what is older than the history window. One server of all does it, elected by a key with a lease. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, READ } from './connection.js';
import { EtcdError } from './errors.js';
import type { Layout } from './layout.js';
import {
  CREATE,
  compact,
  type LeaseKeepAliveResponse,
  leaseGrant,
  leaseKeepAlive,
  leaseRevoke,
  range,
  txn,
} from './messages.js';
import type { EtcdRevision } from './numbering.js';

/** The revision of the keyspace at a time, in milliseconds since 1970. */
export interface Mark {
  readonly at: number;
  readonly revision: EtcdRevision;
}

export interface CompactorOptions {
  /** Milliseconds of history to keep. */
  readonly windowMs: number;
  /** Seconds that a leader may be silent before another takes over; 15 by default. */
  readonly leaseSeconds?: number;
}

/** A window has about this many marks. */
const MARKS_PER_WINDOW = 10;
const SHORTEST_INTERVAL_MS = 200;
const ONCE = { withinMs: 4_000, repeatable: false };

interface Leadership {
  readonly lease: number;
  /** The revision at which the leader's key was created; nobody else's has the same. */
  readonly term: EtcdRevision;
}

export class Compactor {
  readonly #connection: Connection;
  readonly #layout: Layout;
  readonly #windowMs: number;
  readonly #leaseSeconds: number;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #leadership: Leadership | undefined;
  #problem = '';

  constructor(connection: Connection, layout: Layout, { windowMs, leaseSeconds = 15 }: CompactorOptions) {
    this.#connection = connection;
    this.#layout = layout;
    this.#windowMs = windowMs;
    this.#leaseSeconds = leaseSeconds;
    this.#running = this.#run();
  }

  get isLeader(): boolean {
    return this.#leadership !== undefined;
  }

  /** The problem of the last run; empty if it had none. */
  get problem(): string {
    return this.#problem;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const lease = this.#leadership?.lease;
    if (lease === undefined) return;
    // Lets another server take over at once. If this fails, one takes over when the lease expires.
    await this.#connection.ask(leaseRevoke, { ID: lease }, { withinMs: 500, repeatable: false }).catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const markMs = Math.max(SHORTEST_INTERVAL_MS, this.#windowMs / MARKS_PER_WINDOW);
    const roundMs = Math.min(markMs, (this.#leaseSeconds * 1000) / 3);
    let marked = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        await this.#lead();
        if (this.#leadership && performance.now() - marked >= markMs) {
          await this.#mark(this.#leadership);
          marked = performance.now();
        }
        this.#problem = '';
      } catch (error) {
        this.#problem = error instanceof Error ? error.message : String(error);
      }
      await sleep(roundMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Stays the leader, or becomes it if there is none. */
  async #lead(): Promise<void> {
    if (this.#leadership && (await this.#renew(this.#leadership.lease))) return;
    this.#leadership = undefined;
    const key = this.#layout.leader;
    const { kvs = [] } = await this.#connection.ask(range, { key, keysOnly: true }, READ);
    if (kvs.length > 0) return;
    const lease = randomInt(1, 2 ** 47);
    await this.#connection.ask(leaseGrant, { TTL: this.#leaseSeconds, ID: lease }, ONCE);
    const { succeeded, header } = await this.#connection.ask(
      txn,
      {
        compare: [{ target: CREATE, key, createRevision: 0 }],
        success: [{ requestPut: { key, lease } }],
      },
      ONCE,
    );
    if (succeeded) this.#leadership = { lease, term: header?.revision ?? 0 };
    else await this.#connection.ask(leaseRevoke, { ID: lease }, ONCE);
  }

  /** Renews a lease; returns false if it is gone. */
  #renew(lease: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const handler = {
        answer: ({ TTL = 0 }: LeaseKeepAliveResponse) => {
          stream.then((opened) => opened.close(), reject);
          resolve(TTL > 0);
        },
        broken: reject,
      };
      const stream = this.#connection.stream(leaseKeepAlive, handler, ONCE.withinMs);
      stream.then((opened) => opened.send({ ID: lease }), reject);
    });
  }

  /** Notes the revision of the keyspace, and has etcd compact up to the newest mark that is old enough. */
  async #mark({ term }: Leadership): Promise<void> {
    const { leader, marks: key } = this.#layout;
    const found = await this.#connection.ask(range, { key }, READ);
    const now = Date.now();
    const marks = decodeMarks(found.kvs?.[0]?.value);
    const due = marks.filter(({ at }) => at <= now - this.#windowMs).at(-1);
    const kept = marks.filter(({ at }) => !due || at >= due.at);
    const value = encodeMarks([...kept, { at: now, revision: found.header?.revision ?? 0 }]);
    const { succeeded } = await this.#connection.ask(
      txn,
      {
        compare: [{ target: CREATE, key: leader, createRevision: term }],
        success: [{ requestPut: { key, value } }],
      },
      ONCE,
    );
    if (!succeeded) this.#leadership = undefined;
    else if (due) await this.#compact(due.revision);
  }

  async #compact(revision: EtcdRevision): Promise<void> {
    try {
      await this.#connection.ask(compact, { revision }, ONCE);
    } catch (error) {
      // Somebody else has compacted further.
      if (!(error instanceof EtcdError && error.problem === 'compacted')) throw error;
    }
  }
}

/**
 * Returns the mark from which a server that starts has the whole window of history before it; undefined if the marks do
 * not say.
 */
export async function historyStart(
  connection: Connection,
  layout: Layout,
  windowMs: number,
): Promise<EtcdRevision | undefined> {
  const { kvs } = await connection.ask(range, { key: layout.marks }, READ);
  const now = Date.now();
  const recent = decodeMarks(kvs?.[0]?.value).filter(({ at }) => at > now - 2 * windowMs);
  return (recent.filter(({ at }) => at <= now - windowMs).at(-1) ?? recent[0])?.revision;
}

function encodeMarks(marks: readonly Mark[]): Buffer {
  return Buffer.from(JSON.stringify(marks.map(({ at, revision }) => [at, revision])));
}

/** Decodes marks, oldest first. Leaves out anything that is not a mark: at worst, history is compacted later. */
function decodeMarks(value: Buffer | undefined): readonly Mark[] {
  if (!value) return [];
  try {
    const list: unknown = JSON.parse(value.toString());
    return Array.isArray(list) ? list.flatMap(toMark) : [];
  } catch {
    return [];
  }
}

function toMark(item: unknown): Mark[] {
  if (!Array.isArray(item)) return [];
  const [at, revision]: unknown[] = item;
  return typeof at === 'number' && typeof revision === 'number' && revision > 0 ? [{ at, revision }] : [];
}
