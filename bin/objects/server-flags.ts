/** The flags of commands about objects: which server and which namespace to use. */
import { type Command, Option } from 'commander';

export interface ServerFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly token?: string;
  readonly namespace?: string;
}

/** Gives a command the flags. */
export const addServerFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig of the server (default: see below)')
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--server <url>', 'URL of a server, in place of a kubeconfig')
    .option('--token <token>', 'bearer token to send, in place of the credentials of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace to use (default: the namespace of the context)');

/** The end of the help of such commands. */
export const serverHelp = `
Without --server and --kubeconfig, the kubeconfig is $KUBECONFIG, or else the one that kindforge serve
wrote here or in a folder above (.kindforge/data/credentials/kubeconfig), or else ~/.kube/config.

Exit codes:
  0  done
  1  the server refused, or has no such object
  2  a flag is wrong, or the server does not answer`;

/** All accepted formats. One that ends with `=` takes a value. */
export const outputFormats = [
  'table',
  'wide',
  'yaml',
  'json',
  'name',
  'jsonpath=',
  'jsonpath-file=',
  'custom-columns=',
  'custom-columns-file=',
] as const;

/**
 * Adds the option `-o`. The command checks its value when it runs, because the code that reads formats is loaded only
 * then.
 */
export const outputOption = (): Option =>
  new Option('-o, --output <format>', 'output format')
    .choices(outputFormats)
    .argParser((text) => text)
    .default('table');

/** Keeps the values of a flag that may be repeated. */
export const gather = (one: string, before: readonly string[]): readonly string[] => [...before, one];

export interface WatchEnd {
  readonly signal: AbortSignal;
  /** Starts the timer of `--timeout`. */
  readonly onStart: () => void;
}

/** Ends the process with an error unless the text is a duration, such as `30s`. */
export async function watchEnd(command: Command, timeout: string | undefined): Promise<WatchEnd> {
  const { readTime } = await import('../../server/text/durations.js');
  const read = timeout === undefined ? undefined : readTime(timeout);
  if (read !== undefined && !read.ok) command.error(`error: --timeout ${read.failure.message}`);
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort());
  const onStart = (): void => {
    if (read?.ok) setTimeout(() => end.abort(), read.value).unref();
  };
  return { signal: end.signal, onStart };
}
