/** Runs the real kubectl against a server. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a command printed and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** kubectl, bound to a server and to a home of its own, so that nothing is cached between tests. */
export interface Kubectl {
  run(...args: string[]): Promise<Ran>;
  /** Runs with a text as standard input. */
  pipe(input: string, ...args: string[]): Promise<Ran>;
  /** Runs and leaves it running. */
  start(...args: string[]): ChildProcess;
  /** Writes a file to a folder of the test's and gives its path. */
  file(name: string, text: string): string;
  /** Ends what is still running, and removes the home. */
  close(): void;
}

/** Whether kubectl is installed; tests that need it say in their name that they are skipped without it. */
export const hasKubectl = ((): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export function kubectlFor(server: string): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
  const file = (name: string, text: string): string => {
    const path = join(home, name);
    writeFileSync(path, text);
    return path;
  };
  const flags = ['--cache-dir', join(home, 'cache')];
  const env = { ...process.env, HOME: home, KUBECONFIG: file('config', kubeconfig(server)) };
  const started: ChildProcess[] = [];
  const run = (args: readonly string[], input?: string): Promise<Ran> =>
    new Promise((resolve) => {
      const child = execFile('kubectl', [...flags, ...args], { env, maxBuffer: 64 << 20 }, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, out, err });
      });
      if (input !== undefined) child.stdin?.end(input);
    });
  return {
    run: (...args) => run(args),
    pipe: (input, ...args) => run(args, input),
    start: (...args) => {
      const child = spawn('kubectl', [...flags, ...args], { env });
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

const kubeconfig = (server: string): string => `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "${server}"}}]
users: [{name: test, user: {}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
current-context: test
`;
