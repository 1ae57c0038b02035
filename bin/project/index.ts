/** The configuration of projects, published as `kindforge/config`, for `kindforge.config.ts`. */

export type { LoadOptions } from './load/load-project.js';
export type { Project } from './project.js';
export { defineConfig, type PartOf, type ProjectConfig, ProjectError } from './project.js';
export type { ServeSettings, SettingValue } from './serve-settings.js';

import type { LoadOptions } from './load/load-project.js';
import type { Project } from './project.js';
import type { ProjectOptions } from './start-options.js';

/**
 * Finds the configuration in the folder, or in the nearest folder above it within the repository or package. Resolves
 * to its project, or to `undefined` if there is none. Rejects with a `ProjectError` if the configuration has mistakes.
 */
export async function loadProject(directory?: string, options?: LoadOptions): Promise<Project | undefined> {
  // Imports the loader late, because configurations import this file and do not need it.
  return (await import('./load/load-project.js')).loadProject(directory, options);
}

/**
 * Adds the parts of a project to options of `startServer`: its definitions folder and its naming if they are not set,
 * and its parts after the given ones. Its `serve` settings are for the command only.
 */
export async function withProject<T extends ProjectOptions>(options: T, project: Project): Promise<T & ProjectOptions> {
  return (await import('./start-options.js')).withProject(options, project);
}
