/** Looks at an LMDB file before the library maps it: what that cannot bear would end the process. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

/*
 * Two meta pages begin the file. In each, behind the page's header: magic and version as u32; and further on the page
 * size as u32 and the number of the last page as u64.
 */
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const META_BYTES = 160;

/** Throws an Error with the cure when the file is no database. Does nothing where there is no file. */
export function checkLmdbFile(path: string): void {
  const file = openIfThere(path);
  if (file === undefined) return;
  try {
    const { size } = fstatSync(file);
    if (size === 0) return;
    const first = readMeta(file, 0);
    if (!isMeta(first)) throw new Error(`${path} is not a database; move it away, or restore a snapshot`);
    const pageSize = first.readUInt32LE(PAGE_SIZE_AT);
    const lastPage = Math.max(lastPageOf(first), lastPageOf(readMeta(file, pageSize)));
    // The file may end early where its last pages are free, or because it was cut. Missing pages read as zeros now,
    // which the checksums find; read through the map, they would be a bus error.
    if (size < (lastPage + 1) * pageSize) ftruncateSync(file, (lastPage + 1) * pageSize);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function readMeta(file: number, position: number): Buffer {
  const meta = Buffer.alloc(META_BYTES);
  readSync(file, meta, 0, META_BYTES, position);
  return meta;
}

function isMeta(meta: Buffer): boolean {
  return meta.readUInt32LE(MAGIC_AT) === MAGIC && meta.readUInt32LE(MAGIC_AT + 4) === VERSION;
}

function lastPageOf(meta: Buffer): number {
  return isMeta(meta) ? Number(meta.readBigUInt64LE(LAST_PAGE_AT)) : 0;
}
