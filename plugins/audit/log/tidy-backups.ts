/** Removes older files of a log, and compresses those that stay. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backupTime } from './backup-names.js';

/** Which of the files that a log has been moved to are kept. */
export interface Keeping {
  /** Days; 0 keeps files of any age. */
  readonly maxAgeDays: number;
  /** 0 keeps any number. */
  readonly maxBackups: number;
  /** Whether files that are kept are compressed with gzip. */
  readonly compress: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** `path` is that of the log itself. */
export async function tidyBackups(
  path: string,
  { maxAgeDays, maxBackups, compress }: Keeping,
  now: Date,
): Promise<void> {
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
