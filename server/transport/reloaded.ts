/** Values from files, which are read again when the files change. */
import { statSync } from 'node:fs';

/** A value, and the files that it comes from. */
export interface Reloaded<T> {
  readonly paths: readonly string[];
  readonly current: () => T;
  /** Reads the files again. If they cannot be used, throws or rejects, and keeps the value. */
  readonly reload: () => void | Promise<void>;
  /** Calls a function after each change of a value that does not come from files. Returns a function that ends this. */
  readonly subscribe?: (onChange: () => void) => () => void;
}

/** Adds a value to read again while the server runs. */
export type Follow = (value: Reloaded<unknown>) => void;

/** Returns a value that does not depend on files. */
export const constant = <T>(value: T): Reloaded<T> => ({ paths: [], current: () => value, reload: () => undefined });

/** Reads the value, now and on each reload. Throws if it cannot be read. */
export function reloaded<T>(paths: readonly string[], read: () => T): Reloaded<T> {
  let value = read();
  return {
    paths,
    current: () => value,
    reload() {
      value = read();
    },
  };
}

/** The interval of the checks of files, milliseconds. */
const everyMs = 1000;

/**
 * Watches the files, reads changed ones again, and then calls `onChange`. A change counts once the files have stayed
 * the same for a while. So a new certificate is not read before its key is written. Reports a file that cannot be used
 * once.
 */
export function watchFiles(
  values: readonly Reloaded<unknown>[],
  onChange: () => void,
  onProblem: (problem: string) => void,
): () => void {
  const subscriptions = values.flatMap(({ subscribe }) => subscribe?.(onChange) ?? []);
  const unwatch = watchPaths(values, onChange, onProblem);
  return () => {
    unwatch();
    for (const end of subscriptions) end();
  };
}

function watchPaths(...[values, onChange, onProblem]: Parameters<typeof watchFiles>): () => void {
  const watched = values
    .filter(({ paths }) => paths.length > 0)
    .map((value) => ({ value, loaded: stateOf(value.paths), seen: stateOf(value.paths) }));
  if (watched.length === 0) return () => undefined;
  const look = (): void => {
    let hasChanged = false;
    const report = (error: unknown): void =>
      onProblem(`what was read before stays in use: ${error instanceof Error ? error.message : String(error)}`);
    for (const one of watched) {
      const state = stateOf(one.value.paths);
      const isSettled = state === one.seen;
      one.seen = state;
      if (!isSettled || state === one.loaded) continue;
      one.loaded = state;
      try {
        const reloading = one.value.reload();
        if (reloading) reloading.then(onChange, report);
        else hasChanged = true;
      } catch (error) {
        report(error);
      }
    }
    if (hasChanged) onChange();
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

/** Returns the state of files. It changes when a file is written or replaced, or a link leads elsewhere. */
export const stateOf = (paths: readonly string[]): string => paths.map(fileState).join();

function fileState(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : 'none';
}
