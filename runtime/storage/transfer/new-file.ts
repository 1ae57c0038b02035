/** Writes files that appear under their name once they are complete and on the disk. */
import { existsSync, promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that only its owner may read: `write` fills it under another name, and `check` may still refuse it. Rejects
 * where there is a file of that name, with what these two reject with, and with what the system says; nothing is left then.
 */
export async function writeNewFile<Written, Checked>(
  path: string,
  write: (file: FileHandle) => Promise<Written>,
  check: (partial: string, written: Written) => Checked | Promise<Checked>,
): Promise<Checked> {
  if (existsSync(path)) throw new Error(`${path} is there already; name a new file, or move that one away`);
  const partial = `${path}.${process.pid}.partial`;
  const file = await promises.open(partial, 'wx', 0o600);
  try {
    const written = await write(file);
    await file.sync();
    await file.close();
    const checked = await check(partial, written);
    await promises.rename(partial, path);
    await syncFolder(dirname(path));
    return checked;
  } catch (error) {
    await file.close().catch(() => {});
    await promises.rm(partial, { force: true });
    throw error;
  }
}

/** The name is durable when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await promises.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
