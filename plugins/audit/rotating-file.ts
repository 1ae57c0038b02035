/** A file that grows by lines, and is moved aside when it has grown large. */
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

/** How large the file may grow, and what becomes of those before it. */
export interface Rotation extends Keeping {
  /** Bytes. */
  readonly maxBytes: number;
}

/** A log in a file that only its owner can read. */
export interface RotatingFile {
  /** Writes whole lines at once; throws where the system refuses, and leaves nothing of them then. */
  append(text: string): void;
  /** Closes it; resolves once older files are as they should be. */
  close(): Promise<void>;
}

/** Opens a file to go on with it. Throws where that cannot be done. */
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
        // A part of a line, as a full disk leaves, would spoil the next line as well.
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

/** Opens a new file under the path. Where that fails, all is as it was, and the next line tries again. */
function moveAside(path: string): number {
  const moved = freeName(path);
  // Somebody else may have moved it already.
  const isThere = existsSync(path);
  if (isThere) renameSync(path, moved);
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if (isThere) renameSync(moved, path);
    throw error;
  }
}

/** A name that no file has yet; two moves in one millisecond would have the same. */
function freeName(path: string): string {
  for (let at = Date.now(); ; at++) {
    const name = join(dirname(path), backupName(path, new Date(at)));
    if (!existsSync(name) && !existsSync(`${name}.gz`)) return name;
  }
}

/** The system may take less than it is given. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Which of the files that a log has been moved to are kept. */
interface Keeping {
  /** Days; 0 keeps files of any age. */
  readonly maxAgeDays: number;
  /** 0 keeps any number. */
  readonly maxBackups: number;
  /** Whether files that are kept are compressed with gzip. */
  readonly compress: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** `path` is that of the log itself. */
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

/** The compressed file takes the other's place when it is whole. */
async function compressFile(file: string): Promise<void> {
  const { createGzip } = await import('node:zlib');
  const unfinished = `${file}.gz.tmp`;
  await pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
  await rename(unfinished, `${file}.gz`);
  await rm(file, { force: true });
}

/** As in `audit-2026-01-02T03-04-05.678.log` for `audit.log`. */
function backupName(path: string, at: Date): string {
  const { name, ext } = parse(path);
  return `${name}-${at.toISOString().slice(0, -1).replaceAll(':', '-')}${ext}`;
}

/** The time in a name that `backupName` has made for this log, compressed or not; `undefined` for all other names. */
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
