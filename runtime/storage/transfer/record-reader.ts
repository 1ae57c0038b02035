/** Reads the records of a snapshot file from its beginning to its end, a chunk at a time. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Key, Revision } from '../../contract/index.js';
import { BODY_CRC_BYTES, decodeHead, HEAD_BYTES, isSoundHead, type RecordKind } from './snapshot-format.js';

/** Bytes that are read at once. */
const CHUNK_BYTES = 64 * 1024;

/** A record as it is found. */
export interface FoundRecord {
  readonly kind: RecordKind | undefined;
  readonly key: Key;
  readonly revision: Revision;
  readonly bodyLength: number;
  /** Absent where it fails its checksum. */
  readonly body?: Buffer;
}

/** Why it cannot be told where a record ends, so that nothing behind it can be read. */
export type ReadProblem = 'the snapshot is cut off' | 'a record is unreadable';

export class RecordReader {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #chunk: Buffer = Buffer.alloc(0);
  #position = 0;
  /** The bytes since the last record began: they are not part of the checksum of those before. */
  #recent: Buffer[] = [];

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Of the next byte to be taken. */
  get position(): number {
    return this.#position;
  }

  /** The SHA-256 of all that lies before the last record, in hexadecimal digits. To be asked for once. */
  digestBefore(): string {
    return this.#hash.digest('hex');
  }

  /** The next bytes; undefined where the file ends before. */
  async take(length: number): Promise<Buffer | undefined> {
    if (this.#chunk.length < length) await this.#fill(length);
    if (this.#chunk.length < length) return undefined;
    const taken = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    this.#position += length;
    this.#recent.push(taken);
    return taken;
  }

  async record(): Promise<FoundRecord | ReadProblem> {
    for (const bytes of this.#recent.splice(0)) this.#hash.update(bytes);
    const start = await this.take(HEAD_BYTES);
    if (!start) return 'the snapshot is cut off';
    const head = decodeHead(start);
    if (!head) return 'a record is unreadable';
    const { keyLength, bodyLength, ...rest } = head;
    const key = await this.take(keyLength);
    if (!key) return 'the snapshot is cut off';
    if (!isSoundHead(start, key)) return 'a record is unreadable';
    const body = await this.take(bodyLength);
    const checksum = await this.take(BODY_CRC_BYTES);
    if (!body || !checksum) return 'the snapshot is cut off';
    const found = { ...rest, key: key.toString(), bodyLength };
    return crc32(body) === checksum.readUInt32LE() ? { ...found, body } : found;
  }

  async #fill(length: number): Promise<void> {
    const parts = [this.#chunk];
    let have = this.#chunk.length;
    while (have < length) {
      const part = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, length - have));
      const { bytesRead } = await this.#file.read(part, 0, part.length);
      if (bytesRead === 0) break;
      parts.push(part.subarray(0, bytesRead));
      have += bytesRead;
    }
    this.#chunk = parts.length === 1 ? this.#chunk : Buffer.concat(parts);
  }
}
