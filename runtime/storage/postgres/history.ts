/** Reads the changes after a revision, group by group. */
import type { GroupNumber, Key, Revision, SharedChange, SharedGroup } from '../../contract/index.js';
import { mapSync, thenSync } from '../../objects/turns.js';
import { DriverError, superseded } from '../shared/errors.js';
import { joined, toKey } from './columns.js';
import { type Row, toBoolean, toNumber, toText } from './copied-rows.js';
import type { Data } from './data.js';
import { micros } from './functions.js';
import type { Head } from './known.js';

/** The most changes in one read; more than a group has. */
const ROWS = 512;

/** The changes after a revision. */
export interface Changes {
  readonly groups: readonly SharedGroup[];
  readonly head: Revision;
}

/** Reads the next groups. Rejects with a `DriverError`; it is `compacted` if some of them are no longer kept. */
export async function readChanges(data: Data, after: GroupNumber): Promise<Changes> {
  const rows: Row[] = [];
  await data.changes.copy('changes', statement(data, after), (page) => {
    rows.push(...page);
  });
  const head = rows.find(([isHead]) => toBoolean(isHead));
  if (!head) throw new DriverError('unsent', 'PostgreSQL has sent changes without its revision');
  check(data, head, after);
  const changed = rows.filter(([isHead]) => !toBoolean(isHead)).map(toChanged);
  const groups: SharedGroup[] = [];
  for (const { number, writer, changes } of completeGroups(changed)) {
    groups.push({ number, revision: number, writer, changes: await plain(data, changes) });
  }
  return { groups, head: toNumber(head[1]) };
}

/**
 * Returns the statement that reads changes. The new state of a change is the object, or the state that the object's
 * next change replaced. One statement reads both, so both are from one moment. With joins, the planner would expect
 * many rows.
 */
function statement({ schema, known }: Data, after: GroupNumber): string {
  return `COPY (
    SELECT true, h.revision, h.history, ${micros('h.at')}, h.epoch, ${known.isLost(schema)}, NULL::bytea, NULL::bytea, ''
    FROM ${schema}.head h UNION ALL
    (SELECT false, c.revision, c.last_of_group, ${micros('c.at')}, ${joined('c')}, c.deleted, CASE WHEN NOT c.deleted THEN
      coalesce((SELECT n.replaced FROM ${schema}.changes n WHERE n.replaced_revision = c.revision),
        (SELECT o.body FROM ${schema}.objects o WHERE o.api_group = c.api_group AND o.resource = c.resource
          AND o.namespace = c.namespace AND o.name = c.name AND o.revision = c.revision))
      END, c.last_state, c.writer
    FROM (SELECT * FROM ${schema}.changes WHERE revision > ${after} ORDER BY revision LIMIT ${ROWS}) c)
  ) TO STDOUT (FORMAT binary)`;
}

function check({ epoch, known }: Data, [, revision, history, at, found, isLost]: Row, after: GroupNumber): void {
  if (toText(found) !== epoch) throw superseded();
  const head: Head = { revision: toNumber(revision), at: toNumber(at) };
  if (toBoolean(isLost)) throw known.lost(head);
  known.note(head);
  const oldest = toNumber(history);
  if (after >= oldest) return;
  throw new DriverError('compacted', `the changes since revision ${after} are no longer kept`, { oldest });
}

/** A change as the table has it. */
interface Changed {
  readonly key: Key;
  readonly revision: Revision;
  readonly number: GroupNumber;
  readonly deleted: boolean;
  readonly value: Buffer | undefined;
  readonly last: Buffer | undefined;
  readonly writer: string;
}

const toChanged = ([, revision, number, , key, deleted, value, last, writer]: Row): Changed => ({
  key: toKey(toText(key)),
  revision: toNumber(revision),
  number: toNumber(number),
  deleted: toBoolean(deleted),
  value,
  last,
  writer: toText(writer),
});

interface Group {
  readonly number: GroupNumber;
  readonly writer: string;
  readonly changes: readonly Changed[];
}

/** Puts changes that were made together into groups. Leaves out the last group if some of its changes are missing. */
function completeGroups(changed: readonly Changed[]): readonly Group[] {
  const groups: Group[] = [];
  let changes: Changed[] = [];
  for (const change of [...changed].sort((one, other) => one.revision - other.revision)) {
    changes.push(change);
    if (change.revision !== change.number) continue;
    groups.push({ number: change.number, writer: change.writer, changes });
    changes = [];
  }
  return groups;
}

async function plain({ values }: Data, changes: readonly Changed[]): Promise<readonly SharedChange[]> {
  return mapSync(changes, ({ key, revision, deleted, value, last }) => {
    if (deleted) {
      if (!last) return { key, revision };
      return thenSync(values.plain(key, revision, last), ({ value: state, locked }) =>
        locked === undefined ? { key, revision, last: state } : { key, revision },
      );
    }
    if (!value) throw new DriverError('compacted', `PostgreSQL lacks the state of ${key} at revision ${revision}`);
    return thenSync(values.plain(key, revision, value), (state) => ({ key, revision, ...state }));
  });
}
