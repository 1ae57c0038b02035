/** Reads the command line of a server, and all that stands in for it: environment, configuration file, project. */
import type { Command } from 'commander';
import type { Project } from '../project/index.js';
import { fillIn, fillInProject, type Sources } from './fill-in.js';
import { projectOf } from './project.js';
import { type ServeFlags, serveFlagGroups } from './serve/index.js';

export interface GivenServer {
  readonly flags: ServeFlags;
  /** Where flags were set, other than on the command line. */
  readonly sources: Sources;
  readonly project: Project | undefined;
}

/** Rejects with a `FlagError` or a `ProjectError` that says what cannot be used. */
export async function readGiven(command: Command): Promise<GivenServer> {
  const sources = fillIn(command, serveFlagGroups, process.env);
  const project = await projectOf(command.opts<ServeFlags>().project);
  if (!project) return { flags: command.opts<ServeFlags>(), sources, project };
  const { projectSettings } = await import('./serve-project.js');
  const all = fillInProject(command, serveFlagGroups, projectSettings(project), sources);
  return { flags: command.opts<ServeFlags>(), sources: all, project };
}

/** The options with what a project adds, where there is one. */
export async function withOwn<T extends object>(options: T, project: Project | undefined): Promise<T> {
  return project ? (await import('../project/start-options.js')).withProject(options, project) : options;
}
