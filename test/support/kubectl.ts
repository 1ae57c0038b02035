/** Runs the real kubectl against a server. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ServeFlags } from '../../bin/flags/serve/index.js';
import { filesIn } from './scratch-folder.js';
import { type ListeningServer, startServing } from './serving.js';
import { kubeconfigFor } from './write-kubeconfig.js';

/** Output and exit code of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** kubectl for one server, with its own home, so that tests do not share a cache. */
export interface Kubectl {
  run(...args: string[]): Promise<Ran>;
  /** Runs kubectl with further environment variables. */
  runWith(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran>;
  /** Runs kubectl with a text as standard input. */
  pipe(input: string, ...args: string[]): Promise<Ran>;
  /** Creates a ConfigMap, or another object, from JSON. */
  create(object: { readonly metadata: object } & Readonly<Record<string, unknown>>): Promise<Ran>;
  /** Starts kubectl and leaves it running. */
  start(...args: string[]): ChildProcess;
  /** Writes a file to the test's folder and returns its path. */
  file(name: string, text: string): string;
  /** Ends processes that still run, and removes the home. */
  close(): void;
}

/** Checks that a command succeeded and returns its output. Warnings are allowed. */
export function printed({ code, out, err }: Ran): string {
  expect(err.replace(/^Warning:.*\n/gm, ''), out).toBe('');
  expect(code, out).toBe(0);
  return out;
}

/**
 * Checks that a wait for a deletion has ended. Clients before 1.24 fail if the object was deleted before they started.
 */
export function expectGone(ran: Ran): void {
  if (ran.err.trim() !== 'error: no matching resources found') printed(ran);
}

/** Whether kubectl is installed. Tests that need it name this condition in their title. */
export const hasKubectl = ((): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/**
 * Finds the newest release among `kubectl` and the `kubectl.1.NN` that some packages install beside it; empty without
 * any.
 */
export function newestKubectl(): { readonly program: string; readonly minor: number } {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'kubectl'))
    .find(existsSync);
  if (found === undefined || !hasKubectl) return { program: '', minor: 0 };
  const beside = dirname(realpathSync(found));
  const releases = readdirSync(beside).flatMap((name) => {
    const minor = /^kubectl\.1\.(\d+)$/.exec(name)?.[1];
    return minor === undefined ? [] : [{ program: join(beside, name), minor: Number(minor) }];
  });
  const version: { readonly clientVersion: { readonly minor: string } } = JSON.parse(
    execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' }),
  );
  const own = { program: 'kubectl', minor: Number.parseInt(version.clientVersion.minor, 10) };
  // `kubectl` may be a wrapper that chooses a release for each server.
  return releases.sort((a, b) => b.minor - a.minor)[0] ?? own;
}

/** Binds kubectl to a server. `program` is the kubectl on the path by default. */
export function kubectlFor(server: string, program = 'kubectl'): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
  const file = filesIn(home);
  const flags = ['--cache-dir', join(home, 'cache')];
  const env = { ...process.env, HOME: home, KUBECONFIG: file('config', kubeconfigFor(server)) };
  const started: ChildProcess[] = [];
  const run = (args: readonly string[], input?: string, more = {}): Promise<Ran> =>
    new Promise((resolve) => {
      const options = { env: { ...env, ...more }, maxBuffer: 64 << 20 };
      const child = execFile(program, [...flags, ...args], options, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, out, err });
      });
      if (input !== undefined) child.stdin?.end(input);
    });
  return {
    run: (...args) => run(args),
    runWith: (environment, ...args) => run(args, undefined, environment),
    pipe: (input, ...args) => run(args, input),
    create: (object) => run(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...object })),
    start: (...args) => {
      const child = spawn(program, [...flags, ...args], { env });
      started.push(child);
      return child;
    },
    file,
    close: () => {
      for (const child of started) child.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a server for the tests of a file or of a `describe`, and kubectl for it. Both run until the tests have ended.
 */
export function kubectlForTests(flags: Partial<ServeFlags> = {}, program?: string): Kubectl & { readonly url: string } {
  let started: { readonly server: ListeningServer; readonly kubectl: Kubectl } | undefined;
  beforeAll(async () => {
    const server = await startServing({ naming: 'kubernetes', ...flags });
    started = { server, kubectl: kubectlFor(server.url, program) };
  });
  afterAll(async () => {
    started?.kubectl.close();
    await started?.server.stop();
  });
  const running = () => {
    if (started === undefined) throw new Error('kubectl starts before the tests, and not before their collection');
    return started;
  };
  return {
    get url() {
      return running().server.url;
    },
    run: (...args) => running().kubectl.run(...args),
    runWith: (...args) => running().kubectl.runWith(...args),
    pipe: (...args) => running().kubectl.pipe(...args),
    create: (object) => running().kubectl.create(object),
    start: (...args) => running().kubectl.start(...args),
    file: (...args) => running().kubectl.file(...args),
    close: () => running().kubectl.close(),
  };
}
