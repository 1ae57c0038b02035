/** Logs errors that nobody has caught, and stops the process in order. */
import type { Log } from './log.js';

/** Milliseconds after which the process ends even if the stop is not complete, plus the shutdown delay. */
const stopMs = 60_000;

/** The most requests that the log names. */
const mostNamed = 20;

/** The last handler of a process that serves. */
export interface LastHandler {
  readonly hasFailed: boolean;
  /**
   * Resolves at the first error that nobody has caught; until this is called, such an error ends the process at once. The
   * second one does so too, and a stop that takes too long. `requests` names those in progress.
   */
  untilFailed(requests: () => readonly string[], shutdownDelayMs?: number): Promise<void>;
}

/** Handles errors and rejections that nothing has caught. */
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

/** Waits for a signal that asks the process to stop. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at the first signal, and never rejects. A second signal has its default effect. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });
}

/** The time between two checks, milliseconds. The system does not notify a program when its parent ends. */
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
