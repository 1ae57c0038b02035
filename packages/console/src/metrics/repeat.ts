/** Repeats a task, such as reading metrics. */

/** Runs once. Resolves to the milliseconds until the next run. Must not reject. */
export type Run = (signal: AbortSignal) => Promise<number>;

/**
 * Runs at once, and again after each run has ended, so that runs never overlap. Waits while `isPaused`, for example
 * while the page is hidden. The returned function ends this, and aborts the current run.
 */
export function repeat(run: Run, isPaused: () => boolean = () => false): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = async (): Promise<void> => {
    const waitMs = isPaused() ? pauseMs : await run(ending.signal);
    if (!ending.signal.aborted) timer = setTimeout(() => void go(), waitMs);
  };
  void go();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}

const pauseMs = 1_000;
