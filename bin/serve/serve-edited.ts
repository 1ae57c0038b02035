/** Runs `kindforge dev` as the process that serves: the process that watches controls it. */

import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { startServer } from '../../server/start-server.js';
import { explainFailure } from '../flags/explain-failure.js';
import { withSources } from '../flags/fill-in.js';
import { fromHere, messageFor } from '../flags/project.js';
import { type GivenServer, readGiven, withOwn } from '../flags/serve-command.js';
import { readCommandSettings, readServeOptions, type ServeOptions } from '../flags/serve-options.js';
import { type EditedFolders, editDefinitions } from '../project/dev/definitions.js';
import type { FromServer, Ports, Watched } from '../project/dev/messages.js';
import { runServer, type Supervised } from '../project/dev/run-server.js';
import { withImports } from '../project/dev/sources.js';
import { configFiles, findConfigFile } from '../project/load/find-file.js';
import { withoutUnbuiltPages } from '../project/start-options.js';
import { banner } from './banner.js';
import { openLog } from './log.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Serves the project. Resolves when the server has stopped, or could not start. */
export async function serveEdited(command: Command): Promise<void> {
  const supervisor = supervised();
  const given = await readGiven(command).catch((error: unknown) => {
    print(`kindforge: ${messageFor(error)}`);
    return undefined;
  });
  if (given) await serve(given, supervisor, command.opts<{ readonly seed?: string }>().seed);
  else supervisor.tell({ type: 'failed', watched: { files: [], allBelow: folderOfProject() }, cause: 'code' });
  if (process.connected) process.disconnect();
}

async function serve(given: GivenServer, supervisor: Supervised, seeds: string | undefined): Promise<void> {
  const { flags, project, sources } = given;
  const onError = (error: unknown): void => print(`kindforge: ${withSources(explainFailure(error).message, sources)}`);
  const folders = foldersOf(given);
  const files = withImports(project?.sources ?? configFiles.map((name) => resolve(name)));
  const watched: Watched = { files, ...(folders ? { schemas: resolve(folders.schemas) } : {}) };
  try {
    const log = await openLog(readCommandSettings(flags).log);
    const told = {
      onProblem: log.problem,
      ...(flags.quiet ? { onDeprecatedMetric: () => {} } : {}),
      ...(flags.logRequests ? { onRequest: log.request } : {}),
    };
    const usable = project && withoutUnbuiltPages(project);
    if (project?.static !== undefined && usable?.static === undefined) print(unbuilt(project.static));
    const options: ServeOptions = await withOwn({ ...forLocalPages(readServeOptions(flags)), ...told }, usable);
    await runServer(supervisor, {
      watched,
      ...(folders ? { definitions: editDefinitions(folders, print) } : {}),
      start: (modules, ports) => startServer({ ...onPorts(options, ports), schemas: { modules } }),
      onServing: async (server, first) => {
        if (first && !flags.quiet) process.stdout.write(banner(options, server));
        else print(`serving again at ${server.url}`);
        if (!first || seeds === undefined) return;
        const { seed } = await import('../project/dev/seed.js');
        const { applied, problems } = await seed(seeds, server.client());
        for (const problem of problems) print(problem);
        print(`${seeds}: ${applied} applied`);
      },
      onError,
      print,
    });
  } catch (error) {
    onError(error);
    supervisor.tell({ type: 'failed', watched, cause: 'code' });
  }
}

const unbuilt = (pages: string): string =>
  `warning: ${fromHere(pages)} has no index.html, so no page is served; build it, and start again`;

/** Origins of this machine with any port, for development servers of pages. */
const localOrigins = '^https?://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:|$)';

/** Lets pages of this machine use the server, unless a flag names origins. */
const forLocalPages = (options: ServeOptions): ServeOptions =>
  options.corsAllowedOrigins?.length ? options : { ...options, corsAllowedOrigins: [localOrigins] };

/** Returns the folder of a project that could not be loaded. A change of any code in it may correct the project. */
function folderOfProject(): string {
  const file = findConfigFile('.');
  return file === undefined ? resolve('.') : dirname(file);
}

/** Returns the options with the ports of the server before, unless the flags choose ports. */
function onPorts(options: ServeOptions, ports: Ports): ServeOptions {
  const { http, tls } = options;
  const chosen = <T extends { readonly port?: number | 'auto' }>(option: T, port: number | undefined): T =>
    option.port === 'auto' && port !== undefined ? { ...option, port } : option;
  const withTls = tls && { ...tls, ...chosen(tls, ports.secure) };
  if (http === false) return withTls ? { ...options, http, tls: withTls } : options;
  const plain = http && chosen(http, ports.http);
  return { ...options, ...(plain ? { http: plain } : {}), ...(withTls ? { tls: withTls } : {}) };
}

// The processes of `kindforge dev` share the connection to the process that watches, and the folders of the project.

/**
 * Connects to the process that watches. Only that process ends others: Ctrl+C reaches it directly, and this process
 * reports a SIGTERM to it.
 */
export function supervised(): Supervised {
  const tell = (message: FromServer): void => void process.send?.(message);
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => tell({ type: 'end' }));
  return {
    tell,
    onMessage(hear) {
      process.on('message', hear);
      process.once('disconnect', () => hear(undefined));
    },
  };
}

/** Returns the folders of definitions and of their code, or `undefined` without definitions. */
export function foldersOf({ flags, project }: GivenServer): EditedFolders | undefined {
  const usual = statSync('schemas', { throwIfNoEntry: false })?.isDirectory() ? 'schemas' : undefined;
  const schemas = flags.schemas ?? usual;
  if (schemas === undefined) return undefined;
  return {
    schemas,
    out: fromHere(project?.out ?? 'generated'),
    emitters: project?.emitters ?? [],
    allowBreakingChanges: flags.allowBreakingChanges === true,
  };
}
