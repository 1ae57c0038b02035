/** The records by which writers know of each other: one record names the owner, and each writer has its own. */
import { isOwner, type Owner } from '../backends/owner.js';
import { type Items, parseJson } from './items.js';

/** The key of the record that names the owner. Each writer writes it once. */
export const OWNER = 'owner';
/** Returns the key of a writer's own record. No other writer writes it. */
export const writerKey = (token: string): string => `writers:${token}`;
const isWriterKey = (key: string): boolean => key.startsWith('writers:');

const FORMAT = 'kindforge journal 1';

export interface OwnerRecord {
  /**
   * The writer's place in the order of all writers. It is higher than the epoch of any writer that this one found
   * traces of.
   */
  readonly epoch: number;
  /** Names the writer. */
  readonly token: string;
}

export interface WriterRecord extends Owner {
  readonly epoch: number;
  /** Incremented with each heartbeat. */
  readonly beat: number;
  /** The name of the segment after which this writer writes; empty for the beginning. Absent until it is known. */
  readonly after?: string;
  /** The name of the newest segment that this writer knew to be stored at its last heartbeat. */
  readonly tail?: string;
  /** Set once the writer has closed the data. */
  readonly closed?: boolean;
}

/** Reads the record of the owner; undefined if it does not exist. Rejects if another value is in its place. */
export async function readOwner(items: Items): Promise<OwnerRecord | undefined> {
  const bytes = await items.get(OWNER);
  if (!bytes) return undefined;
  const value = parseJson(Buffer.from(bytes).toString());
  if (isOwnerRecord(value) && value.format === FORMAT) return value;
  throw new Error(
    `the item ${items.fullKey(OWNER)} is not a record of an owner, or is of another version; if no server uses the data, remove it`,
  );
}

export const encodeOwner = (record: OwnerRecord): Uint8Array =>
  Buffer.from(JSON.stringify({ format: FORMAT, ...record }));

/** Reads the record of a writer. Returns undefined if it is missing or cannot be read: such a writer counts as gone. */
export async function readWriter(items: Items, token: string): Promise<WriterRecord | undefined> {
  const bytes = await items.get(writerKey(token));
  const value = bytes && parseJson(Buffer.from(bytes).toString());
  return isWriterRecord(value) ? value : undefined;
}

/** Reads the records of all writers except one, by token. */
export async function readWriters(
  items: Items,
  keys: readonly string[],
  except: string,
): Promise<ReadonlyMap<string, WriterRecord>> {
  const writers = new Map<string, WriterRecord>();
  for (const token of keys.filter(isWriterKey).map((key) => key.slice(writerKey('').length))) {
    const record = token === except ? undefined : await readWriter(items, token);
    if (record) writers.set(token, record);
  }
  return writers;
}

export const encodeWriter = (record: WriterRecord): Uint8Array => Buffer.from(JSON.stringify(record));

function isOwnerRecord(value: unknown): value is OwnerRecord & { readonly format?: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const { epoch, token }: Partial<Record<keyof OwnerRecord, unknown>> = value;
  return Number.isSafeInteger(epoch) && typeof token === 'string';
}

function isWriterRecord(value: unknown): value is WriterRecord {
  if (!isOwner(value)) return false;
  const { epoch, beat, after, tail, closed }: Partial<Record<keyof WriterRecord, unknown>> = value;
  const isFlag = closed === undefined || typeof closed === 'boolean';
  return [epoch, beat].every(Number.isSafeInteger) && [after, tail].every(isTextOrAbsent) && isFlag;
}

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';
