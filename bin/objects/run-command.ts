/** Runs a command about objects of a server: finds the server, and reports what went wrong. */
import { exitCodes } from '../exit-codes.js';
import { type About, reportFailure } from './failure.js';
import { type Printing, standardPrinting } from './printing.js';
import type { ServerFlags } from './server-flags.js';
import { type Target, targetOf } from './target.js';

/** The input of a command. */
export interface Running {
  readonly target: Target;
  readonly printing: Printing;
  /** Reports a failure that does not end the command. */
  readonly tell: (error: unknown) => void;
}

/**
 * Sets the exit code of the process. `job` resolves to whether all went well. `check` throws a `Refusal` for mistakes
 * that do not depend on the server.
 */
export async function runCommand(
  flags: ServerFlags,
  about: About,
  job: (running: Running) => Promise<boolean>,
  check: () => void = () => {},
): Promise<void> {
  const printing = standardPrinting;
  let from: string | undefined;
  const print = (error: unknown): number => {
    const { ending, lines } = reportFailure(error, { ...about, ...(from === undefined ? {} : { from }) });
    for (const line of lines) printing.error(line);
    return exitCodes[ending];
  };
  try {
    check();
    const target = targetOf(flags);
    from = target.from;
    const done = await job({ target, printing, tell: (error) => void print(error) });
    process.exitCode = exitCodes[done ? 'done' : 'refused'];
  } catch (error) {
    process.exitCode = print(error);
  }
}
