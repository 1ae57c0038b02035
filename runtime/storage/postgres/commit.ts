/** Has the database decide on a group of changes. */
import type {
  SharedChange,
  SharedCommit,
  SharedCommitOptions,
  SharedGroup,
  SharedProposal,
  SharedVerdict,
} from '../../contract/index.js';
import { mapSync, thenSync } from '../../objects/turns.js';
import { DriverError } from '../shared/errors.js';
import { bigints, booleans, bytes, integers, texts } from './arrays.js';
import { splitKey } from './columns.js';
import type { Data } from './data.js';
import type { TextRow, Value } from './session.js';
import { textOf } from './values.js';

/** The outcome of a group, and the group for watchers if it changed anything. */
export interface Committed {
  readonly commit: SharedCommit;
  readonly group?: SharedGroup;
}

/** The texts of a proposal. The stored text is encrypted; followers get the text itself. */
interface Texts {
  readonly next: Buffer | undefined;
  readonly last: Buffer | undefined;
}

/** Decides on a group in one round trip. Rejects with a `DriverError`. */
export async function commitGroup(
  data: Data,
  group: readonly SharedProposal[],
  options: SharedCommitOptions,
): Promise<Committed> {
  const plain = group.map(({ next, last }): Texts => ({ next: next && textOf(next), last: last && textOf(last) }));
  const { lost } = data.writes;
  const rows = await data.writes.query(
    `SELECT change, revision, at, note, encode(body, 'hex')${endingOf(lost)} FROM ${data.schema}.commit_group(
      $1::text, $2::bigint, $3::bigint, $4::bigint, $5::text, $6::integer, $7::text[], $8::text[], $9::text[], $10::text[],
      $11::bigint[], $12::boolean[], $13::bytea[], $14::bytea[],
      $15::integer[], $16::text[], $17::text[], $18::text[], $19::text[], $20::bigint[])`,
    argumentsOf(data, group, plain, options),
    { operation: 'commit', withinMs: options.withinMs, repeatable: false, reads: false },
  );
  lost.clear();
  return outcomeOf(data, group, plain, rows);
}

/**
 * Returns a column that ends the processes of lost connections. Otherwise such a process could create an object that was
 * created in the meantime, and deleted. While the head is locked for this group, no other process commits a change.
 */
const endingOf = (lost: ReadonlySet<string>): string =>
  lost.size === 0
    ? ''
    : `, (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE change = 0 AND (${[...lost].join(' OR ')}))`;

function argumentsOf(
  { epoch, known, writer, values }: Data,
  group: readonly SharedProposal[],
  plain: readonly Texts[],
  { head, withinMs }: SharedCommitOptions,
): readonly Value[] {
  const keys = group.map(({ key }) => splitKey(key));
  const guards = group.flatMap(({ guards: all = [] }, index) =>
    all.map(({ key, revision }) => ({ change: index + 1, columns: splitKey(key), revision })),
  );
  const stored = (part: keyof Texts): Buffer =>
    bytes(
      plain.map((entry, index) => {
        const [text, key] = [entry[part], group[index]?.key];
        return text && key !== undefined ? values.stored(key, text) : undefined;
      }),
    );
  return [
    ...[epoch, String(known.revision), String(known.at), head === undefined ? null : String(head), writer],
    // The database gives up before this server does, so a late call changes nothing.
    String(Math.max(1, Math.floor(withinMs * 0.9))),
    ...([0, 1, 2, 3] as const).map((part) => texts(keys.map((columns) => columns[part]))),
    bigints(group.map(({ expected }) => expected)),
    booleans(group.map(({ writes }) => writes)),
    ...[stored('next'), stored('last')],
    integers(guards.map(({ change }) => change)),
    ...([0, 1, 2, 3] as const).map((part) => texts(guards.map(({ columns }) => columns[part]))),
    bigints(guards.map(({ revision }) => revision)),
  ];
}

async function outcomeOf(
  data: Data,
  group: readonly SharedProposal[],
  plain: readonly Texts[],
  [first = [], ...found]: readonly TextRow[],
): Promise<Committed> {
  const [, revision, at, note] = first;
  const head = { revision: Number(revision), at: Number(at) };
  if (note === 'superseded') return { commit: { outcome: 'superseded' } };
  if (note === 'lost') throw data.known.lost(head);
  data.known.note(head);
  const heads = { number: head.revision, head: head.revision };
  if (note === 'moved') return { commit: { outcome: 'moved', ...heads } };
  if (note?.length !== group.length) throw new DriverError('uncertain', 'PostgreSQL has not answered every change');
  const changes: SharedChange[] = [];
  const count = group.filter(({ writes }, index) => writes && note[index] === '1').length;
  const losers = await foundObjects(data, group, found);
  const verdicts = group.map(({ key, writes, next, last }, index): SharedVerdict => {
    if (note[index] !== '1') return { made: false, found: losers.get(index) };
    if (!writes) return { made: true, revision: head.revision };
    const made = head.revision - count + changes.length + 1;
    const attributes = (next ?? last)?.attributes;
    changes.push({ key, revision: made, value: plain[index]?.next, last: plain[index]?.last, attributes });
    return { made: true, revision: made };
  });
  const commit: SharedCommit = { outcome: 'decided', ...heads, verdicts };
  if (count === 0) return { commit };
  return { commit, group: { number: head.revision, revision: head.revision, changes, writer: data.writer } };
}

type Losers = ReadonlyMap<number, Extract<SharedVerdict, { readonly made: false }>['found']>;

/** Reads the objects that lost changes have found, by the index of the change. */
async function foundObjects(
  { values }: Data,
  group: readonly SharedProposal[],
  rows: readonly TextRow[],
): Promise<Losers> {
  const read = mapSync(rows, ([change, revision, , , body]) => {
    const index = Number(change) - 1;
    const key = group[index]?.key ?? '';
    const number = Number(revision);
    return thenSync(
      values.plain(key, number, Buffer.from(body ?? '', 'hex')),
      (plain) => [index, { key, revision: number, ...plain }] as const,
    );
  });
  return new Map(await read);
}
