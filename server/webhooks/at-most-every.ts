/** Passes on no more than one problem in a while. */

/** Those in between are left out; `clock` tells milliseconds. */
export function atMostEvery(
  ms: number,
  tell: (problem: string) => void,
  clock: () => number = () => performance.now(),
): (problem: string) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (problem) => {
    const now = clock();
    if (now < quietUntil) return;
    quietUntil = now + ms;
    tell(problem);
  };
}
