/** Changes of a folder that are brought into it all together, or not at all. */
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Change, makeChanges } from './folder-changes.js';
import { claimFolder } from './folder-claim.js';

/** Changes of a folder, of which nothing is on disk before `commit`. */
export interface StagedFiles {
  readonly write: (path: string, content: Uint8Array) => void;
  /** With the file go the folders that it leaves empty. */
  readonly remove: (path: string) => void;
  /**
   * Makes all changes, while no other process makes any. Readers see the old content of a file or the new, never a part.
   * `false`, and nothing is done, where `isCurrent` says that the folder is no longer what the changes were made for.
   * Throws what the file system says; every file is then as it was.
   */
  readonly commit: (isCurrent: () => boolean) => boolean;
}

/** Begins changes of a folder, which is made once there is a file for it. */
export function stageFiles(folder: string): StagedFiles {
  const changes: Change[] = [];
  return {
    write: (path, content) => {
      changes.push({ path, content });
    },
    remove: (path) => {
      changes.push({ path });
    },
    commit: (isCurrent) => {
      if (changes.length === 0) return true;
      // The topmost folder that had to be made.
      const made = mkdirSync(folder, { recursive: true });
      let isDone = false;
      try {
        isDone = commitClaimed(folder, changes, isCurrent);
      } finally {
        if (!isDone && made !== undefined) removeEmpty(folder, made);
      }
      return isDone;
    },
  };
}

function commitClaimed(folder: string, changes: readonly Change[], isCurrent: () => boolean): boolean {
  const claim = claimFolder(folder);
  try {
    if (!isCurrent()) return false;
    makeChanges(folder, claim.room, changes);
    return true;
  } finally {
    claim.release();
  }
}

/** Removes a folder and those above it, as far as they are empty. */
function removeEmpty(folder: string, topmost: string): void {
  for (let path = folder; ; path = dirname(path)) {
    if (readdirSync(path).length > 0) return;
    rmdirSync(path);
    if (join(path) === join(topmost)) return;
  }
}
