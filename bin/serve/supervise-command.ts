/**
 * Runs `kindforge dev` as the process that watches. It starts the same command as two other processes: one serves, and
 * one generates code.
 */
import { fork } from 'node:child_process';
import { supervise } from '../project/dev/supervise.js';
import { untilAskedToStop } from './last-handler.js';

/**
 * Supervises a server until a signal asks to stop. Resolves once the server has stopped. `variable` is the environment
 * variable with the role of each process.
 */
export async function superviseCommand(variable: string): Promise<void> {
  const [, program = '', ...args] = process.argv;
  const ended = new AbortController();
  void untilAskedToStop().then(() => ended.abort());
  await supervise({
    spawn: (role) => fork(program, args, { env: { ...process.env, [variable]: role } }),
    print: (line) => console.log(line),
    ended,
  });
}
