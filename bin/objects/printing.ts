/** Where commands about objects print to. */

/** Lines for standard output, and for standard error. */
export interface Printing {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** Those of the process. */
export const standardPrinting: Printing = {
  out: (line) => void process.stdout.write(`${line}\n`),
  error: (line) => void process.stderr.write(`${line}\n`),
};
