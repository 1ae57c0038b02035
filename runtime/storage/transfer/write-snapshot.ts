/** Writes snapshots: under another name until all is on the disk. */
import { writeNewFile } from './new-file.js';
import { noProgress, type TransferProgress } from './progress.js';
import { DamagedSnapshotError } from './read-snapshot.js';
import { snapshotBytes } from './snapshot-bytes.js';
import type { SnapshotEnd } from './snapshot-format.js';
import { type State, type Verified, verifySnapshot } from './verify.js';

/**
 * Writes the state to a new file, which only its owner may read. The file appears under its name when it is complete
 * and on the disk. Rejects where there is a file of that name, and with what the system says; nothing is left then.
 * Memory: less than a MiB, whatever the size.
 */
export const writeSnapshot = (
  path: string,
  state: State,
  progress: TransferProgress = noProgress,
): Promise<SnapshotEnd> =>
  writeNewFile(
    path,
    async (file) => {
      const pieces = snapshotBytes(state, progress);
      for (;;) {
        const next = pieces.next();
        if (next.done) return next.value;
        await file.writeFile(next.value);
      }
    },
    (_partial, end) => end,
  );

/**
 * Writes a snapshot that somebody else sends to a new file, as `writeSnapshot` does it. All of it is checked before the
 * file has its name; rejects with a `DamagedSnapshotError` or a `NoSnapshotError` where anything is wrong or missing.
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
