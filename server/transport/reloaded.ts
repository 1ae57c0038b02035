/** Values that are read from files, and read again when the files change. */
import { statSync } from 'node:fs';

/** A value, and the files that it is read from. */
export interface Reloaded<T> {
  readonly paths: readonly string[];
  readonly current: () => T;
  /** Reads the files again. Throws where they cannot be used; the value stays what it was then. */
  readonly reload: () => void;
}

/** Takes what is to be read again as long as the server runs. */
export type Follow = (value: Reloaded<unknown>) => void;

/** A value that no files change. */
export const constant = <T>(value: T): Reloaded<T> => ({ paths: [], current: () => value, reload: () => undefined });

/** Reads the value. Throws where that cannot be done. */
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
 * Looks at the files from time to time, and reads those again that have changed; `onChange` is told afterwards. A change
 * counts once the files stay as they are, so that a certificate is not taken before the key that is written after it.
 * A file that cannot be used is a problem that is told once.
 */
export function watchFiles(
  values: readonly Reloaded<unknown>[],
  onChange: () => void,
  onProblem: (problem: string) => void,
): () => void {
  const watched = values
    .filter(({ paths }) => paths.length > 0)
    .map((value) => ({ value, loaded: stateOf(value.paths), seen: stateOf(value.paths) }));
  if (watched.length === 0) return () => undefined;
  const look = (): void => {
    let hasChanged = false;
    for (const one of watched) {
      const state = stateOf(one.value.paths);
      const isSettled = state === one.seen;
      one.seen = state;
      if (!isSettled || state === one.loaded) continue;
      one.loaded = state;
      try {
        one.value.reload();
        hasChanged = true;
      } catch (error) {
        onProblem(`what was read before stays in use: ${error instanceof Error ? error.message : String(error)}`);
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
