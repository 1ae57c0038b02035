/** Closes the places where a server listens, of which each has its streams and all have one store. */
import type { Listening } from '../../runtime/server/index.js';

/**
 * Closes all of them at once. `settle`, which brings streams to their end, is called once: when all have answered what was
 * in progress.
 */
export async function closeTogether(places: readonly Listening[], settle: () => Promise<void>): Promise<void> {
  let missing = places.length;
  let arrive: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    arrive = resolve;
  }).then(settle);
  const settleOnce = (): Promise<void> => {
    missing--;
    if (missing === 0) arrive();
    return settled;
  };
  await Promise.all(places.map((place) => place.close(settleOnce)));
}
