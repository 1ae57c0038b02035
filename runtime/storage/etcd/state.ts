/** Reads all objects at one revision, page by page. */
import { type Connection, READ } from './connection.js';
import type { Layout } from './layout.js';
import type { KeyValue } from './messages.js';
import type { EtcdRevision } from './numbering.js';
import { range } from './protocol.js';

/** Bytes that a page should have, and the most objects in one. */
const PAGE_BYTES = 4 * 1024 * 1024;
const PAGE_OBJECTS = 2_000;
/** Of the first page: how large objects are is not known yet. */
const FIRST_PAGE_OBJECTS = 50;

/**
 * Hands over every object as it was at a revision, or at the latest one; resolves to the revision. Rejects with an
 * `EtcdError`, whose problem is `compacted` where the revision is gone, or goes while this reads.
 */
export async function readState(
  connection: Connection,
  { objectsStart, objectsEnd }: Layout,
  at: EtcdRevision | undefined,
  found: (object: KeyValue) => void,
): Promise<EtcdRevision> {
  let revision = at ?? 0;
  let limit = FIRST_PAGE_OBJECTS;
  let key = objectsStart;
  for (;;) {
    const page = await connection.ask(range, { key, rangeEnd: objectsEnd, limit, revision }, READ);
    revision ||= page.header?.revision ?? 0;
    const kvs = page.kvs ?? [];
    for (const object of kvs) found(object);
    const last = kvs.at(-1)?.key;
    if (!page.more || !last) return revision;
    key = Buffer.concat([last, Buffer.of(0)]);
    limit = nextLimit(kvs);
  }
}

function nextLimit(page: readonly KeyValue[]): number {
  const bytes = page.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const fitting = Math.floor((PAGE_BYTES * page.length) / Math.max(1, bytes));
  return Math.min(PAGE_OBJECTS, Math.max(10, fitting));
}
