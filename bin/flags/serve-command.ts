/** Reads all settings of a server: command line, environment, configuration file and project. */
import { isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import type { Project } from '../project/index.js';
import { fillIn, fillInProject, type ProjectSettings, type Sources } from './fill-in.js';
import { fromHere, projectOf } from './project.js';
import { type ServeFlags, serveFlagGroups } from './serve/index.js';
import { storage } from './serve/storage.js';

export interface GivenServer {
  readonly flags: ServeFlags;
  /** The sources of flags that were not set on the command line. */
  readonly sources: Sources;
  readonly project: Project | undefined;
}

/** Reads the settings. Rejects with a `FlagError` or a `ProjectError` that names what cannot be used. */
export async function readGiven(command: Command): Promise<GivenServer> {
  const sources = fillIn(command, serveFlagGroups, process.env);
  const project = await projectOf(command.opts<ServeFlags>().project);
  if (!project) return { flags: command.opts<ServeFlags>(), sources, project };
  const all = fillInProject(command, serveFlagGroups, projectSettings(project), sources);
  return { flags: command.opts<ServeFlags>(), sources: all, project };
}

/** Adds the parts of the project to the options, if there is a project. */
export async function withOwn<T extends object>(options: T, project: Project | undefined): Promise<T> {
  return project ? (await import('../project/start-options.js')).withProject(options, project) : options;
}

const [usualStorage] = storage.flags;

/** Returns the settings by the names of flags. By default, the data is in the folder of the project. */
export function projectSettings({ file, directory, schemas, naming, serve }: Project): ProjectSettings {
  return {
    file: fromHere(file),
    settings: {
      ...serve,
      naming,
      ...(schemas === undefined ? {} : { schemas: fromHere(schemas) }),
    },
    defaults: { [usualStorage.name]: inFolder(usualStorage.byDefault, directory) },
  };
}

/** Puts the folder of a store `lmdb:<folder>` below another one. */
function inFolder(store: string, directory: string): string {
  const [, folder = ''] = /^lmdb:(.*)$/.exec(store) ?? [];
  return isAbsolute(folder) ? store : `lmdb:${fromHere(join(directory, folder))}`;
}
