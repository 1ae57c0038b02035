/** Runs the command `kindforge serve` as a process of its own. Tests send it requests and signals, and kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtCommand } from './built-command.js';
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
  /** Returns all output so far, of both streams. */
  output(): string;
  /** Sends a signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  /** Kills the server like a crash, and waits until it has ended. */
  kill(): Promise<Ended>;
}

/** A running command. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Standard output so far. */
  readonly out: () => string;
  /** Errors so far. */
  readonly err: () => string;
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
  return { child, ended, out: () => out, err: () => err };
}

/** Runs the command to its end. */
export const runCommand = (...args: string[]): Promise<Ended> => spawnCommand(...args).ended;

/** Starts a server on a free port. Resolves when it listens, or rejects with its output if it ends before. */
export async function startServerProcess(...flags: readonly string[]): Promise<ServerProcess> {
  const ports = ['--http-port', 'auto', '--secure-port', '0'];
  const { child, ended, out, err } = spawnCommand('serve', ...ports, ...letIn(flags), ...flags);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, found] = /listening on\s+(\S+)\n/.exec(out()) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${out()}${err()}`)));
  });
  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { url, pid: child.pid ?? 0, output: () => out() + err(), end, kill: () => end('SIGKILL') };
}

/** Adds a flag that allows everyone everything, unless the flags are about credentials. */
const letIn = (flags: readonly string[]): readonly string[] =>
  flags.some((flag) => /^--(token-auth-file|anonymous-auth|credentials-dir)$/.test(flag)) ? [] : ['--allow-everyone'];

/** Returns the bytes of memory of a process, or 0 if the system does not report them. */
export function memoryOf({ pid }: ServerProcess): number {
  try {
    const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
