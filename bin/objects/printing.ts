/** Where commands about objects print to. */

/** Lines for standard output, and for standard error. */
export interface Printing {
  readonly out: (line: string) => void;
  /** Text for standard output that has its own ends of lines. */
  readonly text: (text: string) => void;
  readonly error: (line: string) => void;
}

/** Those of the process. */
export const standardPrinting: Printing = {
  out: (line) => void process.stdout.write(`${line}\n`),
  text: (text) => void process.stdout.write(text),
  error: (line) => void process.stderr.write(`${line}\n`),
};
