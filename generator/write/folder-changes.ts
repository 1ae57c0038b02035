/** Changes files in a folder so that all changes can be undone, even after the process was killed. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { get, isObject, type Raw } from '../../runtime/schema/read.js';
import { isSafePath } from './manifest.js';

/** A file to write, or to remove if it has no content. */
export interface Change {
  /** Relative to the folder, with `/` between its steps. */
  readonly path: string;
  readonly content?: Uint8Array;
}

/** The files and folders that changes touch. The plan is written before the first change. */
interface Plan {
  /** Existing files, to keep copies of. */
  readonly kept: readonly string[];
  /** Files that do not exist. */
  readonly added: readonly string[];
  /** Folders that do not exist, each after its parent. */
  readonly folders: readonly string[];
}

const PLAN = 'plan.json';

/**
 * Makes all changes or none. Throws the errors of the file system.
 * @param room - a subfolder for these changes alone. It is on the same disk, so files can be moved.
 */
export function makeChanges(folder: string, room: string, changes: readonly Change[]): void {
  for (const { path, content } of changes) if (content !== undefined) writeAt(join(room, 'new', path), content);
  const plan = planOf(folder, changes);
  for (const path of plan.kept) keep(join(folder, path), join(room, 'old', path));
  writeFileSync(join(room, PLAN), JSON.stringify(plan));
  try {
    for (const { path, content } of changes) {
      if (content === undefined) removeFile(folder, path);
      else place(join(room, 'new', path), join(folder, path));
    }
  } catch (error) {
    takeBack(folder, room);
    throw error;
  }
}

/** Undoes the changes of the plan in a room; nothing if they had not started. */
export function takeBack(folder: string, room: string): void {
  const { kept, added, folders } = readPlan(room);
  for (const path of added) rmSync(join(folder, path), { force: true });
  for (const path of [...folders].reverse()) removeIfEmpty(join(folder, path));
  for (const path of kept) {
    const old = join(room, 'old', path);
    if (existsSync(old)) place(old, join(folder, path));
  }
}

function planOf(folder: string, changes: readonly Change[]): Plan {
  const [kept, added]: [string[], string[]] = [[], []];
  const folders = new Set<string>();
  for (const { path } of changes) {
    if (isThere(join(folder, path))) kept.push(path);
    else added.push(path);
    for (const above of foldersOf(path)) if (!isThere(join(folder, above))) folders.add(above);
  }
  return { kept, added, folders: [...folders] };
}

/** Lists the folders of a path, the topmost first. */
function foldersOf(path: string): readonly string[] {
  const steps = path.split('/').slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

/** Reads the plan in a room. A missing or partial plan has not been started. */
function readPlan(room: string): Plan {
  let parsed: Raw;
  try {
    parsed = JSON.parse(readFileSync(join(room, PLAN), 'utf8'));
  } catch {
    return { kept: [], added: [], folders: [] };
  }
  const paths = (key: string): readonly string[] => {
    const listed = isObject(parsed) ? get(parsed, key) : undefined;
    return Array.isArray(listed) ? listed.filter((path) => typeof path === 'string').filter(isSafePath) : [];
  };
  return { kept: paths('kept'), added: paths('added'), folders: paths('folders') };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function writeAt(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Keeps a file under a second name, which costs no time. Copies it if the file system cannot do this. */
function keep(path: string, kept: string): void {
  mkdirSync(dirname(kept), { recursive: true });
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
  }
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Removes a file and the folders that it leaves empty. */
function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  for (const above of [...foldersOf(path)].reverse()) if (!removeIfEmpty(join(folder, above))) return;
}

function removeIfEmpty(folder: string): boolean {
  if (!isThere(folder) || readdirSync(folder).length > 0) return false;
  rmdirSync(folder);
  return true;
}
