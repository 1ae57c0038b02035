/** The mark that says how a store counts its revisions: the format of its data, and the last restore. */
import { randomBytes } from 'node:crypto';
import { type Connection, READ } from './connection.js';
import { EtcdError } from './errors.js';
import { encodeHead, type Layout } from './layout.js';
import { type Compare, CREATE, MOD, range, txn } from './messages.js';
import { type EtcdRevision, Numbering } from './numbering.js';

/** In the first format each change had its own revision of etcd. Its mark had no number. */
export const FIRST_FORMAT = 1;
/** The format that this version writes. */
export const FORMAT = 2;

/** The last restore, as etcd stores it. */
export interface RestoreState {
  readonly format: typeof FIRST_FORMAT | typeof FORMAT;
  /** The number that the store adds to the revisions that it counts. */
  readonly base: number;
  readonly unfinished: boolean;
}

/** The last restore, as a server found it. */
export interface RestoreEpoch extends RestoreState {
  /**
   * The revision at which the restore began or ended, or at which the format changed, whichever is last; 0 without any
   * of these.
   */
  readonly revision: EtcdRevision;
}

const NEW: RestoreEpoch = { format: FIRST_FORMAT, base: 0, unfinished: false, revision: 0 };

/** Reads the mark. Rejects with an `EtcdError`, also if a newer version wrote the mark. */
export async function readRestoreEpoch(
  connection: Pick<Connection, 'ask'>,
  { restore: key }: Layout,
): Promise<RestoreEpoch> {
  const { kvs } = await connection.ask(range, { key }, READ);
  const found = kvs?.[0];
  if (!found) return NEW;
  const mark = parsed(found.value);
  if (isNewer(mark)) {
    throw new EtcdError(
      'refused',
      `the value of ${key} in etcd says that a newer version has written the data, in format ${mark.format}; ` +
        `this one reads formats up to ${FORMAT}; start the newer version`,
    );
  }
  const state = toState(mark);
  if (!state) {
    throw new EtcdError(
      'refused',
      `the value of ${key} in etcd cannot be read, so revisions are not known; ` +
        'delete all keys of the store, then restore a snapshot',
    );
  }
  return { ...state, revision: found.modRevision ?? 0 };
}

/** Returns the numbering that makes the store's revisions from etcd's. */
export function numberingOf({ format, base }: RestoreState): Numbering {
  return format === FIRST_FORMAT ? new Numbering(base, 1) : new Numbering(base);
}

/** Returns the condition that no other restore has begun. */
export function isSameEpoch({ restore: key }: Layout, { revision }: RestoreEpoch): Compare {
  return { target: MOD, key, modRevision: revision };
}

/**
 * Encodes the mark in the present format. Versions that only know the first format find no `shift`, and do not start.
 */
export function encodeState({ base, unfinished }: Pick<RestoreState, 'base' | 'unfinished'>): Buffer {
  return Buffer.from(JSON.stringify({ format: FORMAT, base, unfinished }));
}

function parsed(value: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

interface Mark {
  readonly format?: unknown;
  readonly base?: unknown;
  readonly unfinished?: unknown;
  /** The base, in the first format. */
  readonly shift?: unknown;
}

const isMark = (value: unknown): value is Mark => typeof value === 'object' && value !== null;

function isNewer(value: unknown): value is { readonly format: number } {
  return isMark(value) && typeof value.format === 'number' && value.format > FORMAT;
}

function toState(value: unknown): RestoreState | undefined {
  if (!isMark(value) || typeof value.unfinished !== 'boolean') return undefined;
  const { format, base, shift, unfinished } = value;
  if (format === FORMAT) return isBase(base) ? { format, base, unfinished } : undefined;
  return format === undefined && isBase(shift) ? { format: FIRST_FORMAT, base: shift, unfinished } : undefined;
}

const isBase = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const LENGTH = 32;

/** Returns the secret. Makes it if necessary. Rejects with an `EtcdError`. */
export async function sharedSecret(connection: Pick<Connection, 'ask'>, layout: Layout): Promise<Uint8Array> {
  // A full etcd refuses every transaction that might write, so this reads first.
  const found = await foundSecret(connection, layout);
  if (found) return found;
  const key = layout.secret;
  const own = randomBytes(LENGTH);
  const request = {
    compare: [{ target: CREATE, key, createRevision: 0 }],
    success: [{ requestPut: { key, value: own } }, { requestRange: { key } }],
    failure: [{ requestRange: { key } }],
  } as const;
  // A repeated request finds the secret that the first one made.
  const { responses = [] } = await connection.ask(txn, request, READ);
  return responses.at(-1)?.responseRange?.kvs?.[0]?.value ?? own;
}

/** Returns the secret, if it exists. Rejects with an `EtcdError`. */
export async function foundSecret(
  connection: Pick<Connection, 'ask'>,
  { secret: key }: Layout,
): Promise<Uint8Array | undefined> {
  return (await connection.ask(range, { key }, READ)).kvs?.[0]?.value;
}

const HEAD_ALONE = encodeHead(1, []);

/**
 * Marks the present format, unless it is marked already. Resolves to the mark. Objects stay as they are: every revision
 * of the present format is greater than all revisions of the first one. Running servers of earlier versions make no
 * more changes, and do not start again. Rejects with an `EtcdError`.
 */
export async function upgraded(
  connection: Pick<Connection, 'ask'>,
  layout: Layout,
  found: RestoreEpoch,
): Promise<RestoreEpoch> {
  let epoch = found;
  while (epoch.format !== FORMAT) {
    const success = [
      { requestPut: { key: layout.restore, value: encodeState(epoch) } },
      { requestPut: { key: layout.head, value: HEAD_ALONE } },
      // Their revisions are counted as in the first format.
      { requestDeleteRange: { key: layout.firstMarks } },
    ];
    await connection.ask(txn, { compare: [isSameEpoch(layout, epoch)], success }, READ);
    // Another server may have made the mark. So may a first try, before its answer was lost.
    epoch = await readRestoreEpoch(connection, layout);
  }
  return epoch;
}
