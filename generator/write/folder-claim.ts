/** The claim that one process has on an output folder while it changes it; others wait. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { get, isObject, type Raw } from '../../runtime/schema/read.js';
import { takeBack } from './folder-changes.js';

/** A claim that is held. */
export interface FolderClaim {
  /** A folder within the claimed one, for what the changes need. */
  readonly room: string;
  /** Gives the claim up, with all that is in its room. */
  readonly release: () => void;
}

/** Name of the room: who makes it has the claim. */
const ROOM = '.writing';
const OWNER = 'owner.json';

/** Changes take a moment; this is how long others wait for their end, in milliseconds. */
const PATIENCE = 30_000;
const PAUSE = 20;

/**
 * Claims a folder, which is made again if another process has removed it meanwhile. What a process has left half done when
 * it was killed is taken back first. Throws what the file system says, and where another process does not come to an end.
 */
export function claimFolder(folder: string, patience = PATIENCE): FolderClaim {
  const room = join(folder, ROOM);
  for (let waited = 0; !isClaimed(folder, room); waited += PAUSE) {
    if (waited >= patience) {
      throw new Error(`another process has been writing into it for long; if there is none, remove ${room}`);
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
    // The folder may go with a run that failed, between one step and the next.
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'EEXIST') throw error;
  }
  return isLeft(room) && isTakenOver(folder, room);
}

const self = (): { readonly process: number; readonly host: string } => ({ process: process.pid, host: hostname() });

/** Writes down who has the room. Without it the room would be nobody's for ever, so it goes where that fails. */
function writeOwner(room: string): void {
  try {
    writeFileSync(join(room, OWNER), JSON.stringify(self()));
  } catch (error) {
    rmSync(room, { recursive: true, force: true });
    throw error;
  }
}

/** Whether the process that has the room is gone. Of one on another machine nobody knows. */
function isLeft(room: string): boolean {
  const owner = ownerOf(room);
  return owner !== undefined && (owner === process.pid || !isAlive(owner));
}

/** The process that has a room; none while it is only just made, or where it is on another machine. */
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

/** Of those who find that a process is gone one goes on in its place. */
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
