/** Writes snapshots: under another name until all is on the disk. */
import { createHash } from 'node:crypto';
import { existsSync, promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { noProgress, type TransferProgress } from './progress.js';
import { encodeEnd, encodeHeader, encodeRecord, MAGIC, type SnapshotEnd } from './snapshot-format.js';
import type { State } from './verify.js';

/** Bytes that are gathered before they are written. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Writes the state to a new file, which only its owner may read. The file appears under its name when it is complete
 * and on the disk. Rejects where there is a file of that name, and with what the system says; nothing is left then.
 * Memory: a few MiB, whatever the size.
 */
export async function writeSnapshot(
  path: string,
  { revision, entries }: State,
  progress: TransferProgress = noProgress,
): Promise<SnapshotEnd> {
  if (existsSync(path)) throw new Error(`${path} is there already; name a new file, or move that one away`);
  const partial = `${path}.${process.pid}.partial`;
  const file = await promises.open(partial, 'wx', 0o600);
  try {
    const writer = new Writer(file);
    await writer.write(MAGIC);
    await writer.write(encodeHeader({ revision, time: new Date().toISOString() }));
    let bytes = 0;
    for (const [index, entry] of entries.entries()) {
      const { key } = entry;
      await writer.write(encodeRecord({ kind: 'object', key, revision: entry.revision, body: entry.bytes }));
      bytes += entry.bytes.length;
      progress('writing', index + 1, entries.length, key);
    }
    const end = { objects: entries.length, bytes, sha256: writer.digest() };
    await writer.write(encodeEnd(end));
    await writer.flush();
    await file.sync();
    await file.close();
    await promises.rename(partial, path);
    await syncFolder(dirname(path));
    return end;
  } catch (error) {
    await file.close().catch(() => {});
    await promises.rm(partial, { force: true });
    throw error;
  }
}

class Writer {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= CHUNK_BYTES) await this.flush();
  }

  /** Of all that was written so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    await this.#file.writeFile(Buffer.concat(chunks));
  }
}

/** The name is durable when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await promises.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
