/** Runs the command `kindforge serve` as a process of its own. Tests send it requests and signals, and kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { builtCommand } from './built-command.js';
import { letIn } from './let-in.js';
import { root } from './shared.js';

/** The end of a process, and its output. */
export interface Ended {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A running server. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Sends a signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

/** A running command. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Standard output so far. */
  readonly out: () => string;
}

/** Starts the command and leaves it running. */
export function spawnCommand(...args: string[]): Spawned {
  const child = spawn(process.execPath, [builtCommand(), ...args], { cwd: root });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  return { child, ended, out: () => out };
}

/** Runs the command to its end. */
export const runCommand = (...args: string[]): Promise<Ended> => spawnCommand(...args).ended;

/** Starts a server on a free port. Resolves when it listens, or rejects with its output if it ends before. */
export async function startServerProcess(...flags: string[]): Promise<ServerProcess> {
  const { child, ended, out } = spawnCommand(
    'serve',
    '--http-port',
    'auto',
    '--secure-port',
    '0',
    ...letIn(flags),
    ...flags,
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, found] = /listening on\s+(\S+)\n/.exec(out()) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ code, err }) => reject(new Error(`the server ended with ${code}: ${err}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
