/** Finds and reads the allow file: the one that is named, or the usual one beside the record of releases. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '../load/find-files.js';
import { type AllowFile, readAllowFile } from './allow-file.js';
import { usualAllowPath } from './released.js';
import { SideError } from './sides/side.js';

/**
 * Reads the file; `undefined` if no name is given and the definitions have none. Throws a `SideError` if it cannot be
 * read.
 */
export function loadAllow(named: string | undefined, schemas: string | undefined): AllowFile | undefined {
  const usual = schemas === undefined ? undefined : join(schemas, usualAllowPath);
  const path = named ?? (usual !== undefined && existsSync(usual) ? usual : undefined);
  if (path === undefined) return undefined;
  try {
    return readAllowFile(path, readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SideError(`--allow ${path} ${describe(error)}`);
  }
}
