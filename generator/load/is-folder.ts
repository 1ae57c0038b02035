/** Distinguishes folders from files and from missing paths. */
import { statSync } from 'node:fs';

/** Returns whether a path is a folder. Throws the error of the file system if the path may not be read. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return false;
    throw error;
  }
}
