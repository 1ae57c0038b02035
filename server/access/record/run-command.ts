/** Runs a command with a kubeconfig of its own, which goes when the command ends. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Exit codes as shells give them. */
const [cannotRun, notFound, bySignal] = [126, 127, 128];

/** The exit code of a command, with a note where it could not be run. */
export interface CommandEnd {
  readonly code: number;
  readonly remark?: string;
}

/** Output and input are those of this process. Signals that this process gets go on to the command. */
export async function runCommand([program = '', ...args]: readonly string[], kubeconfig: object): Promise<CommandEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-record-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const path = join(folder, 'config');
    writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600, flag: 'wx' });
    const cache = { KUBECACHEDIR: join(folder, 'cache') };
    return await ended(program, args, { ...cache, ...process.env, KUBECONFIG: path });
  } finally {
    remove();
    process.removeListener('exit', remove);
  }
}

function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    const pass = (signal: NodeJS.Signals): void => {
      // A terminal sends this one to the command itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, pass);
    const done = (end: CommandEnd): void => {
      for (const signal of signals) process.removeListener(signal, pass);
      resolve(end);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? notFound : cannotRun;
      done({ code, remark: `${program} cannot be run: ${error.message}` });
    });
    child.on('exit', (code, signal) => done({ code: code ?? bySignal + (signal ? constants.signals[signal] : 0) }));
  });
}
