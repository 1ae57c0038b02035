/** Which restore of the store a server has started from: what was restored since then is not what it knows. */
import type { Revision } from '../../contract/index.js';
import { type Connection, READ } from './connection.js';
import { EtcdError } from './errors.js';
import type { Layout } from './layout.js';
import { type Compare, MOD } from './messages.js';
import { range } from './protocol.js';

/** Why a server does not go on after a restore that it did not make itself. */
export const SUPERSEDED = 'the store is being restored, or has been; restart this server when that is done';

/** What is stored of the last restore. */
export interface RestoreState {
  /** What the store adds to etcd's revisions. */
  readonly shift: number;
  readonly unfinished: boolean;
}

/** What a server knows of the last restore. */
export interface Standing extends RestoreState {
  /** When it began, or ended where it has; 0 where there was none. */
  readonly revision: Revision;
}

const NEW: Standing = { shift: 0, unfinished: false, revision: 0 };

/** Reads how the store stands, and lets the connection count revisions accordingly. Rejects with an `EtcdError`. */
export async function readStanding(connection: Connection, { restore: key }: Layout): Promise<Standing> {
  connection.shift = 0;
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
  connection.shift = state.shift;
  return { ...state, revision: (found.modRevision ?? 0) + state.shift };
}

/** Holds as long as nobody has begun another restore. */
export function isStill({ restore: key }: Layout, { revision }: Standing): Compare {
  return { target: MOD, key, modRevision: revision };
}

export function encodeState(state: RestoreState): Buffer {
  return Buffer.from(JSON.stringify(state));
}

function decodeState(value: Buffer | undefined): RestoreState | undefined {
  try {
    const state: unknown = JSON.parse(String(value));
    return isState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is RestoreState {
  if (typeof value !== 'object' || value === null) return false;
  const { shift, unfinished }: { readonly shift?: unknown; readonly unfinished?: unknown } = value;
  return Number.isSafeInteger(shift) && typeof unfinished === 'boolean';
}
