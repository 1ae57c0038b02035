/** Finds the configuration file of a project, upward from a folder. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ProjectError } from '../project.js';
import { foldersOfPackage, foreignProblem } from './foreign-file.js';

/** Names of the file; the first that exists counts. */
export const configFiles: readonly string[] = ['ts', 'mts', 'mjs', 'js', 'yaml'].map(
  (extension) => `kindforge.config.${extension}`,
);

/**
 * Finds the file in the folder, or in the nearest folder above it in the same repository or package; returns
 * `undefined` if there is none. Throws a `ProjectError` if other users can change the file.
 */
export function findConfigFile(folder: string): string | undefined {
  for (const here of foldersOfPackage(folder)) {
    const found = configFileIn(here);
    if (found !== undefined) return trusted(found);
  }
  return undefined;
}

function trusted(file: string): string {
  const problem = foreignProblem(file);
  if (problem === undefined) return file;
  throw new ProjectError(
    `${file} is not run: it ${problem}; change its owner or mode, name it with --project if you trust it, or use --project none`,
  );
}

/**
 * Returns the file at a path, or the configuration in the folder at that path. Throws a `ProjectError` if there is
 * none.
 */
export function configFileAt(path: string): string {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isFile()) return resolve(path);
  const found = entry?.isDirectory() ? configFileIn(path) : undefined;
  if (found !== undefined) return found;
  throw new ProjectError(`${path}: no configuration found; name a file such as ${configFiles[0]}, or its folder`);
}

function configFileIn(folder: string): string | undefined {
  const isFile = (name: string): boolean => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;
  const found = configFiles.find(isFile);
  return found === undefined ? undefined : resolve(folder, found);
}
