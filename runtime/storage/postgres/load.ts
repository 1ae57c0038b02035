/** Reads all objects, at present or at an earlier revision. */
import type { GroupNumber, Key, Revision, SharedPage, SharedRecord, SharedState } from '../../contract/index.js';
import { DriverError, superseded } from '../shared/errors.js';
import { joined, toKey } from './columns.js';
import { type Row, toBoolean, toNumber, toText } from './copied-rows.js';
import type { Data } from './data.js';
import { micros } from './functions.js';
import type { Head } from './known.js';

interface Loaded {
  readonly key: Key;
  readonly revision: Revision;
  readonly value: Buffer;
}

interface Found extends Head {
  readonly history: GroupNumber;
  readonly epoch: string;
  readonly isLost: boolean;
  readonly count: number;
}

/**
 * Passes on all objects of one state, in no particular order. One statement reads them, so they are from one moment.
 * Rejects with a `DriverError`.
 */
export async function loadState(
  data: Data,
  at: GroupNumber | undefined,
  take: (page: SharedPage) => Promise<void> | void,
): Promise<SharedState> {
  let head: Found | undefined;
  let seen = 0;
  const takeRows = async (rows: readonly Row[]): Promise<void> => {
    const loaded: Loaded[] = [];
    for (const row of rows) {
      if (toBoolean(row[0])) head = headOf(row);
      else loaded.push(objectOf(row));
    }
    if (head) check(data, head, at);
    seen += loaded.length;
    const records: readonly SharedRecord[] = await data.values.all(loaded);
    await take({ records, remaining: Math.max(0, (head?.count ?? 0) - seen) });
  };
  await data.changes.copy('load', statements(data, at), takeRows, SILENT_MS);
  if (!head) throw new DriverError('unsent', 'PostgreSQL has sent a state without its revision');
  check(data, head, at);
  data.known.note(head);
  const number = at ?? head.revision;
  return { number, head: number, revision: number };
}

/**
 * The time for which the server may send nothing, in milliseconds. It counts all objects before it sends the first one.
 */
const SILENT_MS = 20_000;

/**
 * Returns the statements that read a state. If an object has changed since an earlier revision, its state at that
 * revision is the one that the first of these changes replaced.
 */
function statements({ schema, known }: Data, at: GroupNumber | undefined): string {
  const earlier =
    at === undefined
      ? ''
      : ` WHERE o.revision <= ${at} UNION ALL
    SELECT false, c.replaced_revision, NULL, NULL, ${joined('c')}, c.replaced, NULL, NULL
    FROM ${schema}.changes c WHERE c.revision > ${at} AND c.replaced_revision <= ${at}`;
  return `BEGIN; SET LOCAL statement_timeout = 0; COPY (
    SELECT true, h.revision, h.history, ${micros('h.at')}, h.epoch, NULL::bytea, ${known.isLost(schema)},
      (SELECT count(*) FROM ${schema}.objects)
    FROM ${schema}.head h UNION ALL
    SELECT false, o.revision, NULL, NULL, ${joined('o')}, o.body, NULL, NULL FROM ${schema}.objects o${earlier}
  ) TO STDOUT (FORMAT binary); COMMIT`;
}

const headOf = ([, revision, history, at, epoch, , isLost, count]: Row): Found => ({
  revision: toNumber(revision),
  history: toNumber(history),
  at: toNumber(at),
  epoch: toText(epoch),
  isLost: toBoolean(isLost),
  count: toNumber(count),
});

const NOTHING = Buffer.alloc(0);

const objectOf = ([, revision, , , key, value = NOTHING]: Row): Loaded => ({
  key: toKey(toText(key)),
  revision: toNumber(revision),
  value,
});

/** Throws if the state is not the requested one. */
function check({ epoch, known }: Data, head: Found, at: GroupNumber | undefined): void {
  if (head.epoch !== epoch) throw superseded();
  if (head.isLost) throw known.lost(head);
  if (at !== undefined && at < head.history) {
    const message = `the changes since revision ${at} are no longer kept`;
    throw new DriverError('compacted', message, { oldest: head.history });
  }
}
