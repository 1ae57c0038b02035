/** The project in the working directory, and the flags that it sets. */

import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type { Command } from 'commander';
import { createProgress, type Progress } from '../../generator/diagnostics/progress.js';
import type { BundledProject, Project } from '../project/project.js';

/** Gives a command the flag that names the configuration of its project. */
export const inProject = (command: Command): Command =>
  command.option(
    '--project <path>',
    'configuration of the project, its folder, or none (default: kindforge.config.* of this folder, or of one above it in its repository or package)',
  );

/** The project of the bundle that runs. */
let bundled: BundledProject | undefined;

/** Makes every command use the project of a bundle, unless a flag names another project. */
export function useBundled(project: BundledProject): void {
  bundled = project;
}

/**
 * Loads the project of a command. Resolves to `undefined` if there is none, or if the flag is `none`. Rejects with a
 * `ProjectError`.
 */
export async function projectOf(path: string | undefined): Promise<Project | undefined> {
  if (path === 'none') return undefined;
  const { loadBundled, loadProject } = await import('../project/load/load-project.js');
  if (bundled && path === undefined) return loadBundled(bundled);
  return tellLoading(createProgress(process.stderr), () => loadProject('.', { file: path }));
}

/** Returns a path relative to the working directory, for messages. */
export const fromHere = (path: string): string => relative('', path) || '.';

/** Sets a flag unless it is on the command line. */
export function fromProject(command: Command, attribute: string, value: string | undefined): void {
  if (value === undefined || !['default', undefined].includes(command.getOptionValueSource(attribute))) return;
  command.setOptionValueWithSource(attribute, value, 'config');
}

/** Returns the message of a thrown value. */
export const messageFor = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The time between two reports, milliseconds. Loading a module can delay a report. */
const often = 250;

const loadedModules = (): number => Object.keys(createRequire(import.meta.url).cache).length;

/** Reports progress while the work runs. Resolves or rejects as the work does. */
export async function tellLoading<T>(progress: Progress, work: () => Promise<T>, everyMs = often): Promise<T> {
  const before = loadedModules();
  const timer = setInterval(
    () => progress.step('loading', loadedModules() - before, undefined, 'modules of the project'),
    everyMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
