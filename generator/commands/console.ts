/** Where the jobs of the command print to. */
import type { ProgressStream } from '../diagnostics/progress.js';

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
