/** The stored form of one commit: its records with checksums. Damage is found and reported by key. */
import { crc32 } from 'node:zlib';
import type { Backend, Checkpoint, Key, Revision, StoredRecord } from '../../contract/index.js';

/*
 * All numbers are little-endian.
 *   0  u32  'KFS1'
 *   4  u32  CRC-32 of all bytes from here to the end of the keys
 *   8  u32  number of records
 *  12  u32  bytes of all keys
 *  16  f64  checkpoint: revision
 *  24  f64  checkpoint: oldest revision
 *  32  f64  checkpoint: time
 *  40  u32  checkpoint: digest
 *  44  f64  number of the oldest segment in the log
 *  52       a row per record: f64 revision, f64 revision that it replaces, f64 revision that ended it (0: unknown), u32
 *           bytes of the key (top bit: deleted, next bit: lost), u32 bytes of the body, u32 CRC-32 of this row
 *           so far, of the key and of the body
 *           the keys in UTF-8, then the bodies
 * Keys come before the bodies and have their own checksum. So if a body is damaged, or was cut off with the end of the
 * segment, it is always reported with its key.
 */
const MAGIC = 0x3153464b;
const HEADER_BYTES = 52;
const ROW_BYTES = 36;
/** The offset of a row's checksum, and the bytes of the row that it covers. */
const ROW_CRC = 32;
const DELETED = 0x8000_0000;
const LOST = 0x4000_0000;

/** Buffers up to this size are reused for the next segment. */
const KEPT_BYTES = 1024 * 1024;

export interface SegmentRecord extends StoredRecord {
  /**
   * The revision that ended this version. Set if the record moves after the record of that revision, because that
   * record may be removed first.
   */
  readonly end?: Revision;
  /**
   * Set for a damaged record that is kept until the operator decides. `bytes` are the bytes as they were found. The key
   * is empty if it is damaged too.
   */
  readonly lost?: boolean;
}

/** The part of a segment that describes the whole log. */
export interface LogHeader {
  readonly checkpoint: Checkpoint;
  /** The number of the oldest segment in the log. Earlier segments are remains. */
  readonly first: number;
}

export interface DecodedSegment {
  /** Absent if the segment's header is damaged. */
  readonly header?: LogHeader;
  /** The whole records and the lost ones. Their bytes are views of the segment. */
  readonly records: readonly SegmentRecord[];
}

/** Encodes segments, one at a time. The result is valid until the next call. */
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

/** Reads a segment. Never fails: damaged parts become lost records, at worst the whole segment becomes one. */
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

/** Computes the checksum of a record. The rest of its row must already be written. */
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

/** Returns a lost record with only these fields. */
export function lostRecord(key: Key, revision: Revision, bytes: Uint8Array = new Uint8Array(0)): SegmentRecord {
  return { key, revision, replaces: 0, deleted: false, bytes, lost: true };
}

interface Shape {
  readonly keysAt: number;
  readonly bodiesAt: number;
}

/** Returns the offsets of keys and bodies; undefined if the bytes are not a segment, or not a whole one. */
function shapeOf(source: Buffer): Shape | undefined {
  if (source.length < HEADER_BYTES || source.readUInt32LE(0) !== MAGIC) return undefined;
  const keysAt = HEADER_BYTES + ROW_BYTES * source.readUInt32LE(8);
  const bodiesAt = keysAt + source.readUInt32LE(12);
  return bodiesAt > source.length ? undefined : { keysAt, bodiesAt };
}

/**
 * Checks whether the lengths in the rows add up to the segment's length. They can then be trusted without their
 * checksum.
 */
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

/** A small store of values by number. The caller makes one call at a time, and waits until it settles. */
export interface SegmentStore {
  readonly name: string;
  readonly durability: Backend['durability'];
  /**
   * Opens the data for this process. Returns the numbers of the segments, ascending, including newer segments that are
   * known to have existed. Rejects if the data is in use.
   */
  open(): Promise<readonly number[]>;
  /** Returns 32 random bytes that belong to the open data. Absent if the store does not keep a secret. */
  secret?(): Promise<Uint8Array>;
  /** Does the same as in `Backend`. */
  replaceSecret?(secret: Uint8Array): Promise<void>;
  /** Returns a segment's bytes; undefined if it does not exist. They are valid until the next call of any kind. */
  read(id: number): Promise<Uint8Array | undefined>;
  /** Returns the records of a segment after `read` could not return it; none if they are unknown. */
  recall?(id: number): readonly RecordName[];
  /**
   * Makes these changes durably, as a whole or not at all. A store without transactions writes first, each segment as a
   * whole or not at all, and then removes in the given order. It rejects only if it did not write all segments and
   * removed nothing. It repeats a failed removal before any later one. The caller may reuse the bytes once the promise
   * settles. `spare` is as for `Backend.commit`.
   */
  write(put: readonly Segment[], remove: readonly number[], spare?: boolean): Promise<void>;
  /** Returns the reason why nothing can be written, for operators; empty while all is well. */
  health?(): string;
  /** Closes the store, so that other processes may open the data. */
  close(): Promise<void>;
}
