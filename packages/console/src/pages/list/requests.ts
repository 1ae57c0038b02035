/** Changes many objects, a few at a time. */

/** The number of requests at one time. */
const atOnce = 6;

/** The result for one object. */
export interface Result<T> {
  readonly of: T;
  /** Absent if it went well. */
  readonly error?: unknown;
}

/** Runs an action for each object, and calls `onDone` after each. Resolves to the results. Never rejects. */
export async function forAll<T>(
  all: readonly T[],
  act: (one: T) => Promise<unknown>,
  onDone: (done: number) => void,
): Promise<readonly Result<T>[]> {
  const results: Result<T>[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let one = all[next++]; one !== undefined; one = all[next++]) {
      try {
        await act(one);
        results.push({ of: one });
      } catch (error) {
        results.push({ of: one, error });
      }
      onDone(results.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
