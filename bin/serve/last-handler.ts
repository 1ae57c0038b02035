/** Logs uncaught errors, and stops the process in order. */
import type { Log } from './log.js';

/** Milliseconds, after the shutdown delay, until the process ends even if the stop is not complete. */
const stopMs = 60_000;

/** The most requests that the log names. */
const mostNamed = 20;

/** The handler of errors that nothing else catches. */
export interface LastHandler {
  readonly hasFailed: boolean;
  /**
   * Resolves at the first uncaught error. The process ends at once if an error comes before this call, if a second one
   * comes, or if the stop takes too long. `requests` names the requests in progress.
   */
  untilFailed(requests: () => readonly string[], shutdownDelayMs?: number): Promise<void>;
}

/** Handles uncaught errors and rejections. */
export function openLastHandler(log: Pick<Log, 'problem'>): LastHandler {
  let hasFailed = false;
  let begin: (() => void) | undefined;
  let namesOf: () => readonly string[] = () => [];
  // Without a listener for rejections, Node hands them to this one.
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    if (hasFailed || !begin) {
      log.problem('uncaught error; the process ends at once', error);
      process.exit(1);
    }
    hasFailed = true;
    log.problem(`uncaught error; the server stops, with ${inProgress(namesOf())} in progress`, error);
    begin();
  });
  return {
    get hasFailed() {
      return hasFailed;
    },
    untilFailed(requests, shutdownDelayMs = 0) {
      namesOf = requests;
      return new Promise((resolve) => {
        begin = () => {
          setTimeout(() => process.exit(1), shutdownDelayMs + stopMs).unref();
          resolve();
        };
      });
    },
  };
}

function inProgress(requests: readonly string[]): string {
  if (requests.length === 0) return 'no requests';
  const rest = requests.length - mostNamed;
  return `${requests.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}`;
}

/** Signals that ask the process to stop. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Waits for the first signal. Never rejects. A second signal has its default effect. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });
}

/** The time between two checks, milliseconds. The system does not report the end of a parent. */
const lookMs = 100;

/** Resolves once the parent has ended. */
export function untilParentEnds(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isThere(parent)) return;
      clearInterval(timer);
      resolve();
    }, lookMs);
    timer.unref();
  });
}

/**
 * Returns whether the parent still runs. Orphans get another parent, but on Windows they keep the number of the old
 * one.
 */
function isThere(parent: number): boolean {
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
    return true;
  } catch (error) {
    // The parent may be another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
