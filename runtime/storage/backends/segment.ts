/** The stored form of one commit: its records with checksums, so that damage is found and named. */
import { crc32 } from 'node:zlib';
import type { Checkpoint, Revision, StoredRecord } from '../../contract/index.js';

/*
 * All numbers are little-endian.
 *   0  u32  'KFS1'
 *   4  u32  CRC-32 of all that follows up to the end of the keys
 *   8  u32  number of records
 *  12  u32  bytes of all keys
 *  16  f64  checkpoint: revision
 *  24  f64  checkpoint: oldest revision
 *  32  f64  checkpoint: time
 *  40  u32  checkpoint: digest
 *  44       a row per record: f64 revision, u32 bytes of the key (top bit: deleted, next bit: lost), u32 bytes of the
 *           body, u32 CRC-32 of revision, key and body
 *           the keys in UTF-8, then the bodies
 * Keys lie apart from bodies under a checksum of their own: a damaged body is reported with its key for certain.
 */
const MAGIC = 0x3153464b;
const HEADER_BYTES = 44;
const ROW_BYTES = 20;
const DELETED = 0x8000_0000;
const LOST = 0x4000_0000;

/** Buffers up to this size are kept for the next segment. */
const KEPT_BYTES = 1024 * 1024;

/** A record in a segment. */
export interface SegmentRecord extends StoredRecord {
  /**
   * Set for what was found damaged and is kept until the operator decides: `bytes` are what was found, and the key is
   * empty where it could not be trusted either.
   */
  readonly lost?: boolean;
}

export interface DecodedSegment {
  /** Absent where the segment's header is damaged. */
  readonly checkpoint?: Checkpoint;
  /** Those that are whole, and those that are lost; their bytes are views of the segment. */
  readonly records: readonly SegmentRecord[];
}

/** Encodes segments, one at a time: the result is valid until the next call. */
export class SegmentEncoder {
  #kept = Buffer.allocUnsafeSlow(64 * 1024);

  encode(records: readonly SegmentRecord[], checkpoint: Checkpoint): Buffer {
    const lengths = records.map(({ key }) => Buffer.byteLength(key));
    const keysLength = lengths.reduce((sum, length) => sum + length, 0);
    const bodiesLength = records.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const keysAt = HEADER_BYTES + ROW_BYTES * records.length;
    const target = this.#room(keysAt + keysLength + bodiesLength);
    writeHeader(target, records.length, keysLength, checkpoint);
    let row = HEADER_BYTES;
    let keyAt = keysAt;
    let bodyAt = keysAt + keysLength;
    for (const [index, { key, revision, deleted, bytes, lost }] of records.entries()) {
      const keyLength = lengths[index] ?? 0;
      target.write(key, keyAt);
      target.set(bytes, bodyAt);
      target.writeDoubleLE(revision, row);
      target.writeUInt32LE(keyLength + (deleted ? DELETED : 0) + (lost ? LOST : 0), row + 8);
      target.writeUInt32LE(bytes.length, row + 12);
      target.writeUInt32LE(checksum(revision, target.subarray(keyAt, keyAt + keyLength), bytes), row + 16);
      row += ROW_BYTES;
      keyAt += keyLength;
      bodyAt += bytes.length;
    }
    target.writeUInt32LE(crc32(target.subarray(8, keyAt)), 4);
    return target;
  }

  #room(length: number): Buffer {
    if (length > KEPT_BYTES) return Buffer.allocUnsafeSlow(length);
    if (length > this.#kept.length) this.#kept = Buffer.allocUnsafeSlow(Math.min(KEPT_BYTES, length * 2));
    return this.#kept.subarray(0, length);
  }
}

/** Reads a segment. Never fails: what cannot be trusted comes out as lost, at worst the whole as one lost record. */
export function decodeSegment(bytes: Uint8Array): DecodedSegment {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const shape = shapeOf(source);
  if (!shape) return { records: [{ key: '', revision: 0, deleted: false, bytes, lost: true }] };
  const sound = crc32(source.subarray(8, shape.bodiesAt)) === source.readUInt32LE(4);
  const records: SegmentRecord[] = [];
  let keyAt = shape.keysAt;
  let bodyAt = shape.bodiesAt;
  for (let at = HEADER_BYTES; at < shape.keysAt; at += ROW_BYTES) {
    const row = readRow(source, at);
    const keyBytes = source.subarray(keyAt, keyAt + row.keyLength);
    const body = source.subarray(bodyAt, bodyAt + row.bodyLength);
    const whole = checksum(row.revision, keyBytes, body) === row.crc;
    const key = whole || sound ? keyBytes.toString() : '';
    const record = { key, revision: row.revision, deleted: row.deleted, bytes: body };
    records.push(whole && !row.lost ? record : { ...record, lost: true });
    keyAt += row.keyLength;
    bodyAt += row.bodyLength;
  }
  return sound ? { checkpoint: readCheckpoint(source), records } : { records };
}

function checksum(revision: Revision, key: Uint8Array, body: Uint8Array): number {
  return crc32(body, crc32(key, revision % 0x1_0000_0000));
}

function writeHeader(target: Buffer, count: number, keysLength: number, checkpoint: Checkpoint): void {
  target.writeUInt32LE(MAGIC, 0);
  target.writeUInt32LE(count, 8);
  target.writeUInt32LE(keysLength, 12);
  target.writeDoubleLE(checkpoint.revision, 16);
  target.writeDoubleLE(checkpoint.oldestRevision, 24);
  target.writeDoubleLE(checkpoint.time, 32);
  target.writeUInt32LE(checkpoint.digest, 40);
}

function readCheckpoint(source: Buffer): Checkpoint {
  return {
    revision: source.readDoubleLE(16),
    oldestRevision: source.readDoubleLE(24),
    time: source.readDoubleLE(32),
    digest: source.readUInt32LE(40),
  };
}

function readRow(source: Buffer, row: number) {
  const keyField = source.readUInt32LE(row + 8);
  return {
    revision: source.readDoubleLE(row),
    deleted: keyField >= DELETED,
    lost: keyField % DELETED >= LOST,
    keyLength: keyField % LOST,
    bodyLength: source.readUInt32LE(row + 12),
    crc: source.readUInt32LE(row + 16),
  };
}

/** Where keys and bodies begin; undefined where the lengths do not add up. */
function shapeOf(source: Buffer): { readonly keysAt: number; readonly bodiesAt: number } | undefined {
  if (source.length < HEADER_BYTES || source.readUInt32LE(0) !== MAGIC) return undefined;
  const keysAt = HEADER_BYTES + ROW_BYTES * source.readUInt32LE(8);
  const bodiesAt = keysAt + source.readUInt32LE(12);
  if (bodiesAt > source.length) return undefined;
  let keysEnd = keysAt;
  let bodiesEnd = bodiesAt;
  for (let row = HEADER_BYTES; row < keysAt; row += ROW_BYTES) {
    const { keyLength, bodyLength } = readRow(source, row);
    keysEnd += keyLength;
    bodiesEnd += bodyLength;
  }
  return keysEnd === bodiesAt && bodiesEnd === source.length ? { keysAt, bodiesAt } : undefined;
}
