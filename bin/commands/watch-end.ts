/** The end of commands that go on: when they are interrupted, or after a while. */
import type { Command } from 'commander';

export interface WatchEnd {
  readonly signal: AbortSignal;
  /** Begins the while after which it ends. */
  readonly onStart: () => void;
}

/** Ends the process with an error where the duration is none, such as `30s`. */
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
