/**
 * Deletes changes that are older than the window. One of the servers does this for all, elected by a row with a time.
 */
import type { Revision, SharedHousekeeping } from '../../contract/index.js';
import type { Data } from './data.js';
import { literal } from './names.js';
import { historyFrom } from './open.js';
import type { CallOptions } from './session.js';

/** The changes that one statement deletes. Other questions wait for it. */
const BATCH = 500;
const CALL: CallOptions = { operation: 'forget', withinMs: 4_000, repeatable: true, reads: false };

export function housekeeping(data: Data): SharedHousekeeping {
  const { questions, schema, writer } = data;
  let forgotten: Revision = 0;
  return {
    async lead(seconds) {
      const until = `clock_timestamp() + ${Math.ceil(seconds * 1000)} * interval '1 millisecond'`;
      const rows = await questions.query(
        `INSERT INTO ${schema}.lease AS l (holder, until) VALUES (${literal(writer)}, ${until})
         ON CONFLICT (one) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE l.holder = excluded.holder OR l.until < clock_timestamp() RETURNING 1`,
        [],
        { ...CALL, operation: 'lead' },
      );
      return rows.length > 0;
    },
    async forget(windowMs) {
      await note(data, await historyFrom(data, windowMs));
      // The index keeps the entries of deleted changes for a while, so each statement starts after the previous one.
      for (;;) {
        const last = await forgetSome(data, forgotten);
        if (last === undefined) return;
        forgotten = last;
      }
    },
    async resign() {
      const text = `DELETE FROM ${schema}.lease WHERE holder = ${literal(writer)}`;
      await questions.query(text, [], { ...CALL, withinMs: 500 }).catch(() => {});
    },
  };
}

/** Notes that changes up to a revision may be missing, unless the data has been restored. */
async function note({ questions, schema, epoch }: Data, oldest: Revision): Promise<void> {
  const text = `UPDATE ${schema}.head SET history = ${oldest} WHERE history < ${oldest} AND epoch = ${literal(epoch)}`;
  await questions.query(text, [], CALL);
}

/**
 * Deletes some of the oldest changes. Resolves to the last deleted one, or to `undefined` if all are gone. Does not
 * lock the head, so no other call waits.
 */
async function forgetSome({ questions, schema }: Data, after: Revision): Promise<Revision | undefined> {
  const [row = []] = await questions.query(
    `WITH gone AS (
       DELETE FROM ${schema}.changes WHERE revision IN (
         SELECT c.revision FROM ${schema}.changes c
         WHERE c.revision > ${after} AND c.revision <= (SELECT history FROM ${schema}.head)
         ORDER BY c.revision LIMIT ${BATCH}
       ) RETURNING revision
     ) SELECT max(revision) FROM gone`,
    [],
    CALL,
  );
  return row[0] ? Number(row[0]) : undefined;
}
