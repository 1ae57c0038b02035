/** A log file that is moved aside when it becomes too large. */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface Rotation extends Keeping {
  /** The size above which the file is moved aside, bytes. */
  readonly maxBytes: number;
}

/** A log file that only its owner can read. */
export interface RotatingFile {
  /** Writes whole lines at once. Throws if the system refuses, and then leaves no part of them in the file. */
  append(text: string): void;
  /** Closes the file. Resolves once older files are tidied. */
  close(): Promise<void>;
}

/** Opens a file for appending. Throws if it cannot be opened. */
export function openRotatingFile(
  path: string,
  { maxBytes, ...keeping }: Rotation,
  onProblem: (error: unknown) => void,
): RotatingFile {
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  let tidying = Promise.resolve();
  const tidy = (): void => {
    tidying = tidying.then(() => tidyBackups(path, keeping, new Date())).catch(onProblem);
  };
  const rotate = (): void => {
    const next = moveAside(path);
    closeSync(file);
    file = next;
    size = 0;
    tidy();
  };
  tidy();
  return {
    append(text) {
      const bytes = Buffer.from(text);
      if (size > 0 && size + bytes.length > maxBytes) rotate();
      try {
        writeAll(file, bytes);
      } catch (error) {
        // A full disk can leave half a line, which would spoil the next line too.
        if (fstatSync(file).isFile()) ftruncateSync(file, size);
        throw error;
      }
      size += bytes.length;
    },
    async close() {
      closeSync(file);
      await tidying;
    },
  };
}

/** Moves the file aside and opens a new one. If that fails, nothing has changed and the next line tries again. */
function moveAside(path: string): number {
  const moved = freeName(path);
  // Another process may have moved it already.
  const isThere = existsSync(path);
  if (isThere) renameSync(path, moved);
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if (isThere) renameSync(moved, path);
    throw error;
  }
}

/** Returns an unused name: two moves within one millisecond would get the same one. */
function freeName(path: string): string {
  for (let at = Date.now(); ; at++) {
    const name = join(dirname(path), backupName(path, new Date(at)));
    if (!existsSync(name) && !existsSync(`${name}.gz`)) return name;
  }
}

/** Writes all bytes: the system may take fewer than it is given. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Limits of the older files. */
interface Keeping {
  /** Days after which older files are deleted; 0 keeps files of any age. */
  readonly maxAgeDays: number;
  /** The most older files; 0 keeps all. */
  readonly maxBackups: number;
  readonly compress: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes older files beyond the limits, and compresses the others. `path` is the path of the log itself. */
async function tidyBackups(path: string, { maxAgeDays, maxBackups, compress }: Keeping, now: Date): Promise<void> {
  const folder = dirname(path);
  const backups = (await readdir(folder))
    .flatMap((file) => {
      const time = backupTime(basename(path), file);
      return time ? [{ file: join(folder, file), time: time.getTime() }] : [];
    })
    .sort((a, b) => b.time - a.time);
  const tooOld = maxAgeDays > 0 ? now.getTime() - maxAgeDays * dayMs : Number.NEGATIVE_INFINITY;
  for (const [i, { file, time }] of backups.entries()) {
    if ((maxBackups > 0 && i >= maxBackups) || time < tooOld) await rm(file, { force: true });
    else if (compress && !file.endsWith('.gz')) await compressFile(file);
  }
}

/** Compresses a file. The original is replaced only when the compressed file is complete. */
async function compressFile(file: string): Promise<void> {
  const { createGzip } = await import('node:zlib');
  const unfinished = `${file}.gz.tmp`;
  await pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
  await rename(unfinished, `${file}.gz`);
  await rm(file, { force: true });
}

/** Returns a name such as `audit-2026-01-02T03-04-05.678.log` for `audit.log`. */
function backupName(path: string, at: Date): string {
  const { name, ext } = parse(path);
  return `${name}-${at.toISOString().slice(0, -1).replaceAll(':', '-')}${ext}`;
}

/**
 * Returns the time in a name that `backupName` made for this log, compressed or not; `undefined` for any other name.
 */
export function backupTime(path: string, file: string): Date | undefined {
  const { name, ext } = parse(path);
  const plain = file.endsWith('.gz') ? file.slice(0, -3) : file;
  if (!plain.startsWith(`${name}-`) || !plain.endsWith(ext)) return undefined;
  const text = plain.slice(name.length + 1, plain.length - ext.length);
  const [, date, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const time = new Date(`${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
