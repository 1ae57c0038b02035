/** Writes a new project into a folder. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGenerator } from '../../../generator/commands/generate.js';
import { kindNames, type ProjectNames } from './names.js';
import { type NewVersions, settingFiles } from './settings.js';
import { sourceFiles } from './sources.js';

/** The files written; or those that were there already, in which case nothing was written. */
export type Written =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly existing: readonly string[] };

/** Paths are relative to the folder, which is made where it is not there. Throws what the file system refuses. */
export function writeProject(folder: string, names: ProjectNames, versions: NewVersions): Written {
  const all = kindNames(names);
  const files = { ...settingFiles(all, versions), ...sourceFiles(all) };
  const paths = Object.keys(files).sort();
  const existing = [...paths, 'generated'].filter((path) => existsSync(join(folder, path)));
  if (existing.length > 0) return { ok: false, existing };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
  createGenerator({ schemas: join(folder, 'schemas'), out: join(folder, 'generated') }).run();
  return { ok: true, files: [...paths, 'generated/'] };
}
