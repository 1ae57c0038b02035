/** Stands in for the tables of kinds, until they are read from files of their own. */

/**
 * Tells what a file has of a kind, whose path is as in `core/v1/pods`. The file is read by the first call; it throws where
 * the file is not the one that was built with this.
 */
export function lateData<T>(kind: string, load: () => Readonly<Record<string, T>>): () => T {
  let known: T | undefined;
  return () => {
    known ??= load()[kind];
    if (known === undefined) throw new Error(`the build is damaged: there is nothing of ${kind}`);
    return known;
  };
}
