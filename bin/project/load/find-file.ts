/** Finds the configuration file of a project, upward from a folder. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ProjectError } from '../project.js';

/** Names of the file; the first that is there counts. */
export const configFiles: readonly string[] = ['ts', 'mts', 'mjs', 'js', 'yaml'].map(
  (extension) => `kindforge.config.${extension}`,
);

/** The file of the folder, or of the nearest one above it; none where there is no such. */
export function findConfigFile(folder: string): string | undefined {
  for (let here = resolve(folder); ; here = dirname(here)) {
    const found = configFileIn(here);
    if (found !== undefined || dirname(here) === here) return found;
  }
}

/** The file that a path means: itself, or that of the folder that it is. Throws a `ProjectError` where there is none. */
export function configFileAt(path: string): string {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isFile()) return resolve(path);
  const found = entry?.isDirectory() ? configFileIn(path) : undefined;
  if (found !== undefined) return found;
  throw new ProjectError(`${path}: there is no configuration; name a file such as ${configFiles[0]}, or its folder`);
}

function configFileIn(folder: string): string | undefined {
  const isFile = (name: string): boolean => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;
  const found = configFiles.find(isFile);
  return found === undefined ? undefined : resolve(folder, found);
}
