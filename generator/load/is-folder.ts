/** Tells folders from files and from what is not there. */
import { statSync } from 'node:fs';

/** Whether there is a folder at a path. Throws what the file system says of one that may not be looked at. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return false;
    throw error;
  }
}
