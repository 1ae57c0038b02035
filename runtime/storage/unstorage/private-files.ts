/** The files of an unstorage driver, for whoever runs the server and nobody else. */
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Objects may be secrets. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

/** Makes an empty file for a driver to write into: a file that is there keeps its mode, whatever the umask. */
export async function makePrivateFile(path: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  await writeFile(path, '', { flag: 'wx', mode: FILE_MODE });
}

/** Makes a folder, and those above it that are not there. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/** Takes from the files below a folder, which an earlier version has made, what others may do with them. */
export async function closeToOthers(folder: string): Promise<void> {
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
