/** Reads snapshots, and finds all damage in them. */
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Damage, Key, Revision } from '../../contract/index.js';
import { type Encryption, withoutKey } from '../encryption/encryption.js';
import { failed, isEncrypted } from '../encryption/transformers.js';
import { lockedDamage } from '../failures.js';
import { compareKeys } from '../keys.js';
import { objectProblem } from './object-problem.js';
import {
  BODY_CRC_BYTES,
  decodeHead,
  HEAD_BYTES,
  isSoundHead,
  MAGIC,
  type RecordKind,
  type SnapshotEnd,
  type SnapshotHeader,
  toEnd,
  toHeader,
} from './snapshot-format.js';

const CURE = 'use another snapshot, or take this one again while the store exists';

export interface SnapshotObject {
  readonly key: Key;
  readonly revision: Revision;
  /** The JSON that clients got. Still encrypted if `encrypted` is set. */
  readonly bytes: Uint8Array;
  readonly encrypted?: true;
}

export interface OpenSnapshotOptions {
  /** Decrypts the objects. */
  readonly encryption?: Encryption | undefined;
  /** Passes on objects that cannot be decrypted, instead of reporting them as damage. */
  readonly passEncrypted?: boolean;
}

/** An open snapshot. */
export interface SnapshotSource {
  readonly header: SnapshotHeader;
  /** The whole objects. Can be read once. */
  readonly objects: AsyncIterable<SnapshotObject>;
  /** The damage in the snapshot. Complete once `objects` is read to its end. */
  readonly damage: readonly Damage[];
  /** Returns the number of bytes read so far. */
  position(): number;
  /** The size of the file, in bytes. */
  readonly size: number;
  close(): Promise<void>;
}

/** Thrown if a file is not a snapshot, or if its beginning is damaged, so none of it can be read. */
export class NoSnapshotError extends Error {
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}; ${CURE}`);
    this.name = 'NoSnapshotError';
  }
}

/** Thrown if a snapshot is damaged. */
export class DamagedSnapshotError extends Error {
  constructor(
    path: string,
    readonly damage: readonly Damage[],
  ) {
    const findings = damage.map(({ key, problem }) => `${key || '(no key)'}: ${problem}`);
    super(`${path}: the snapshot is damaged:\n${findings.join('\n')}\n${CURE}`);
    this.name = 'DamagedSnapshotError';
  }
}

/** Opens a snapshot. Rejects with a `NoSnapshotError`, or with the system's error. */
export async function openSnapshot(path: string, options: OpenSnapshotOptions = {}): Promise<SnapshotSource> {
  const file = await promises.open(path, 'r');
  try {
    const reader = new RecordReader(file);
    const magic = await reader.take(MAGIC.length);
    if (!magic?.equals(MAGIC)) throw new NoSnapshotError(path, 'this is not a snapshot that this version can read');
    const first = await reader.record();
    const header = typeof first === 'string' ? undefined : toHeader(first);
    if (!header) throw new NoSnapshotError(path, 'the beginning of the snapshot is damaged or cut off');
    const damage: Damage[] = [];
    const { size } = await file.stat();
    const objects = readObjects(reader, damage, options);
    return { header, objects, damage, position: () => reader.position, size, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* readObjects(
  reader: RecordReader,
  damage: Damage[],
  options: OpenSnapshotOptions,
): AsyncGenerator<SnapshotObject> {
  let [objects, bytes, last] = [0, 0, ''];
  for (;;) {
    const at = reader.position;
    const found = await reader.record();
    if (typeof found === 'string') {
      damage.push({ key: '', problem: `${found} at byte ${at}; nothing after that can be read`, cure: CURE });
      return;
    }
    const end = toEnd(found);
    if (end) {
      const problem = await endProblem(reader, end, { objects, bytes });
      // Reported damage also makes the totals wrong.
      if (problem !== undefined && damage.length === 0) damage.push({ key: '', problem, cure: CURE });
      return;
    }
    const object = await readObject(found, last, options);
    if ('problem' in object) damage.push(object);
    objects++;
    bytes += found.bodyLength;
    last = found.key;
    if ('bytes' in object) yield object;
  }
}

async function readObject(
  { kind, key, revision, body }: FoundRecord,
  last: Key,
  { encryption, passEncrypted }: OpenSnapshotOptions,
): Promise<SnapshotObject | Damage> {
  const damaged = (problem: string): Damage => ({ key, revision, problem, cure: CURE });
  if (!body) return damaged('its record fails its checksum');
  if (kind !== 'object') return damaged('a record that does not belong there');
  if (compareKeys(last, key) >= 0) return damaged('its record is out of order or repeated');
  if (!isEncrypted(body)) {
    const problem = objectProblem(key, revision, body);
    return problem === undefined ? { key, revision, bytes: body } : damaged(problem);
  }
  if (passEncrypted && !encryption) return { key, revision, bytes: body, encrypted: true };
  const decrypted = encryption ? await encryption.decrypt(key, body) : failed(withoutKey(body));
  if (!decrypted.ok) return lockedDamage(key, revision, decrypted.problem);
  const problem = objectProblem(key, revision, decrypted.bytes);
  return problem === undefined ? { key, revision, bytes: decrypted.bytes } : damaged(problem);
}

async function endProblem(
  reader: RecordReader,
  end: SnapshotEnd,
  found: Pick<SnapshotEnd, 'objects' | 'bytes'>,
): Promise<string | undefined> {
  if (end.objects !== found.objects) return `the snapshot has ${found.objects} of ${end.objects} objects`;
  if (end.bytes !== found.bytes) return `the snapshot has ${found.bytes} of ${end.bytes} bytes of objects`;
  if (end.sha256 !== reader.digestBefore()) return 'the snapshot as a whole fails its checksum';
  return (await reader.take(1)) ? 'there are bytes after the end of the snapshot' : undefined;
}

/** The bytes of one read. */
const CHUNK_BYTES = 64 * 1024;

/** A record before it is checked further. */
interface FoundRecord {
  readonly kind: RecordKind | undefined;
  readonly key: Key;
  readonly revision: Revision;
  readonly bodyLength: number;
  /** Absent if its checksum is wrong. */
  readonly body?: Buffer;
}

/** The reason why the end of a record is unknown, so nothing after it can be read. */
type ReadProblem = 'the snapshot is cut off' | 'a record is unreadable';

class RecordReader {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #chunk: Buffer = Buffer.alloc(0);
  #position = 0;
  /** The bytes since the last record began. They are not in the checksum of the records before. */
  #recent: Buffer[] = [];

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The position of the next byte to read. */
  get position(): number {
    return this.#position;
  }

  /** Returns the SHA-256 of all bytes before the last record, in hexadecimal digits. Call it only once. */
  digestBefore(): string {
    return this.#hash.digest('hex');
  }

  /** Takes the next bytes. Returns undefined if the file ends before. */
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
