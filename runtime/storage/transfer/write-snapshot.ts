/** Writes snapshots, under another name until they are on the disk. */
import { existsSync, promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Encryption } from '../encryption/encryption.js';
import { DamagedSnapshotError } from './read-snapshot.js';
import { snapshotBytes } from './snapshot-bytes.js';
import { noProgress, type SnapshotEnd, type TransferProgress } from './snapshot-format.js';
import { type State, type Verified, verifySnapshot } from './verify.js';

/**
 * Writes the state to a new file that only its owner may read. Encrypts it if there is an encryption. The file gets its
 * name once it is complete and on the disk. Rejects if the file exists, and with errors of the system; no file is left
 * then. Needs less than a MiB of memory, whatever the size.
 */
export const writeSnapshot = (
  path: string,
  state: State,
  progress: TransferProgress = noProgress,
  encryption?: Encryption,
): Promise<SnapshotEnd> =>
  writeNewFile(
    path,
    async (file) => {
      const pieces = snapshotBytes(state, progress, encryption);
      for (;;) {
        const next = pieces.next();
        if (next.done) return next.value;
        await file.writeFile(next.value);
      }
    },
    (_partial, end) => end,
  );

/**
 * Writes a snapshot from another program to a new file, as `writeSnapshot` does. Checks all of it, except encrypted
 * objects, before the file gets its name. Rejects with a `DamagedSnapshotError` or a `NoSnapshotError` if anything is
 * wrong or missing.
 */
export const receiveSnapshot = (
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  progress: TransferProgress = noProgress,
): Promise<Verified> =>
  writeNewFile(
    path,
    async (file) => {
      for await (const piece of pieces) await file.writeFile(piece);
    },
    async (partial) => {
      const verified = await verifySnapshot(partial, progress);
      if (verified.damage.length > 0) throw new DamagedSnapshotError(path, verified.damage);
      return verified;
    },
  );

/**
 * Makes a file that only its owner may read. `write` writes it under another name, and `check` may still refuse it.
 * Rejects if the file exists, and with the errors of `write`, `check` and the system; no file is left then.
 */
async function writeNewFile<Written, Checked>(
  path: string,
  write: (file: FileHandle) => Promise<Written>,
  check: (partial: string, written: Written) => Checked | Promise<Checked>,
): Promise<Checked> {
  if (existsSync(path)) throw new Error(`${path} already exists; choose a new file, or move that one away`);
  const partial = `${path}.${process.pid}.partial`;
  const file = await promises.open(partial, 'wx', 0o600);
  try {
    const written = await write(file);
    await file.sync();
    await file.close();
    const checked = await check(partial, written);
    await promises.rename(partial, path);
    await syncFolder(dirname(path));
    return checked;
  } catch (error) {
    await file.close().catch(() => {});
    await promises.rm(partial, { force: true });
    throw error;
  }
}

/** Flushes the folder: a file's name is only durable after its folder is flushed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await promises.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
