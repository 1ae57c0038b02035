/** Runs `kindforge serve` as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtCommand } from './built-command.js';
import { letIn } from './let-in.js';

export interface ServeProcess {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Returns all output so far, of both streams. */
  output(): string;
  /** Kills the server like a crash, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Starts the server on a free port. Resolves when it listens, or rejects with its output if it ends before. */
export async function startServe(...flags: readonly string[]): Promise<ServeProcess> {
  const args = [builtCommand(), 'serve', '--http-port', 'auto', '--secure-port', '0', ...letIn(flags), ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown): void => {
      printed += String(chunk);
      const found = /listening on\s+(\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exit.then(() => reject(new Error(`serve ended: ${printed}`)));
  });
  return {
    url,
    output: () => printed,
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
