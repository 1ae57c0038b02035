/** Does a thing once, however often it is asked for. */

/** All calls wait for the first one. */
export function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}
