/** Has etcd forget history that is older than the window. */
import { randomInt } from 'node:crypto';
import type { SharedHousekeeping } from '../../contract/index.js';
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

const ONCE = { withinMs: 4_000, repeatable: false };

interface Leadership {
  readonly lease: number;
  /** The revision at which the leader's key was created. No other leader has the same. */
  readonly term: EtcdRevision;
}

/** Elects the server that compacts, by a key with a lease. Compaction affects all keys of etcd. */
export class Housekeeping implements SharedHousekeeping {
  readonly #connection: Connection;
  readonly #layout: Layout;
  #leadership: Leadership | undefined;

  constructor(connection: Connection, layout: Layout) {
    this.#connection = connection;
    this.#layout = layout;
  }

  async lead(seconds: number): Promise<boolean> {
    if (this.#leadership && (await this.#renew(this.#leadership.lease))) return true;
    this.#leadership = undefined;
    const key = this.#layout.leader;
    const { kvs = [] } = await this.#connection.ask(range, { key, keysOnly: true }, READ);
    if (kvs.length > 0) return false;
    const lease = randomInt(1, 2 ** 47);
    await this.#connection.ask(leaseGrant, { TTL: seconds, ID: lease }, ONCE);
    const compare = [{ target: CREATE, key, createRevision: 0 }] as const;
    const success = [{ requestPut: { key, lease } }];
    const { succeeded = false, header } = await this.#connection.ask(txn, { compare, success }, ONCE);
    if (succeeded) this.#leadership = { lease, term: header?.revision ?? 0 };
    else await this.#connection.ask(leaseRevoke, { ID: lease }, ONCE);
    return succeeded;
  }

  /** Notes the revision of the keyspace, and has etcd compact up to the newest mark that is old enough. */
  async forget(windowMs: number): Promise<void> {
    if (!this.#leadership) return;
    const { term } = this.#leadership;
    const { leader, marks: key } = this.#layout;
    const found = await this.#connection.ask(range, { key }, READ);
    const now = Date.now();
    const marks = decodeMarks(found.kvs?.[0]?.value);
    const due = marks.filter(({ at }) => at <= now - windowMs).at(-1);
    const kept = marks.filter(({ at }) => !due || at >= due.at);
    const value = encodeMarks([...kept, { at: now, revision: found.header?.revision ?? 0 }]);
    const compare = [{ target: CREATE, key: leader, createRevision: term }] as const;
    const success = [{ requestPut: { key, value } }];
    const { succeeded } = await this.#connection.ask(txn, { compare, success }, ONCE);
    if (!succeeded) this.#leadership = undefined;
    else if (due) await this.#compact(due.revision);
  }

  /** Lets another server be elected at once. If this fails, the next is elected when the lease expires. */
  async resign(): Promise<void> {
    const lease = this.#leadership?.lease;
    this.#leadership = undefined;
    if (lease === undefined) return;
    await this.#connection.ask(leaseRevoke, { ID: lease }, { withinMs: 500, repeatable: false }).catch(() => {});
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

  async #compact(revision: EtcdRevision): Promise<void> {
    try {
      await this.#connection.ask(compact, { revision }, ONCE);
    } catch (error) {
      // Another program has compacted further.
      if (!(error instanceof EtcdError && error.problem === 'compacted')) throw error;
    }
  }
}

/**
 * Returns the revision from which a starting server reads history: from the latest mark that is at least a window old, or
 * else from the oldest recent mark. Returns undefined without recent marks.
 */
export async function historyStart(
  connection: Pick<Connection, 'ask'>,
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

/** Decodes marks, oldest first. Leaves out anything that is not a mark. At worst, history is then compacted later. */
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
