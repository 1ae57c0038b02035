/** Values that are read from files, and read again when the files change. */
import { statSync } from 'node:fs';

/** A value, and the files that it is read from. */
export interface Reloaded<T> {
  readonly paths: readonly string[];
  readonly current: () => T;
  /** Reads the files again. Throws or rejects if they cannot be used; then the value stays as it was. */
  readonly reload: () => void | Promise<void>;
  /** Calls a function after each change of a value that is not read from files. Returns what ends this. */
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

/** How often files are looked at, milliseconds. */
const everyMs = 1000;

/**
 * Watches the files, reads changed ones again, and then calls `onChange`. A change counts once the files stay the same
 * for a while, so that a certificate is not read before its new key is written. A file that cannot be used is reported
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

/** Differs whenever a file has been written, replaced, or led elsewhere by a link. */
export const stateOf = (paths: readonly string[]): string => paths.map(fileState).join();

function fileState(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : 'none';
}
