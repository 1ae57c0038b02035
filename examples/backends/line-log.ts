/** A file of lines with checksums. A crash loses no acknowledged line. */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** A line of the file; `text` is absent if its checksum is wrong. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly text?: string;
}

/** An open file of lines. Calls come one at a time. */
export interface LineLog {
  /** The size of the file, bytes. */
  readonly bytes: number;
  /** Reads every acknowledged line, the oldest first. */
  read(): Promise<readonly Line[]>;
  /** Adds a line durably, or rejects and does not change the file. */
  append(text: string): Promise<void>;
  /** Replaces all lines, durably and atomically. */
  replace(texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file for this process alone, and creates it if it does not exist. Rejects while another process has it. */
export async function openLineLog(path: string): Promise<LineLog> {
  await takeLock(path);
  let file: FileHandle;
  /** The acknowledged bytes. Anything after them is the rest of a failed write. */
  let length: number;
  try {
    file = await open(path, constants.O_RDWR | constants.O_CREAT);
    length = (await readFile(path)).lastIndexOf(0x0a) + 1;
    await syncFolder(path);
  } catch (error) {
    await rm(lockOf(path), { force: true });
    throw error;
  }
  return {
    get bytes() {
      return length;
    },
    async read() {
      const lines = (await readFile(path)).subarray(0, length).toString().split('\n').slice(0, -1);
      return lines.map((line, index) => decodeLine(line, index + 1));
    },
    async append(text) {
      const bytes = encodeLine(text);
      // A failed write may have left bytes after the last line.
      await file.truncate(length);
      await file.write(bytes, 0, bytes.length, length);
      await file.datasync();
      length += bytes.length;
    },
    async replace(texts) {
      const next = await open(`${path}.next`, 'w+');
      try {
        for (const text of texts) await next.write(encodeLine(text));
        await next.sync();
        await rename(`${path}.next`, path);
        await syncFolder(path);
      } catch (error) {
        await next.close();
        throw error;
      }
      await file.close();
      file = next;
      length = (await next.stat()).size;
    },
    async close() {
      await file.close();
      await rm(lockOf(path), { force: true });
    },
  };
}

/** Returns a line: eight hexadecimal digits of CRC-32, a blank, and the text. The text has no line break. */
function encodeLine(text: string): Buffer {
  return Buffer.from(`${crc32(text).toString(16).padStart(8, '0')} ${text}\n`);
}

function decodeLine(line: string, number: number): Line {
  const text = line.slice(9);
  return Number.parseInt(line.slice(0, 8), 16) === crc32(text) ? { number, text } : { number };
}

/** Writes a folder to the disk. A new or renamed file is durable only after that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

const lockOf = (path: string): string => `${path}.lock`;

/**
 * Locks the file with a second file that names this process. Takes over the lock of a process that has ended. Two
 * processes that find the same dead owner at the same time could both take it: the lmdb backend shows how to prevent
 * that.
 */
async function takeLock(path: string): Promise<void> {
  for (;;) {
    try {
      const lock = await open(lockOf(path), 'wx');
      await lock.write(String(process.pid)).finally(() => lock.close());
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const owner = Number(await readFile(lockOf(path), 'utf8').catch(() => ''));
    if (isAlive(owner)) throw new Error(`${path} is in use by process ${owner}`);
    await rm(lockOf(path), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
