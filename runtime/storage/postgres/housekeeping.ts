/** Deletes changes that are older than the window. One server of all does it, elected by a row with a time. */
import type { Revision, SharedHousekeeping } from '../../contract/index.js';
import type { Data } from './data.js';
import { literal } from './names.js';
import { historyFrom } from './open.js';
import type { CallOptions } from './session.js';

/** Changes that one statement deletes: other questions wait for it. */
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
      // The entries of deleted changes stay in the index for a while, so one does not begin at its start each time.
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

/** Notes that changes up to a revision need not be there, unless somebody has restored the data. */
async function note({ questions, schema, epoch }: Data, oldest: Revision): Promise<void> {
  const text = `UPDATE ${schema}.head SET history = ${oldest} WHERE history < ${oldest} AND epoch = ${literal(epoch)}`;
  await questions.query(text, [], CALL);
}

/**
 * Deletes some of the oldest changes, and resolves to the last one. Resolves to `undefined` if all are gone. The head is
 * not locked meanwhile, so nobody waits.
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
