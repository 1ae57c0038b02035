/** Recognises files that have not changed since they were read, by what the file system says of them. */
import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFile } from '../write/hash.js';
import type { Manifest } from '../write/manifest.js';

/** A file as it was seen: its path, its hash, and its stamp, which is empty if another content could have the same. */
export type SeenFile = readonly [path: string, hash: string, stamp: string];

/** Nanoseconds that a file must not have been touched for, so that a later change gives it another time. */
const SETTLED = 100_000_000n;
/** The same for file systems that know the time in seconds only. */
const SETTLED_COARSE = 2_000_000_000n;
const SECOND = 1_000_000_000n;

/** Notes the files of a folder whose hashes are known. */
export function noteFiles(folder: string, files: Manifest): readonly SeenFile[] {
  return [...files].map(([path, hash]) => [path, hash, stampOf(join(folder, path))]);
}

/** The files as they are now: those that look as they were seen are not read. */
export function seeAgain(folder: string, seen: readonly SeenFile[]): Manifest {
  const found = new Map<string, string>();
  for (const [path, hash, stamp] of seen) {
    const absolute = join(folder, path);
    const now = stamp !== '' && stamp === stampOf(absolute) ? hash : hashOfFile(absolute);
    if (now !== undefined) found.set(path, now);
  }
  return found;
}

function stampOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || !isSettled(stats)) return '';
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const last = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const wait = last % SECOND === 0n ? SETTLED_COARSE : SETTLED;
  return BigInt(Date.now()) * 1_000_000n - last > wait;
}
