/** Files that are prepared apart from a folder and then brought into it all together, or not at all. */
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Changes of a folder that nobody sees before `commit`. */
export interface StagedFiles {
  readonly write: (path: string, content: Uint8Array) => void;
  /** With the file go the folders that it leaves empty. */
  readonly remove: (path: string) => void;
  /**
   * Makes all changes. Readers see the old content of a file or the new, never a part. Throws what the file system
   * says; every file is then as it was.
   */
  readonly commit: () => void;
  /** Drops what has not been committed. */
  readonly discard: () => void;
}

/** Name of the folder within the folder in which files are prepared, so that both are on one disk. */
const PREPARED = '.writing';

/** Begins changes of a folder, which is made once there is a file for it. */
export function stageFiles(folder: string): StagedFiles {
  const prepared = join(folder, PREPARED);
  const written = new Set<string>();
  const removed: string[] = [];
  /** The topmost folder that had to be made. */
  let made: string | undefined;

  const begin = (): void => {
    if (written.size > 0) return;
    // The files of a run that was killed are of no use.
    rmSync(prepared, { recursive: true, force: true });
    made = mkdirSync(prepared, { recursive: true });
  };

  const end = (): void => {
    rmSync(prepared, { recursive: true, force: true });
    written.clear();
    removed.length = 0;
  };

  /** Steps back, the last one first. */
  const undo: (() => void)[] = [];

  /** Keeps a file as it is, to be put back. */
  const keep = (path: string): void => {
    const target = join(folder, path);
    const kept = join(prepared, 'old', path);
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) {
      undo.push(() => rmSync(target, { force: true }));
      return;
    }
    mkdirSync(dirname(kept), { recursive: true });
    linkOrCopy(target, kept);
    undo.push(() => {
      mkdirSync(dirname(target), { recursive: true });
      renameSync(kept, target);
    });
  };

  const place = (path: string): void => {
    const target = join(folder, path);
    const parent = mkdirSync(dirname(target), { recursive: true });
    if (parent !== undefined) undo.push(() => rmSync(parent, { recursive: true, force: true }));
    keep(path);
    renameSync(join(prepared, 'new', path), target);
  };

  const take = (path: string): void => {
    mkdirSync(prepared, { recursive: true });
    keep(path);
    removeFile(folder, path);
  };

  return {
    write: (path, content) => {
      begin();
      const file = join(prepared, 'new', path);
      mkdirSync(dirname(file), { recursive: true });
      written.add(path);
      writeFileSync(file, content);
    },
    remove: (path) => {
      removed.push(path);
    },
    commit: () => {
      try {
        for (const path of written) place(path);
        for (const path of removed) take(path);
      } catch (error) {
        for (const step of undo.splice(0).reverse()) step();
        if (made !== undefined) rmSync(made, { recursive: true, force: true });
        throw error;
      } finally {
        undo.length = 0;
        end();
      }
    },
    discard: () => {
      if (written.size > 0 && made !== undefined) rmSync(made, { recursive: true, force: true });
      end();
    },
  };
}

/** A second name costs nothing; not every file system has them. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Removes a file and the folders that it leaves empty. */
function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const absolute = join(folder, parent);
    if (readdirSync(absolute).length > 0) return;
    rmdirSync(absolute);
  }
}
