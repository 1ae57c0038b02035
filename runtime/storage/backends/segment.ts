/** The stored form of one commit: its records with checksums, so that damage is found and named. */
import { crc32 } from 'node:zlib';
import type { Backend, Checkpoint, Key, Revision, StoredRecord } from '../../contract/index.js';

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
 *  44  f64  number of the oldest segment that belongs to the log
 *  52       a row per record: f64 revision, f64 revision that it replaces, f64 revision that ended it (0: unknown), u32
 *           bytes of the key (top bit: deleted, next bit: lost), u32 bytes of the body, u32 CRC-32 of all that
 *           and of key and body
 *           the keys in UTF-8, then the bodies
 * Keys lie apart from bodies under a checksum of their own, and before them: a body that is damaged, or was cut off
 * with the end of the segment, is reported with its key for certain.
 */
const MAGIC = 0x3153464b;
const HEADER_BYTES = 52;
const ROW_BYTES = 36;
/** The offset of a row's checksum, and the bytes of the row that it covers. */
const ROW_CRC = 32;
const DELETED = 0x8000_0000;
const LOST = 0x4000_0000;

/** Buffers up to this size are kept for the next segment. */
const KEPT_BYTES = 1024 * 1024;

export interface SegmentRecord extends StoredRecord {
  /**
   * The revision that ended this version. Set when the record moves behind the record of that revision, which may be
   * removed first.
   */
  readonly end?: Revision;
  /**
   * Set for a record that was found damaged and is kept until the operator decides: `bytes` are the bytes found, and
   * the key is empty if it could not be trusted either.
   */
  readonly lost?: boolean;
}

/** The part of a segment that is about the whole log. */
export interface LogHeader {
  readonly checkpoint: Checkpoint;
  /** The number of the oldest segment that belongs to the log; any before are left-overs. */
  readonly first: number;
}

export interface DecodedSegment {
  /** Absent where the segment's header is damaged. */
  readonly header?: LogHeader;
  /** The whole records and the lost ones; their bytes are views of the segment. */
  readonly records: readonly SegmentRecord[];
}

/** Encodes segments, one at a time: the result is valid until the next call. */
export class SegmentEncoder {
  #kept = Buffer.allocUnsafeSlow(64 * 1024);

  encode(records: readonly SegmentRecord[], header: LogHeader): Buffer {
    const lengths = records.map(({ key }) => Buffer.byteLength(key));
    const keysLength = lengths.reduce((sum, length) => sum + length, 0);
    const bodiesLength = records.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const keysAt = HEADER_BYTES + ROW_BYTES * records.length;
    const target = this.#room(keysAt + keysLength + bodiesLength);
    writeHeader(target, records.length, keysLength, header);
    let rowAt = HEADER_BYTES;
    let keyAt = keysAt;
    let bodyAt = keysAt + keysLength;
    for (const [index, record] of records.entries()) {
      const keyLength = lengths[index] ?? 0;
      target.write(record.key, keyAt);
      target.set(record.bytes, bodyAt);
      writeRow(target, rowAt, record, keyLength);
      const crc = checksum(target, rowAt, target.subarray(keyAt, keyAt + keyLength), record.bytes);
      target.writeUInt32LE(crc, rowAt + ROW_CRC);
      rowAt += ROW_BYTES;
      keyAt += keyLength;
      bodyAt += record.bytes.length;
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
  const sound = shape !== undefined && crc32(source.subarray(8, shape.bodiesAt)) === source.readUInt32LE(4);
  if (!shape || !(sound || addsUp(source, shape))) return { records: [lostRecord('', 0, bytes)] };
  const records: SegmentRecord[] = [];
  let keyAt = shape.keysAt;
  let bodyAt = shape.bodiesAt;
  for (let at = HEADER_BYTES; at < shape.keysAt; at += ROW_BYTES) {
    const row = readRow(source, at);
    const keyBytes = source.subarray(keyAt, keyAt + row.keyLength);
    const body = source.subarray(bodyAt, bodyAt + row.bodyLength);
    const whole = checksum(source, at, keyBytes, body) === source.readUInt32LE(at + ROW_CRC);
    const key = whole || sound ? keyBytes.toString() : '';
    const { revision, replaces, end, deleted } = row;
    const record = { key, revision, replaces, deleted, bytes: body, ...(end > 0 && { end }) };
    records.push(whole && !row.lost ? record : { ...record, lost: true });
    keyAt += row.keyLength;
    bodyAt += row.bodyLength;
  }
  return sound ? { header: readHeader(source), records } : { records };
}

/** Computes the checksum of a record. Its row must be in place, except the checksum itself. */
function checksum(segment: Buffer, rowAt: number, key: Uint8Array, body: Uint8Array): number {
  const withKey = crc32(key, crc32(segment.subarray(rowAt, rowAt + ROW_CRC)));
  // For an empty array without memory, zlib returns 0 instead of the checksum so far.
  return body.length === 0 ? withKey : crc32(body, withKey);
}

function writeHeader(target: Buffer, count: number, keysLength: number, { checkpoint, first }: LogHeader): void {
  target.writeUInt32LE(MAGIC, 0);
  target.writeUInt32LE(count, 8);
  target.writeUInt32LE(keysLength, 12);
  target.writeDoubleLE(checkpoint.revision, 16);
  target.writeDoubleLE(checkpoint.oldestRevision, 24);
  target.writeDoubleLE(checkpoint.time, 32);
  target.writeUInt32LE(checkpoint.digest, 40);
  target.writeDoubleLE(first, 44);
}

function readHeader(source: Buffer): LogHeader {
  const checkpoint = {
    revision: source.readDoubleLE(16),
    oldestRevision: source.readDoubleLE(24),
    time: source.readDoubleLE(32),
    digest: source.readUInt32LE(40),
  };
  return { checkpoint, first: source.readDoubleLE(44) };
}

function writeRow(target: Buffer, at: number, record: SegmentRecord, keyLength: number): void {
  target.writeDoubleLE(record.revision, at);
  target.writeDoubleLE(record.replaces, at + 8);
  target.writeDoubleLE(record.end ?? 0, at + 16);
  target.writeUInt32LE(keyLength + (record.deleted ? DELETED : 0) + (record.lost ? LOST : 0), at + 24);
  target.writeUInt32LE(record.bytes.length, at + 28);
}

function readRow(source: Buffer, at: number) {
  const keyField = source.readUInt32LE(at + 24);
  return {
    revision: source.readDoubleLE(at),
    replaces: source.readDoubleLE(at + 8),
    end: source.readDoubleLE(at + 16),
    deleted: keyField >= DELETED,
    lost: keyField % DELETED >= LOST,
    keyLength: keyField % LOST,
    bodyLength: source.readUInt32LE(at + 28),
  };
}

/** Returns a record with only these fields known. */
export function lostRecord(key: Key, revision: Revision, bytes: Uint8Array = new Uint8Array(0)): SegmentRecord {
  return { key, revision, replaces: 0, deleted: false, bytes, lost: true };
}

interface Shape {
  readonly keysAt: number;
  readonly bodiesAt: number;
}

/** Returns the offsets of keys and bodies; undefined if this is not a segment, or is cut off. */
function shapeOf(source: Buffer): Shape | undefined {
  if (source.length < HEADER_BYTES || source.readUInt32LE(0) !== MAGIC) return undefined;
  const keysAt = HEADER_BYTES + ROW_BYTES * source.readUInt32LE(8);
  const bodiesAt = keysAt + source.readUInt32LE(12);
  return bodiesAt > source.length ? undefined : { keysAt, bodiesAt };
}

/** Checks whether the lengths in the rows fit the segment's, so that they can be trusted without their checksum. */
function addsUp(source: Buffer, { keysAt, bodiesAt }: Shape): boolean {
  let keysEnd = keysAt;
  let bodiesEnd = bodiesAt;
  for (let row = HEADER_BYTES; row < keysAt; row += ROW_BYTES) {
    const { keyLength, bodyLength } = readRow(source, row);
    keysEnd += keyLength;
    bodiesEnd += bodyLength;
  }
  return keysEnd === bodiesAt && bodiesEnd === source.length;
}

/** A stored value with its number. */
export interface Segment {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The name of a record, without its content. */
export interface RecordName {
  readonly key: Key;
  readonly revision: Revision;
}

/** A small store of values by number. Calls come one at a time, each after the one before has settled. */
export interface SegmentStore {
  readonly name: string;
  readonly durability: Backend['durability'];
  /**
   * Takes the data for this process, and returns the ids of the segments, ascending. They include newer segments that
   * are known to have existed. Rejects if the data is in use.
   */
  open(): Promise<readonly number[]>;
  /** Returns 32 random bytes that belong to the open data; absent if the store keeps none. */
  secret?(): Promise<Uint8Array>;
  /** Does the same as in `Backend`. */
  replaceSecret?(secret: Uint8Array): Promise<void>;
  /** Returns a segment's bytes, valid until the next call of any kind; undefined if it does not exist. */
  read(id: number): Promise<Uint8Array | undefined>;
  /** Returns the records of a segment that `read` was just asked for and could not return; none if unknown. */
  recall?(id: number): readonly RecordName[];
  /**
   * Writes and removes durably, all of it or nothing. A store that cannot do that stores first, each segment as a whole
   * or not at all, then removes in the given order, and rejects only if something was not stored and nothing was
   * removed. It repeats a failed removal before any later one. The bytes may be reused once the promise settles.
   * `spare` is as for `Backend.commit`.
   */
  write(put: readonly Segment[], remove: readonly number[], spare?: boolean): Promise<void>;
  /** Returns why nothing can be written any more, in words for operators; empty while all is well. */
  health?(): string;
  /** Closes the store, so that other processes may open the data. */
  close(): Promise<void>;
}
