/** A program of a test suite's control plane, started, awaited and stopped as suites do. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { untilOk } from './suite-client.js';

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SuiteProcess {
  readonly pid: number;
  /** All output so far. */
  readonly printed: () => string;
  /** Resolves when the program has ended and all its output has been read. */
  readonly ended: Promise<Ended>;
  /** Asks the program to end, and waits for its end. */
  stop(): Promise<Ended>;
}

/** Finds a free port. */
export async function suggestPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts a program of the folder without standard input, in `cwd`, with the environment of this process and `more`. */
export function startProcess(
  assets: string,
  name: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  cwd?: string,
): SuiteProcess {
  const child = spawn(join(assets, name), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...more },
    cwd,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return {
    pid: child.pid ?? 0,
    printed: () => text,
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Starts a program, and resolves when its address answers 200. Rejects with its output if the program ends before. */
export async function startHealthy(url: string, ...process: Parameters<typeof startProcess>): Promise<SuiteProcess> {
  const started = startProcess(...process);
  await untilOk(url, started.ended).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${started.printed()}`);
  });
  return started;
}

/** Reports whether the help of a program lists a flag at the beginning of a line; rejects if it prints no help. */
export async function hasFlag(assets: string, name: string, flag: string): Promise<boolean> {
  const { code, text } = await runProcess(assets, name, ['--help']);
  if (code !== 0) throw new Error(`${name} --help ended with ${code}`);
  return new RegExp(`^\\s*--${flag}\\b`, 'm').test(text);
}

/** Runs a program to its end. */
export const runProcess = (
  assets: string,
  name: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly text: string }> =>
  new Promise((resolve) => {
    execFile(join(assets, name), args, { env: { ...process.env, ...more } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, text: out + err }),
    );
  });
