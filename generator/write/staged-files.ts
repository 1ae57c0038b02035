/** Makes all changes to a folder together, or none. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { get, isObject, type Raw } from '../../runtime/schema/read.js';
import { type Change, makeChanges, takeBack } from './folder-changes.js';

/** Changes of a folder. Nothing is on disk before `commit`. */
export interface StagedFiles {
  readonly write: (path: string, content: Uint8Array) => void;
  /** Removes a file, and the folders that it leaves empty. */
  readonly remove: (path: string) => void;
  /**
   * Makes all changes, while no other process makes any. Readers see the old content of a file or the new, never a
   * part. Returns `false`, and does nothing, if `isCurrent` reports that the folder has changed in the meantime. Throws
   * the errors of the file system; every file is then as it was.
   */
  readonly commit: (isCurrent: () => boolean) => boolean;
}

/** Begins changes to a folder. The folder is created once there is a file for it. */
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
      // The topmost folder that was created.
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

/** Removes a folder and its parents, while they are empty. */
function removeEmpty(folder: string, topmost: string): void {
  for (let path = folder; ; path = dirname(path)) {
    if (readdirSync(path).length > 0) return;
    rmdirSync(path);
    if (join(path) === join(topmost)) return;
  }
}

/** The right to change a folder, which one process has at a time. */
interface FolderClaim {
  /** A folder within the claimed one, for the changes. */
  readonly room: string;
  /** Releases the claim, and removes its room. */
  readonly release: () => void;
}

/** Name of the room. The process that creates it has the claim. */
const ROOM = '.writing';
const OWNER = 'owner.json';

/** Maximum milliseconds to wait for changes of other processes. They take a moment. */
const PATIENCE = 30_000;
const PAUSE = 20;

/**
 * Claims a folder. Creates it again if another process has removed it in the meantime. First undoes changes that a
 * killed process has left half done. Throws the errors of the file system, and an error if another process does not
 * finish.
 */
export function claimFolder(folder: string, patience = PATIENCE): FolderClaim {
  const room = join(folder, ROOM);
  for (let waited = 0; !isClaimed(folder, room); waited += PAUSE) {
    if (waited >= patience) {
      throw new Error(`another process has been writing into it for too long; if no such process runs, remove ${room}`);
    }
    pause(PAUSE);
  }
  return { room, release: () => rmSync(room, { recursive: true, force: true }) };
}

function isClaimed(folder: string, room: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    mkdirSync(room);
    writeOwner(room);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // A failed run may remove the folder between one step and the next.
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'EEXIST') throw error;
  }
  return isLeft(room) && isTakenOver(folder, room);
}

const self = (): { readonly process: number; readonly host: string } => ({ process: process.pid, host: hostname() });

/** Records the owner of the room. If this fails, removes the room: without an owner it would stay forever. */
function writeOwner(room: string): void {
  try {
    writeFileSync(join(room, OWNER), JSON.stringify(self()));
  } catch (error) {
    rmSync(room, { recursive: true, force: true });
    throw error;
  }
}

/** Returns whether the process of the room is gone. This is unknown for a process on another machine. */
function isLeft(room: string): boolean {
  const owner = ownerOf(room);
  return owner !== undefined && (owner === process.pid || !isAlive(owner));
}

/** Returns the process of a room; `undefined` if the room was just created, or if the process is on another machine. */
function ownerOf(room: string): number | undefined {
  let owner: Raw;
  try {
    owner = JSON.parse(readFileSync(join(room, OWNER), 'utf8'));
  } catch {
    return undefined;
  }
  const id = isObject(owner) && get(owner, 'host') === hostname() ? get(owner, 'process') : undefined;
  return typeof id === 'number' ? id : undefined;
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Takes over a room. If several processes find its owner gone, only one of them succeeds. */
function isTakenOver(folder: string, room: string): boolean {
  try {
    mkdirSync(join(room, `after-${ownerOf(room)}`));
  } catch {
    return false;
  }
  writeFileSync(join(room, OWNER), JSON.stringify(self()));
  takeBack(folder, room);
  rmSync(room, { recursive: true, force: true });
  return false;
}

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isHeld = false;

/**
 * Runs a step to its end. A signal during the step ends the process after it, unless the program has its own handler.
 * Workers get no signals, so there the step just runs.
 */
export function holdingSignals<T>(step: () => T): T {
  if (!isHeld) {
    isHeld = true;
    for (const signal of ENDING) process.on(signal, end);
    // Node reports a signal between this turn of the event loop and the next but one.
    setImmediate(() => setImmediate(letGo));
  }
  return step();
}

function end(signal: NodeJS.Signals): void {
  letGo();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function letGo(): void {
  isHeld = false;
  for (const signal of ENDING) process.off(signal, end);
}
