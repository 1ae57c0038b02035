/** Deletes changes that are older than the window. One server of all does it, elected by a row with a time. */
import type { SharedHousekeeping } from '../../contract/index.js';
import type { Data } from './data.js';
import { literal } from './names.js';
import { historyFrom } from './open.js';
import type { CallOptions } from './session.js';

/** Changes that one transaction deletes. */
const BATCH = 2_000;
const CALL: CallOptions = { operation: 'forget', withinMs: 4_000, repeatable: true, reads: false };

export function housekeeping(data: Data): SharedHousekeeping {
  const { questions, schema, writer } = data;
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
      const oldest = await historyFrom(data, windowMs);
      while ((await forgetSome(data, oldest)) === BATCH);
    },
    async resign() {
      const text = `DELETE FROM ${schema}.lease WHERE holder = ${literal(writer)}`;
      await questions.query(text, [], { ...CALL, withinMs: 500 }).catch(() => {});
    },
  };
}

/**
 * Deletes the oldest changes up to a revision, and notes first that they are gone. Resolves to their number. Does nothing
 * if somebody has restored the data.
 */
async function forgetSome({ questions, schema, epoch }: Data, oldest: number): Promise<number> {
  const [row = []] = await questions.query(
    `WITH gone AS (
       SELECT c.revision FROM ${schema}.changes c, ${schema}.head h
       WHERE c.revision > h.history - ${BATCH} AND c.revision <= ${oldest} AND h.epoch = ${literal(epoch)}
       ORDER BY c.revision LIMIT ${BATCH}
     ), noted AS (
       UPDATE ${schema}.head h SET history = greatest(h.history, (SELECT max(c.last_of_group) FROM gone
         JOIN ${schema}.changes c USING (revision)))
       WHERE h.epoch = ${literal(epoch)} AND EXISTS (SELECT FROM gone) RETURNING 1
     ), deleted AS (
       DELETE FROM ${schema}.changes c USING gone WHERE c.revision = gone.revision AND EXISTS (SELECT FROM noted) RETURNING 1
     ) SELECT count(*) FROM deleted`,
    [],
    CALL,
  );
  return Number(row[0] ?? 0);
}
