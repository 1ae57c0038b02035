/** `kindforge serve`: serves an API from the built-in kinds and a folder of definitions. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { deprecationNotices, type Sources, withSources } from '../flags/fill-in.js';
import { addFlags } from '../flags/flag.js';
import { type ServeFlags, serveFlagGroups } from '../flags/serve/index.js';
import { readGiven, withOwn } from '../flags/serve-command.js';
import type { ServeOptions } from '../flags/serve-options.js';
import type { ReadyTold } from '../serve/banner.js';
import type { LastHandler } from '../serve/last-handler.js';
import { type Log, loadingNotice } from '../serve/log.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addServe(program: Command): void {
  const command = program.command('serve').description('serve an API with the built-in kinds and your own definitions');
  addFlags(command, serveFlagGroups);
  command
    .addHelpText(
      'after',
      `
Without --allow-everyone, the server always creates an administrator, besides all other users. It writes the credentials to files
that only you can read: a kubeconfig, and a header for curl. It listens with TLS, and in plain HTTP for this machine only.

Each flag can also be set by an environment variable, as in KINDFORGE_HTTP_PORT=8081, or in the file that --config
names, as in http-port: 8081. The command line comes first, then the environment, then the file, then the key serve of the project's configuration, kindforge.config.ts.

Exit codes:
  0  the server was stopped
  1  a definition has errors, stored data is damaged, or the program has failed while it served
  2  a flag is wrong, or the port or the store cannot be opened`,
    )
    .action(async () => {
      process.exitCode = exitCodes[await runServe(command)];
    });
}

/** Serves until a signal stops the process. Prints each mistake with what to do about it. */
async function runServe(command: Command): Promise<Ending> {
  const { readCommandSettings, readServeOptions } = await import('../flags/serve-options.js');
  const { startServer } = await import('../../server/start-server.js');
  const { banner } = await import('../serve/banner.js');
  const { openLog } = await import('../serve/log.js');
  const { serviceManager } = await import('../serve/notify.js');
  const { openReadyFile, readyNotice } = await import('../serve/banner.js');
  const { openLastHandler } = await import('../serve/last-handler.js');
  const { untilAskedToStop } = await import('../serve/last-handler.js');
  const { untilParentEnds } = await import('../serve/last-handler.js');
  const { workerNumber } = await import('../../server/workers/role.js');
  const number = workerNumber();
  const { takePassedSockets, withPassedSockets } = await import('../serve/notify.js');
  let sources: Sources = new Map();
  let log: Log | undefined;
  let last: LastHandler | undefined;
  try {
    const { flags, project, sources: all } = await readGiven(command);
    sources = all;
    const { json, readyFile: readyPath, ...settings } = readCommandSettings(flags);
    log = await openLog(settings.log);
    last = openLastHandler(log);
    if (!flags.quiet && number === undefined)
      for (const notice of deprecationNotices(command, serveFlagGroups)) log.problem(notice);
    const read = readServeOptions(flags);
    const listening = withPassedSockets(read, takePassedSockets(process.env));
    const options = await withOwn({ ...read, ...listening, ...told(log, flags) }, project);
    // Only the process that started the workers reports to systemd, for all of them.
    const manager = serviceManager(number === undefined ? process.env : {}, log.problem);
    // From here on, a signal stops the server once it has started. A second signal ends the process.
    const asked = flags.exitWithParent ? Promise.race([untilAskedToStop(), untilParentEnds()]) : untilAskedToStop();
    const readyFile = readyPath === undefined || number !== undefined ? undefined : openReadyFile(readyPath);
    const server = await startServer(options);
    const failed = last.untilFailed(server.requestsInProgress, options.shutdownDelayMs);
    let notice: ReadyTold | undefined;
    try {
      if (!json && !flags.quiet && number === undefined) process.stdout.write(banner(options, server));
      if (number === undefined && (json || readyFile)) {
        notice = readyNotice(server);
        if (json) process.stdout.write(notice.line);
        readyFile?.write(notice.line);
      }
      manager.ready(`serves ${server.registry.resources.length} resources at ${server.url}`);
      await Promise.race([asked, failed]);
    } finally {
      readyFile?.remove();
      notice?.dispose();
      manager.stopping('answers the requests in flight');
      await server.stop();
      await manager.done();
    }
    return last.hasFailed ? 'refused' : 'done';
  } catch (error) {
    const { explainFailure } = await import('../flags/explain-failure.js');
    const { ending, message } = explainFailure(error);
    // A worker that does not start has already reported that to the process that started it.
    if (number !== undefined && workerNumber() === undefined) return ending;
    const said = withSources(message, sources);
    if (log) log.failure(said);
    else console.error(`kindforge: ${said}`);
    return last?.hasFailed ? 'refused' : ending;
  }
}

/** Connects the log: problems, the progress of a start, and requests if a flag asks for them. */
const told = (
  log: Log,
  { logRequests, quiet }: ServeFlags,
): Pick<ServeOptions, 'onProblem' | 'onRequest' | 'onLoading' | 'onDeprecatedMetric'> => ({
  onProblem: log.problem,
  ...(quiet ? { onDeprecatedMetric: () => {} } : { onLoading: loadingNotice(log) }),
  ...(logRequests ? { onRequest: log.request } : {}),
});
