/** Gives each attempt of a write its own copy of what it changes. */

/**
 * Hands out what was read: the first taker gets that, later ones what is read once more. Most writes are made at the
 * first attempt, so that nothing has to be copied for them.
 */
export function fresh<T>(read: T, again: () => T): () => T {
  let unused: readonly [T] | undefined = [read];
  return () => {
    const [value] = unused ?? [again()];
    unused = undefined;
    return value;
  };
}
