/** The configuration of projects: what `kindforge.config.ts` imports; published as `kindforge/config`. */

export type { LoadOptions } from './load/load-project.js';
export type { Project } from './project.js';
export { defineConfig, type PartOf, type ProjectConfig, ProjectError } from './project.js';
export type { ServeSettings, SettingValue } from './serve-settings.js';

import type { LoadOptions } from './load/load-project.js';
import type { Project } from './project.js';
import type { ProjectOptions } from './start-options.js';

/**
 * The project whose configuration is in the folder, or in the nearest one above it in the same repository or package;
 * `undefined` if there is none. Rejects with a `ProjectError` if the configuration has mistakes.
 */
export async function loadProject(directory?: string, options?: LoadOptions): Promise<Project | undefined> {
  // Configurations import this door, and need nothing of the loader.
  return (await import('./load/load-project.js')).loadProject(directory, options);
}

/**
 * The options of `startServer` with what a project adds: its folder of definitions and its naming if they do not set them,
 * and its parts after those of the options. Its settings of `serve` are for the command.
 */
export async function withProject<T extends ProjectOptions>(options: T, project: Project): Promise<T & ProjectOptions> {
  return (await import('./start-options.js')).withProject(options, project);
}
