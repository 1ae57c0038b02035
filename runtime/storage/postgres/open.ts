/** Finds the tables. Creates them if they are missing, and upgrades tables of an earlier format. */
import { randomBytes } from 'node:crypto';
import type { GroupNumber, SharedOpened, SharedOpenOptions } from '../../contract/index.js';
import { DriverError } from '../shared/errors.js';
import type { Data } from './data.js';
import { literal, quoted } from './names.js';
import { FORMAT, schemaStatements, tableStatements } from './schema.js';
import { type CallOptions, reading } from './session.js';

const OPEN: CallOptions = { operation: 'open', withinMs: 10_000, repeatable: true, reads: false };
const SECRET_BYTES = 32;
/** Identifies the lock for creating tables: the first bytes of "kindforge". */
const LOCK = 0x6b696e64;

/** Opens the data that is there, and notes its epoch. Rejects with a `DriverError`. */
export async function openData(data: Data, options: SharedOpenOptions): Promise<SharedOpened> {
  const { readOnly, windowMs } = options;
  const { hasSchema, hasTables } = await look(data);
  if (!hasTables) {
    if (readOnly) throw new DriverError('refused', `PostgreSQL has no data of Kindforge in the schema "${data.name}"`);
    await create(data, hasSchema);
  }
  const head = await readHead(data);
  // Readers of an earlier format do not call the functions that an upgrade changes.
  if (head.format < FORMAT && !readOnly) await create(data, hasSchema);
  if (head.epoch !== data.epoch) data.known.forget();
  data.epoch = head.epoch;
  data.known.note(head);
  const secret = head.secret ?? (readOnly ? undefined : await makeSecret(data));
  return { unfinished: head.unfinished, secret, historyFrom: await historyFrom(data, windowMs, MOST_CHANGES) };
}

async function look({ questions, name }: Data): Promise<{ readonly hasSchema: boolean; readonly hasTables: boolean }> {
  const [row = []] = await questions.query(
    `SELECT to_regnamespace($1) IS NOT NULL, to_regclass($1 || '.head') IS NOT NULL`,
    [quoted(name)],
    reading('open'),
  );
  return { hasSchema: row[0] === 't', hasTables: row[1] === 't' };
}

/** Creates or upgrades the tables in one transaction. Only one server does this at a time. */
async function create({ writes, name }: Data, hasSchema: boolean): Promise<void> {
  const statements = hasSchema ? tableStatements(name) : schemaStatements(name);
  try {
    await writes.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK});\n${statements}\nCOMMIT`, [], OPEN);
  } catch (error) {
    if (!(error instanceof DriverError) || error.problem !== 'refused') throw error;
    writes.leave(error.message);
    throw new DriverError(
      'refused',
      `the tables cannot be created or upgraded in the schema "${name}": ${error.message}; or let a role with the right to ` +
        'create them run what "kindforge storage schema postgres" prints, and grant the rest',
    );
  }
}

interface FoundHead {
  readonly format: number;
  readonly revision: number;
  readonly at: number;
  readonly epoch: string;
  readonly unfinished: boolean;
  readonly secret: Buffer | undefined;
}

async function readHead({ questions, schema, name }: Data): Promise<FoundHead> {
  const [row = []] = await questions.query(
    `SELECT format, revision, (extract(epoch FROM at) * 1000000)::bigint, epoch, unfinished, encode(secret, 'hex')
     FROM ${schema}.head`,
    [],
    reading('open'),
  );
  const [format, revision, at, epoch, unfinished, secret] = row;
  if (!epoch) throw new DriverError('refused', `the table "head" in the schema "${name}" is empty; drop the schema`);
  if (Number(format) > FORMAT) {
    throw new DriverError(
      'refused',
      `the schema "${name}" is in format ${format}, which a newer version has written; this one reads formats up to ` +
        `${FORMAT}; start the newer version`,
    );
  }
  return {
    format: Number(format),
    revision: Number(revision),
    at: Number(at),
    epoch,
    unfinished: unfinished === 't',
    secret: secret ? Buffer.from(secret, 'hex') : undefined,
  };
}

/** Makes the secret that all servers share, unless another server has made it in the meantime. */
async function makeSecret({ writes, schema }: Data): Promise<Buffer> {
  const own = randomBytes(SECRET_BYTES).toString('hex');
  const [row = []] = await writes.query(
    `UPDATE ${schema}.head SET secret = coalesce(secret, decode(${literal(own)}, 'hex')) RETURNING encode(secret, 'hex')`,
    [],
    OPEN,
  );
  return Buffer.from(row[0] ?? own, 'hex');
}

/** The most changes that a start reads, in some seconds. Memory usually keeps fewer. */
const MOST_CHANGES = 100_000;

/** Returns the number after which all changes are kept. They are within the window, and not more than `most`. */
export async function historyFrom(
  { questions, schema }: Data,
  windowMs: number,
  most = Number.MAX_SAFE_INTEGER,
): Promise<GroupNumber> {
  const values = [String(Math.ceil(windowMs)), String(most)];
  const [row = []] = await questions.query(`SELECT ${schema}.history_from($1, $2)`, values, reading('open'));
  return Number(row[0] ?? 0);
}
