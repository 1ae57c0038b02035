/** Runs `kindforge dev` as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtCommand } from './built-command.js';

export interface DevProcess {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
  /**
   * Waits until a text is printed once more than callers have waited for it. Returns all output since the last wait.
   */
  until(text: string): Promise<string>;
  /** Returns all output so far. */
  printed(): string;
  /** Sends SIGTERM to the command, or to one of its processes, and resolves to the command's exit code. */
  stop(pid?: number): Promise<number | null>;
}

/** Starts the command on a free port. Resolves when it serves, or rejects with its output if it ends before. */
export async function startDev(folder: string, ...flags: readonly string[]): Promise<DevProcess> {
  const args = [builtCommand(), 'dev', '--http-port', 'auto', '--secure-port', '0', '--allow-everyone', ...flags];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let printed = '';
  let read = 0;
  const seen = new Map<string, number>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: unknown) => {
      printed += String(chunk);
    });
  }
  const until = async (text: string): Promise<string> => {
    for (let waits = 0; ; waits++) {
      const found = printed.indexOf(text, seen.get(text) ?? 0);
      if (found >= 0) {
        const [from, end] = [read, found + text.length];
        seen.set(text, end);
        read = Math.max(read, end);
        return printed.slice(Math.min(from, found), end);
      }
      if (child.exitCode !== null) throw new Error(`dev ended:\n${printed}`);
      if (waits > 400) throw new Error(`dev never printed ${text}:\n${printed}`);
      await sleep(50);
    }
  };
  const started = await until('Stop with Ctrl+C.');
  const [, url = ''] = /listening on\s+(\S+)/.exec(started) ?? [];
  return {
    url,
    until,
    printed: () => printed,
    async stop(pid) {
      if (pid === undefined) child.kill('SIGTERM');
      else process.kill(pid, 'SIGTERM');
      await exit;
      return child.exitCode;
    },
  };
}
