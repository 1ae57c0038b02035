/**
 * Runs `kindforge dev` as the process that watches: the one that serves is the same command in a process of its own,
 * and so is the one that generates.
 */
import { fork } from 'node:child_process';
import { supervise } from '../project/dev/supervise.js';
import { untilAskedToStop } from './last-handler.js';

/**
 * Supervises a server until asked to stop, and resolves once the server has stopped. `variable` is the environment
 * variable that gives each process its role.
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
