/** Reads all objects at one revision, page by page. */
import { type Connection, READ } from './connection.js';
import type { Layout } from './layout.js';
import type { KeyValue } from './messages.js';
import type { EtcdRevision } from './numbering.js';
import { range } from './protocol.js';

/** Bytes that a page should have, and the most objects in one. With each page etcd counts all that are behind it. */
const PAGE_BYTES = 8 * 1024 * 1024;
const PAGE_OBJECTS = 20_000;
/** Of the first page: how large objects are is not known yet. */
const FIRST_PAGE_OBJECTS = 50;

/** One page of a state. */
export interface StatePage {
  readonly objects: readonly KeyValue[];
  /** The objects that there are behind it. */
  readonly remaining: number;
}

/**
 * Hands over every object as it was at a revision, or at the latest one, many at a time; resolves to the revision. The next
 * page is on its way while one is taken. Rejects with an `EtcdError`, whose problem is `compacted` where the revision is
 * gone, or goes while this reads.
 */
export async function readState(
  connection: Connection,
  { objectsStart, objectsEnd }: Layout,
  at: EtcdRevision | undefined,
  take: (page: StatePage) => Promise<void> | void,
): Promise<EtcdRevision> {
  const ask = (key: Buffer, limit: number, revision: EtcdRevision) =>
    connection.ask(range, { key, rangeEnd: objectsEnd, limit, revision }, READ);
  let revision = at ?? 0;
  let next = ask(objectsStart, FIRST_PAGE_OBJECTS, revision);
  for (;;) {
    const page = await next;
    revision ||= page.header?.revision ?? 0;
    const kvs = page.kvs ?? [];
    const last = kvs.at(-1)?.key;
    const isLast = !page.more || !last;
    if (!isLast) next = ask(Buffer.concat([last, Buffer.of(0)]), nextLimit(kvs), revision);
    // Whoever waits for it next hears of its failure.
    next.catch(() => {});
    await take({ objects: kvs, remaining: Math.max(0, (page.count ?? 0) - kvs.length) });
    if (isLast) return revision;
  }
}

function nextLimit(page: readonly KeyValue[]): number {
  const bytes = page.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const fitting = Math.floor((PAGE_BYTES * page.length) / Math.max(1, bytes));
  return Math.min(PAGE_OBJECTS, Math.max(10, fitting));
}
