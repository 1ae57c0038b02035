/** Replaces all data, marked as unfinished from the first change to the last. */
import { randomUUID } from 'node:crypto';
import type { RestoredObject, Revision } from '../../contract/index.js';
import { DriverError } from '../shared/errors.js';
import { bigints, bytes, texts } from './arrays.js';
import { splitKey } from './columns.js';
import type { Data } from './data.js';
import { literal } from './names.js';
import type { CallOptions, Value } from './session.js';
import { textOf } from './values.js';

const BATCH_OBJECTS = 2_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** All of these calls can be repeated: each does something only in the epoch of this restore, and only once. */
const CALL: CallOptions = { operation: 'restore', withinMs: 30_000, repeatable: true, reads: false };
const REMOVAL: CallOptions = { ...CALL, withinMs: 600_000 };

/** Does what `SharedDriver.replace` promises. Rejects with the error of the source or a `DriverError`. */
export async function replaceAll(
  data: Data,
  objects: AsyncIterable<RestoredObject>,
  behind: Revision,
  secret: Uint8Array | undefined,
): Promise<void> {
  const epoch = randomUUID();
  let revision = await begin(data, epoch, behind);
  data.epoch = epoch;
  data.known.forget();
  await inEpoch(data, epoch, (mine) => `DELETE FROM ${data.schema}.objects WHERE EXISTS (${mine})`);
  await inEpoch(data, epoch, (mine) => `DELETE FROM ${data.schema}.changes WHERE EXISTS (${mine})`);
  let batch: RestoredObject[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    await insert(data, epoch, batch, revision);
    revision += batch.length;
    batch = [];
    size = 0;
  };
  for await (const restored of objects) {
    const length = restored.object.text.length;
    if (batch.length === BATCH_OBJECTS || (batch.length > 0 && size + length > BATCH_BYTES)) await flush();
    batch.push(restored);
    size += length;
  }
  await flush();
  await finish(data, epoch, revision, secret);
}

/**
 * Marks the data as unfinished in a new epoch, which ends the changes of all other servers. Resolves to the revision
 * before the first restored one.
 */
async function begin({ writes, schema, epoch, name }: Data, next: string, behind: Revision): Promise<Revision> {
  const [row] = await writes.query(
    `UPDATE ${schema}.head SET epoch = ${literal(next)}, unfinished = true, at = clock_timestamp(),
       revision = greatest(revision, ${behind}) + 1, history = greatest(revision, ${behind}) + 1
     WHERE epoch IN (${literal(epoch)}, ${literal(next)})
     RETURNING revision, pg_notify(${literal(name)}, revision || ' restore')`,
    [],
    CALL,
  );
  if (!row) throw overtaken();
  return Number(row[0]);
}

/** Runs a statement in the epoch of this restore. */
async function inEpoch({ writes, schema }: Data, epoch: string, statement: (mine: string) => string): Promise<void> {
  const [row] = await writes.query(
    `WITH mine AS (SELECT 1 FROM ${schema}.head WHERE epoch = ${literal(epoch)} AND unfinished FOR UPDATE),
     done AS (${statement('SELECT FROM mine')}) SELECT 1 FROM mine`,
    [],
    REMOVAL,
  );
  if (!row) throw overtaken();
}

/** Inserts objects with the revisions after a given one. */
async function insert(
  { writes, schema, values }: Data,
  epoch: string,
  batch: readonly RestoredObject[],
  revision: Revision,
): Promise<void> {
  if (batch.length === 0) return;
  const keys = batch.map(({ key }) => splitKey(key));
  const row: readonly Value[] = [
    ...([0, 1, 2, 3] as const).map((part) => texts(keys.map((columns) => columns[part]))),
    bigints(batch.map((_, index) => revision + 1 + index)),
    bytes(batch.map(({ key, object }) => values.stored(key, textOf(object)))),
  ];
  try {
    const [found] = await writes.query(
      `WITH mine AS (SELECT 1 FROM ${schema}.head WHERE epoch = ${literal(epoch)} AND unfinished FOR UPDATE),
       done AS (
         INSERT INTO ${schema}.objects AS o (api_group, resource, namespace, name, revision, body)
         SELECT n.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[]) AS n, mine
         ON CONFLICT (api_group, resource, namespace, name) DO UPDATE SET revision = excluded.revision
       ) SELECT 1 FROM mine`,
      row,
      CALL,
    );
    if (!found) throw overtaken();
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
    const which = batch.length === 1 ? batch[0]?.key : `${batch[0]?.key} to ${batch.at(-1)?.key}`;
    throw new DriverError(error.problem, `${which}: ${error.message}`);
  }
}

async function finish(
  { writes, schema, name, known }: Data,
  epoch: string,
  revision: Revision,
  secret: Uint8Array | undefined,
): Promise<void> {
  const [row] = await writes.query(
    `UPDATE ${schema}.head SET unfinished = false, revision = ${revision}, history = ${revision}, at = clock_timestamp()
       ${secret ? `, secret = decode(${literal(Buffer.from(secret).toString('hex'))}, 'hex')` : ''}
     WHERE epoch = ${literal(epoch)} AND revision <= ${revision}
     RETURNING revision, (extract(epoch FROM at) * 1000000)::bigint, pg_notify(${literal(name)}, revision || ' restore')`,
    [],
    CALL,
  );
  if (!row) throw overtaken();
  // A look at the data meanwhile has found the same revision at an earlier time, if nothing was restored.
  known.forget();
  known.note({ revision: Number(row[0]), at: Number(row[1]) });
}

const overtaken = (): Error => new DriverError('superseded', 'another restore of the same store has begun');
