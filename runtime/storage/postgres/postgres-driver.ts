/** The driver of the shared store for PostgreSQL. */
import type { Key, SharedDriver, SharedGroup, SharedHeads, SharedRecord } from '../../contract/index.js';
import { superseded } from '../shared/errors.js';
import { splitKey } from './columns.js';
import { commitGroup } from './commit.js';
import { type Data, dataOf } from './data.js';
import { Following } from './following.js';
import { micros } from './functions.js';
import { housekeeping } from './housekeeping.js';
import { loadState } from './load.js';
import { openData } from './open.js';
import type { PostgresDriverOptions } from './options.js';
import { replaceAll } from './replace.js';
import { reading } from './session.js';

/**
 * Returns the driver for the tables in a schema of PostgreSQL, version 13 or later. It connects with the first call.
 *
 * A group's number is its last revision. The driver locks the head row while it decides on a group, so revisions have
 * no gaps and become visible in order. Throws a `DriverError` for invalid options.
 */
export function postgresDriver(options: PostgresDriverOptions): SharedDriver {
  const data = dataOf(options);
  const following = new Set<Following>();
  const writes = { inFlight: false };
  const deliver = (group: SharedGroup | undefined): void => {
    for (const one of following) group ? one.own(group) : one.wake();
  };
  return {
    name: 'PostgreSQL',
    writer: data.writer,
    limits: { changes: 250, bytes: 8 * 1024 * 1024, guards: 1_000 },
    housekeeping: housekeeping(data),
    open: (how) => openData(data, how),
    load: (at, take) => loadState(data, at, take),
    look: (key) => look(data, key),
    replace: (objects, behind, secret) => replaceAll(data, objects, behind, secret),
    writeProblem: () => writeProblem(data),
    follow(after, follower) {
      const one = new Following(data, after, follower, writes);
      following.add(one);
      return () => {
        following.delete(one);
        one.stop();
      };
    },
    async commit(group, how) {
      let made: SharedGroup | undefined;
      writes.inFlight = true;
      const began = performance.now();
      try {
        const committed = await commitGroup(data, group, how);
        made = committed.group;
        if (made) options.observer?.committed(made.changes.length, (performance.now() - began) / 1000);
        return committed.commit;
      } finally {
        writes.inFlight = false;
        deliver(made);
      }
    },
    leave() {
      data.changes.leave('another server is used');
    },
    async close() {
      for (const one of following) one.stop();
      following.clear();
      await Promise.all([data.writes.close(), data.questions.close(), data.changes.close()]);
    },
  };
}

/** Returns why the role could not write; `undefined` if PostgreSQL cannot be asked. */
async function writeProblem({ questions, schema }: Data): Promise<string | undefined> {
  try {
    const [row = []] = await questions.query(
      `SELECT current_setting('transaction_read_only'), has_table_privilege('${schema}.objects', 'INSERT, UPDATE, DELETE'),
        has_table_privilege('${schema}.changes', 'INSERT, DELETE'), has_table_privilege('${schema}.head', 'UPDATE')`,
      [],
      reading('privileges'),
    );
    if (row[0] === 'on') return 'PostgreSQL only reads: it is a standby, or default_transaction_read_only is set';
    return row.includes('f') ? `PostgreSQL does not let this role write to the tables in ${schema}` : '';
  } catch {
    return undefined;
  }
}

async function look(data: Data, key?: Key): Promise<SharedHeads & { readonly found?: SharedRecord | undefined }> {
  const { questions, schema, known, values } = data;
  const object =
    key === undefined
      ? ['', '']
      : [
          ", o.revision, encode(o.body, 'hex')",
          ` LEFT JOIN ${schema}.objects o
            ON o.api_group = $1 AND o.resource = $2 AND o.namespace = $3 AND o.name = $4`,
        ];
  const [row = []] = await questions.query(
    `SELECT h.revision, ${micros('h.at')}, h.epoch, ${known.isLost(schema)}${object[0]} FROM ${schema}.head h${object[1]}`,
    key === undefined ? [] : splitKey(key),
    reading('look'),
  );
  const [number, at, epoch, isLost, revision, body] = row;
  if (epoch !== data.epoch) throw superseded();
  const head = { revision: Number(number), at: Number(at) };
  if (isLost === 't') throw known.lost(head);
  known.note(head);
  const heads = { number: head.revision, head: head.revision };
  if (key === undefined || !revision) return heads;
  const plain = await values.plain(key, Number(revision), Buffer.from(body ?? '', 'hex'));
  return { ...heads, found: { key, revision: Number(revision), ...plain } };
}
