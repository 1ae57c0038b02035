/** The exit codes of the command, the same for all of its subcommands. */

/** How a subcommand ended. */
export type Ending = 'done' | 'refused' | 'failed';

/** `refused`: the input is wrong. `failed`: a flag is wrong, or the system refused. */
export const exitCodes: Readonly<Record<Ending, number>> = { done: 0, refused: 1, failed: 2 };
