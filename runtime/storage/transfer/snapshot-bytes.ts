/** Makes the bytes of a snapshot, piece by piece. */
import { createHash } from 'node:crypto';
import type { Encryption } from '../encryption/encryption.js';
import {
  encodeEnd,
  encodeHeader,
  encodeRecord,
  MAGIC,
  noProgress,
  type SnapshotEnd,
  type TransferProgress,
} from './snapshot-format.js';
import type { State } from './verify.js';

/** The bytes of a piece. The last one may have fewer. A piece with a single object may have more. */
const PIECE_BYTES = 256 * 1024;

/**
 * Yields the pieces of a snapshot, with objects encrypted as in a store. Makes each piece on demand, so it needs the
 * memory of one. Returns the content of the end mark.
 */
export function* snapshotBytes(
  { revision, entries }: State,
  progress: TransferProgress = noProgress,
  encryption?: Encryption,
): Generator<Uint8Array, SnapshotEnd> {
  const hash = createHash('sha256');
  let waiting: Uint8Array[] = [];
  let size = 0;
  const add = (record: Uint8Array): void => {
    waiting.push(record);
    size += record.length;
  };
  const take = (): Uint8Array => {
    const piece = Buffer.concat(waiting, size);
    waiting = [];
    size = 0;
    return piece;
  };
  add(MAGIC);
  add(encodeHeader({ revision, time: new Date().toISOString() }));
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const { key } = entry;
    const body = encryption?.encrypt(key, entry.bytes) ?? entry.bytes;
    add(encodeRecord({ kind: 'object', key, revision: entry.revision, body }));
    bytes += body.length;
    progress('writing', index + 1, entries.length, key);
    if (size < PIECE_BYTES) continue;
    const piece = take();
    hash.update(piece);
    yield piece;
  }
  const rest = take();
  const end = { objects: entries.length, bytes, sha256: hash.update(rest).digest('hex') };
  add(rest);
  add(encodeEnd(end));
  yield take();
  return end;
}
