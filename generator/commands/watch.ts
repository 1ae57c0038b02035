/** Watches a folder for changes: at once if the system reports them, within a second otherwise. */
import { type FSWatcher, watch } from 'node:fs';
import { findFiles } from '../load/find-files.js';

/** Milliseconds to wait for the end of a burst of changes; editors write a file in several steps. */
const SETTLE = 20;
/** Milliseconds between polls, for changes that the system does not report (symbolic links, some mounts). */
const LOOK_EVERY = 1_000;

export interface WatchOptions {
  /** Ends the watch. Default: SIGINT and SIGTERM end it. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `run` now and after each burst of changes, until it is asked to stop. Misses no change, and never runs two
 * calls at once.
 */
export async function watchFolder(folder: string, run: () => void, options: WatchOptions = {}): Promise<void> {
  let state = stateOf(folder);
  let settling: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = stateOf(folder);
    if (now === state) return;
    state = now;
    run();
  };
  const hint = (): void => {
    clearTimeout(settling);
    settling = setTimeout(look, SETTLE);
  };
  const watcher = watchSystem(folder, hint);
  run();
  const looking = setInterval(look, LOOK_EVERY);
  await stopped(options.signal);
  clearTimeout(settling);
  clearInterval(looking);
  watcher?.close();
}

/** Returns the paths and stamps of all definition files. */
function stateOf(folder: string): string {
  const { files, unreadable } = findFiles(folder);
  return JSON.stringify([files.map(({ path, stamp }) => [path, stamp]), unreadable]);
}

/** Watches for reports of the system. They are only hints: without them, polling every second remains. */
function watchSystem(folder: string, hint: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { recursive: true }, hint).on('error', hint);
  } catch {
    return undefined;
  }
}

function stopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
    if (signal === undefined) for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
  });
}
