/** Starts TypeScript files of the tests as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundled } from './bundled.js';

export interface Child {
  readonly process: ChildProcess;
  /** Resolves to the next message of the process; rejects if it ends without one. */
  message(): Promise<unknown>;
  /** Kills the process like a crash, and waits until it has ended. */
  kill(): Promise<void>;
  /** Waits until the process ends. */
  ended(): Promise<void>;
}

/**
 * Starts a file beside this one. `limitKiB` limits the size of each file that the process writes; `umask` is as the
 * shell takes it.
 */
export function startChild(file: string, args: readonly string[], limitKiB?: number, umask?: string): Child {
  const command = [process.execPath, '--enable-source-maps', bundled(join('test/support', file)), ...args];
  const limits = [
    ...(limitKiB === undefined ? [] : [`ulimit -f ${limitKiB}; `]),
    ...(umask === undefined ? [] : [`umask ${umask}; `]),
  ].join('');
  const limited = limits === '' ? command : ['bash', '-c', `${limits}exec "$@"`, 'bash', ...command];
  const child = spawn(limited[0] ?? '', limited.slice(1), { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const messages: unknown[] = [];
  let wake = (): void => {};
  child.on('message', (message) => {
    messages.push(message);
    wake();
  });
  const exit = once(child, 'exit').then(() => wake());
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    async message() {
      while (messages.length === 0) {
        if (isOver()) throw new Error(`the process ended: ${errors}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return messages.shift();
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
    ended: () => exit,
  };
}
