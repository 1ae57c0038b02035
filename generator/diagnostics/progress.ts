/** Shows the progress of a long job: one line that is rewritten on a terminal, or a line every few seconds. */

/** A stream that shows progress, usually standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(chunk: string | Uint8Array): unknown;
}

export interface Progress {
  /**
   * Reports `done` of `total` steps of a stage, as in `reading 12/363 apps/jobs.yaml`; without a total if it is
   * unknown.
   */
  readonly step: (stage: string, done: number, total: number | undefined, what: string) => void;
  /** Clears the line. */
  readonly end: () => void;
}

/** Milliseconds between updates. */
const ON_TERMINAL = 80;
const ELSEWHERE = 2_000;
const WIDTH = 100;

/** In bytes, because control characters in texts are escaped. */
const eraseLine = new TextEncoder().encode('\r\x1b[K');

/** Shows progress on a stream. Shows nothing for jobs shorter than one update, so that small ones stay quiet. */
export function createProgress(stream: ProgressStream, now: () => number = Date.now): Progress {
  const interval = stream.isTTY === true ? ON_TERMINAL : ELSEWHERE;
  let last = now();
  let isShown = false;
  return {
    step: (stage, done, total, what) => {
      if (now() - last < interval) return;
      last = now();
      isShown = true;
      const line = `${stage} ${done}${total === undefined ? '' : `/${total}`} ${what}`.slice(0, WIDTH);
      if (stream.isTTY === true) stream.write(eraseLine);
      stream.write(stream.isTTY === true ? line : `${line}\n`);
    },
    end: () => {
      if (isShown && stream.isTTY === true) stream.write(eraseLine);
      isShown = false;
    },
  };
}

export const noProgress: Progress = { step: () => {}, end: () => {} };

/** The streams of a job. */
export interface Console {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  readonly progress: ProgressStream;
}

/** Standard output and standard error. */
export const standardConsole: Console = {
  out: (line) => void process.stdout.write(`${line}\n`),
  error: (line) => void process.stderr.write(`${line}\n`),
  progress: process.stderr,
};
