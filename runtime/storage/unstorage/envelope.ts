/**
 * The envelope of a stored segment. It has the names of the segment and of the previous one, to detect missing or
 * misplaced segments.
 */
import { crc32 } from 'node:zlib';
import type { RecordName } from '../backends/segment.js';
import { parseJson } from './items.js';

/*
 * All numbers are little-endian.
 *   0  u32  'KFU1'
 *   4  u32  CRC-32 of all bytes from here to the segment
 *   8  u32  bytes of the JSON
 *  12       JSON: [name, name of the previous segment or '', [key, revision of each record of the previous segment]]
 *           then the segment
 */
const MAGIC = 0x3155464b;
const HEADER_BYTES = 12;

export interface Envelope {
  /** The segment's own name. */
  readonly name: string;
  /** The name of the previous segment; empty for the first segment. */
  readonly after: string;
  /** The records of the previous segment, to report the loss if it is missing. */
  readonly before: readonly RecordName[];
}

export function seal({ name, after, before }: Envelope, segment: Uint8Array): Buffer {
  const text = JSON.stringify([name, after, before.map(({ key, revision }) => [key, revision])]);
  const length = Buffer.byteLength(text);
  const sealed = Buffer.allocUnsafe(HEADER_BYTES + length + segment.length);
  sealed.writeUInt32LE(MAGIC, 0);
  sealed.writeUInt32LE(length, 8);
  sealed.write(text, HEADER_BYTES);
  sealed.writeUInt32LE(crc32(sealed.subarray(8, HEADER_BYTES + length)), 4);
  sealed.set(segment, HEADER_BYTES + length);
  return sealed;
}

/**
 * Reads an envelope. Returns undefined if the bytes are not an envelope, or a damaged one. The segment in a valid
 * envelope may still be damaged.
 */
export function unseal(bytes: Uint8Array): { readonly envelope: Envelope; readonly segment: Uint8Array } | undefined {
  const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (sealed.length < HEADER_BYTES || sealed.readUInt32LE(0) !== MAGIC) return undefined;
  const end = HEADER_BYTES + sealed.readUInt32LE(8);
  if (end > sealed.length || crc32(sealed.subarray(8, end)) !== sealed.readUInt32LE(4)) return undefined;
  const envelope = toEnvelope(parseJson(sealed.toString('utf8', HEADER_BYTES, end)));
  return envelope && { envelope, segment: sealed.subarray(end) };
}

function toEnvelope(value: unknown): Envelope | undefined {
  if (!Array.isArray(value)) return undefined;
  const [name, after, before]: unknown[] = value;
  if (typeof name !== 'string' || typeof after !== 'string' || !Array.isArray(before)) return undefined;
  return { name, after, before: before.flatMap(toRecordName) };
}

function toRecordName(value: unknown): RecordName[] {
  if (!Array.isArray(value)) return [];
  const [key, revision]: unknown[] = value;
  return typeof key === 'string' && typeof revision === 'number' ? [{ key, revision }] : [];
}
