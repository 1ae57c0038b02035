/** Reads the objects in etcd as they were at one revision. */
import type { GroupNumber, Revision, SharedPage, SharedState } from '../../contract/index.js';
import { superseded } from '../shared/errors.js';
import { READ } from './connection.js';
import { decodeHead } from './layout.js';
import { type KeyValue, range } from './messages.js';
import type { EtcdRevision } from './numbering.js';
import { type EtcdData, recordsOf } from './records.js';

/** The bytes that a page should have, and its most objects. For each page etcd counts all objects after it. */
const PAGE_BYTES = 8 * 1024 * 1024;
const PAGE_OBJECTS = 20_000;
/** The number of objects in the first page, before the size of objects is known. */
const FIRST_PAGE_OBJECTS = 50;

/**
 * Passes on every object as it was at a number, or at the latest one, in pages. Fetches the next page while the caller
 * handles one. Rejects with an `EtcdError`. Its problem is `compacted` if the history of the number is gone, or goes
 * during the read.
 */
export async function readState(
  data: EtcdData,
  at: GroupNumber | undefined,
  take: (page: SharedPage) => Promise<void> | void,
): Promise<SharedState> {
  const { connection, layout, numbering, epoch } = data;
  let last: Revision = 0;
  const revision = await readPages(data, at === undefined ? 0 : numbering.toEtcd(at), async (kvs, remaining) => {
    const records = await recordsOf(data, kvs);
    last = records.reduce((newest, record) => Math.max(newest, record.revision), last);
    await take({ records, remaining });
  });
  const { kvs } = await connection.ask(range, { key: layout.head, revision }, READ);
  const { modRevision: head = 0, value } = kvs?.[0] ?? {};
  const restore = await connection.ask(range, { key: layout.restore, keysOnly: true, revision }, READ);
  if ((restore.kvs?.[0]?.modRevision ?? 0) !== epoch.revision) throw superseded();
  const { size } = decodeHead(head === revision ? value : undefined);
  return {
    number: numbering.toStore(revision),
    head: numbering.toStore(head),
    // Another program may have stored any position.
    revision: Math.max(last, numbering.toStore(revision, size - 1)),
  };
}

/** Reads page by page. Resolves to the revision. */
async function readPages(
  { connection, layout: { objectsStart, objectsEnd } }: EtcdData,
  at: EtcdRevision,
  take: (kvs: readonly KeyValue[], remaining: number) => Promise<void>,
): Promise<EtcdRevision> {
  const ask = (key: Buffer, limit: number, revision: EtcdRevision) =>
    connection.ask(range, { key, rangeEnd: objectsEnd, limit, revision }, READ);
  let revision = at;
  let next = ask(objectsStart, FIRST_PAGE_OBJECTS, revision);
  for (;;) {
    const page = await next;
    revision ||= page.header?.revision ?? 0;
    const kvs = page.kvs ?? [];
    const last = kvs.at(-1)?.key;
    const isLast = !page.more || !last;
    if (!isLast) next = ask(Buffer.concat([last, Buffer.of(0)]), nextLimit(kvs), revision);
    // The `await` of this page reports a failure.
    next.catch(() => {});
    await take(kvs, Math.max(0, (page.count ?? 0) - kvs.length));
    if (isLast) return revision;
  }
}

function nextLimit(page: readonly KeyValue[]): number {
  const bytes = page.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const fitting = Math.floor((PAGE_BYTES * page.length) / Math.max(1, bytes));
  return Math.min(PAGE_OBJECTS, Math.max(10, fitting));
}
