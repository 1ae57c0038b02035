/** The stored form of a snapshot: one file with a header, checksummed records, and an end mark. */
import { crc32 } from 'node:zlib';
import type { Key, Revision } from '../../contract/index.js';
import { MAX_KEY_BYTES } from '../keys.js';

/*
 * 'KFSNAP1\n', then records. All numbers are little-endian. A record has:
 *   0  u32  kind
 *   4  u32  bytes of the key
 *   8  u32  bytes of the body
 *  12  f64  revision
 *  20  u32  CRC-32 of the 20 bytes before and the key
 *  24       the key in UTF-8, the body, u32 CRC-32 of the body
 * Head and key have their own checksum, so a damaged body is reported with its key, and skipped.
 * The first record is the header. It has the snapshot's revision, and its body is JSON. Then comes one record for each
 * object, in key order. Its body is the object as clients got it, or encrypted, as in a store. The last record is the
 * end mark, with the number of objects, their bytes, and the SHA-256 of all bytes before it. Nothing follows.
 */
export const MAGIC = Buffer.from('KFSNAP1\n');
export const HEAD_BYTES = 24;
export const BODY_CRC_BYTES = 4;
const HEAD_CRC = 20;

const kinds = { header: 0x48, object: 0x4f, end: 0x45 } as const;
export type RecordKind = keyof typeof kinds;

/** All objects are much smaller. A program other than this one wrote a larger body. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** No store gets this far: with a million changes a second, it would take 140 years. */
const LAST_REVISION = 2 ** 52;

export interface SnapshotRecord {
  readonly kind: RecordKind;
  readonly key: Key;
  readonly revision: Revision;
  readonly body: Uint8Array;
}

export interface SnapshotHeader {
  /** The revision of the store's state in the snapshot. */
  readonly revision: Revision;
  /** The time of the snapshot, as in RFC 3339. */
  readonly time: string;
}

/** The end mark of a snapshot. */
export interface SnapshotEnd {
  readonly objects: number;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** The parts of a record's head that reading needs. */
export interface RecordHead {
  /** Undefined if this version does not know the kind. */
  readonly kind: RecordKind | undefined;
  readonly keyLength: number;
  readonly bodyLength: number;
  readonly revision: Revision;
}

export function encodeRecord({ kind, key, revision, body }: SnapshotRecord): Buffer {
  const keyLength = Buffer.byteLength(key);
  const bodyAt = HEAD_BYTES + keyLength;
  const target = Buffer.allocUnsafe(bodyAt + body.length + BODY_CRC_BYTES);
  target.writeUInt32LE(kinds[kind], 0);
  target.writeUInt32LE(keyLength, 4);
  target.writeUInt32LE(body.length, 8);
  target.writeDoubleLE(revision, 12);
  target.write(key, HEAD_BYTES);
  target.set(body, bodyAt);
  target.writeUInt32LE(headChecksum(target, target.subarray(HEAD_BYTES, bodyAt)), HEAD_CRC);
  target.writeUInt32LE(crc32(body), bodyAt + body.length);
  return target;
}

/**
 * Reads a head. Returns undefined if its lengths cannot be right. Does not check the checksum, because that includes
 * the key.
 */
export function decodeHead(head: Buffer): RecordHead | undefined {
  const code = head.readUInt32LE(0);
  const [keyLength, bodyLength, revision] = [head.readUInt32LE(4), head.readUInt32LE(8), head.readDoubleLE(12)];
  if (keyLength > MAX_KEY_BYTES || bodyLength > MAX_BODY_BYTES || !Number.isSafeInteger(revision)) return undefined;
  return { kind: kindOf(code), keyLength, bodyLength, revision };
}

export function isSoundHead(head: Buffer, key: Buffer): boolean {
  return headChecksum(head, key) === head.readUInt32LE(HEAD_CRC);
}

export function encodeHeader({ revision, time }: SnapshotHeader): Buffer {
  return encodeRecord({ kind: 'header', key: '', revision, body: Buffer.from(JSON.stringify({ time })) });
}

export function encodeEnd(end: SnapshotEnd): Buffer {
  return encodeRecord({ kind: 'end', key: '', revision: 0, body: Buffer.from(JSON.stringify(end)) });
}

/** A record before it is checked: its kind may be unknown, and its body may be damaged. */
type ReadRecord = Pick<SnapshotRecord, 'revision'> & {
  readonly kind: RecordKind | undefined;
  readonly body?: Uint8Array;
};

/**
 * Reads a header. Returns undefined if the record is not a header, is damaged, or has a revision without space for
 * later ones.
 */
export function toHeader({ kind, revision, body }: ReadRecord): SnapshotHeader | undefined {
  if (revision < 0 || revision > LAST_REVISION) return undefined;
  const time = kind === 'header' && body ? fieldsOf(body).time : undefined;
  return typeof time === 'string' ? { revision, time } : undefined;
}

/** Reads an end mark. Returns undefined if the record is not an end mark, or is damaged. */
export function toEnd({ kind, body }: ReadRecord): SnapshotEnd | undefined {
  if (kind !== 'end' || !body) return undefined;
  const { objects, bytes, sha256 } = fieldsOf(body);
  if (typeof objects !== 'number' || typeof bytes !== 'number' || typeof sha256 !== 'string') return undefined;
  return { objects, bytes, sha256 };
}

function kindOf(code: number): RecordKind | undefined {
  if (code === kinds.header) return 'header';
  if (code === kinds.object) return 'object';
  return code === kinds.end ? 'end' : undefined;
}

function headChecksum(head: Buffer, key: Buffer): number {
  return crc32(key, crc32(head.subarray(0, HEAD_CRC)));
}

function fieldsOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * Called after each object, `key`, with the done part and the total. They are numbers of objects, or of bytes if the
 * stage says so.
 */
export type TransferProgress = (stage: string, done: number, total: number, key: Key) => void;

export const noProgress: TransferProgress = () => {};
