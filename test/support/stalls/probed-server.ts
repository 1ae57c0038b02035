/** A server in its own process. It reports how long single requests have delayed all others. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request as ask } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../../runtime/objects/guards.js';
import { builtCommand } from '../built-command.js';

/** Whether this system reports the processor time of a thread. */
export const canProbe = existsSync('/proc/self/schedstat');

/** A request to measure. */
export interface Heavy {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds of processor time. */
export interface Stall {
  /** The longest time in which no other request could run. */
  readonly longest: number;
  /** The total time that the request has taken in the main thread. */
  readonly total: number;
  readonly code: number;
  readonly answer: string;
}

export interface ProbedServer {
  measure(heavy: Heavy): Promise<Stall>;
  stop(): Promise<void>;
}

/** All features on, with Kubernetes' names, in memory. */
export const probedFlags: readonly string[] = [
  '--allow-everyone',
  '--storage=memory',
  '--naming=kubernetes',
  '--runtime-config=api/all=true',
  '--feature-gates=ValidatingAdmissionPolicy=true,DynamicResourceAllocation=true',
];

const probe = fileURLToPath(new URL('./probe.mjs', import.meta.url));

/** Starts the built command on a free port. */
export async function startProbed(flags: readonly string[], nodeFlags: readonly string[] = []): Promise<ProbedServer> {
  const args = [
    '--import',
    probe,
    ...nodeFlags,
    builtCommand(),
    'serve',
    '--http-port',
    'auto',
    '--secure-port',
    '0',
    ...flags,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const origin = await Promise.race([
    addressOf(child),
    exit.then(([code]) => Promise.reject(new Error(`serve ended with ${String(code)}`))),
  ]);
  return {
    async measure(heavy) {
      await takeStall(child);
      const answered = await send(origin, heavy);
      // Work after the answer counts as well.
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        const stall = await takeStall(child);
        Object.assign(answered, {
          longest: Math.max(answered.longest, stall.longest),
          total: answered.total + stall.total,
        });
        if (stall.total < 20) return answered;
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk);
      const found = /listening on\s+(https?:\/\/[^\s/]+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

/** Returns the longest stall since the last call. */
async function takeStall(child: ChildProcess): Promise<{ longest: number; total: number }> {
  const told = once(child, 'message');
  child.send('take');
  const [stall] = await told;
  if (!isObject(stall)) throw new Error('the probe has not answered');
  return { longest: Number(stall.longest), total: Number(stall.total) };
}

function send(origin: string, { method, path, body, type, headers = {} }: Heavy): Promise<Stall> {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const contentType = body === undefined ? {} : { 'content-type': type ?? 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = ask(`${origin}${path}`, { method, headers: { ...contentType, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString('latin1');
        resolve({ longest: 0, total: 0, code: response.statusCode ?? 0, answer });
      });
    });
    asked.on('error', reject);
    asked.end(text);
  });
}
