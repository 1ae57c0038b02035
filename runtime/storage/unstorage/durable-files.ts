/**
 * Makes the files of unstorage's drivers whole, durable and private. The drivers themselves write in place, do not wait
 * for the disk, and leave modes to the umask.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Storage } from 'unstorage';
import type { Items } from './items.js';

const FILE_DRIVERS: readonly unknown[] = ['fs', 'fs-lite'];

/**
 * Returns the items of a storage that keeps them in files, and makes them durable. A value that `put` has stored is
 * whole and on disk. `put` first writes it under another name, flushes it, and renames it. Then it flushes the folders
 * that hold the names. Returns undefined for storages without files.
 */
export async function durableFiles(items: Items, storage: Storage, base: string): Promise<Items | undefined> {
  const folder = folderOf(storage, base);
  if (folder === undefined || !(await landsIn(folder, items))) return undefined;
  await closeToOthers(folder);
  const known = new Set<string>();
  const flushNames = async (path: string): Promise<void> => {
    await flush(path);
    if (!known.has(path)) await flushAbove(path, folder);
    known.add(path);
  };
  return {
    ...items,
    async put(key, bytes, kind = 'lasting') {
      const part = newPart();
      const [from, to] = [pathIn(folder, part), pathIn(folder, key)];
      try {
        await makePrivateFile(from);
        await items.put(part, bytes);
        if (kind === 'lasting') await flush(from);
        await makePrivateFolder(dirname(to));
        await rename(from, to);
      } catch (error) {
        // Removes the unfinished file, because the disk may be full.
        await items.remove(part).catch(() => {});
        throw error;
      }
      if (kind === 'lasting') await flushNames(dirname(to));
    },
  };
}

/** Checks whether a key belongs to an unfinished file. */
export const isPart = (key: string): boolean => key.startsWith('parts:');

const newPart = (): string => `parts:${randomUUID()}`;

/** Returns the folder in which the driver should keep the items of a base. */
function folderOf(storage: Storage, base: string): string | undefined {
  const { driver, base: mountedAt } = storage.getMount(base);
  const root: unknown = FILE_DRIVERS.includes(driver.name) ? driver.options?.base : undefined;
  return typeof root === 'string' ? pathIn(resolve(root), `${base}:`.slice(mountedAt.length, -1)) : undefined;
}

/** Checks whether items really are in the folder: the storage may change their keys. */
async function landsIn(folder: string, items: Items): Promise<boolean> {
  const part = newPart();
  await items.put(part, new Uint8Array(0));
  const landed = existsSync(pathIn(folder, part));
  await items.remove(part);
  return landed;
}

const pathIn = (folder: string, key: string): string => join(folder, key.replaceAll(':', '/'));

/**
 * Flushes the folder with the name of a new folder, and its parents, up to the folder with the name of the driver's.
 */
async function flushAbove(path: string, folder: string): Promise<void> {
  const last = dirname(dirname(folder));
  for (let above = dirname(path); above.length >= last.length; above = dirname(above)) {
    await flush(above);
    if (above === dirname(above)) return;
  }
}

/** Waits until a file's content, or a folder's names, are on disk. */
async function flush(path: string): Promise<void> {
  // Windows cannot flush a folder, and only flushes files that are open for writing.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Objects may be secrets. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

/** Makes an empty file for a driver to write into. An existing file keeps its mode, whatever the umask is. */
async function makePrivateFile(path: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  await writeFile(path, '', { flag: 'wx', mode: FILE_MODE });
}

/** Makes a folder and its missing parents. */
async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/** Removes other users' access to files below a folder that an earlier version made. */
async function closeToOthers(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    // Another process may be removing files that it no longer needs.
    const mode = await stat(path).then(
      (known) => known.mode,
      () => 0,
    );
    if ((mode & OTHERS) !== 0) await chmod(path, FILE_MODE).catch(() => {});
  }
}
