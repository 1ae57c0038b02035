/** The restore of the store that a server has started from; it knows nothing of what was restored since. */
import type { Revision } from '../../contract/index.js';
import { type Connection, READ } from './connection.js';
import { EtcdError } from './errors.js';
import type { Layout } from './layout.js';
import { type Compare, MOD } from './messages.js';
import { range } from './protocol.js';

/** The reason for which a server stops after a restore that it did not make itself. */
export const SUPERSEDED = 'the store is being restored, or has been; restart this server when that is done';

/** The last restore, as etcd holds it. */
export interface RestoreState {
  /** The number that the store adds to etcd's revisions. */
  readonly revisionOffset: number;
  readonly unfinished: boolean;
}

/** The last restore, as a server has found it. */
export interface RestoreEpoch extends RestoreState {
  /** When it began, or ended where it has; 0 where there was none. */
  readonly revision: Revision;
}

const NEW: RestoreEpoch = { revisionOffset: 0, unfinished: false, revision: 0 };

/** Reads the last restore, and makes the connection count revisions accordingly. Rejects with an `EtcdError`. */
export async function readRestoreEpoch(connection: Connection, { restore: key }: Layout): Promise<RestoreEpoch> {
  connection.revisionOffset = 0;
  const { kvs } = await connection.ask(range, { key }, READ);
  const found = kvs?.[0];
  if (!found) return NEW;
  const state = decodeState(found.value);
  if (!state) {
    throw new EtcdError(
      'refused',
      `what etcd holds at ${key} cannot be read, so revisions are not known; remove all below, and restore a snapshot`,
    );
  }
  connection.revisionOffset = state.revisionOffset;
  return { ...state, revision: (found.modRevision ?? 0) + state.revisionOffset };
}

/** Holds as long as no other restore has begun. */
export function isSameEpoch({ restore: key }: Layout, { revision }: RestoreEpoch): Compare {
  return { target: MOD, key, modRevision: revision };
}

export function encodeState({ revisionOffset, unfinished }: RestoreState): Buffer {
  return Buffer.from(JSON.stringify({ shift: revisionOffset, unfinished }));
}

function decodeState(value: Buffer | undefined): RestoreState | undefined {
  try {
    const state: unknown = JSON.parse(String(value));
    return isStored(state) ? { revisionOffset: state.shift, unfinished: state.unfinished } : undefined;
  } catch {
    return undefined;
  }
}

/** The state as it is stored, under the names of earlier versions. */
interface StoredState {
  readonly shift: number;
  readonly unfinished: boolean;
}

function isStored(value: unknown): value is StoredState {
  if (typeof value !== 'object' || value === null) return false;
  const { shift, unfinished }: { readonly shift?: unknown; readonly unfinished?: unknown } = value;
  return Number.isSafeInteger(shift) && typeof unfinished === 'boolean';
}
