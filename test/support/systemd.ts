/** Takes the place of systemd: receives the messages of services, and passes sockets to them. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './shared.js';

/** Whether services can send messages. */
export const hasSystemdNotify = spawnSync('systemd-notify', ['--version']).status === 0;

export const python = '/usr/bin/python3';
export const hasPython = spawnSync(python, ['--version']).status === 0;

/** The program of Python that passes sockets to a command. */
export const passSockets = join(root, 'test/support/systemd/pass_sockets.py');

/** Receives messages on a socket. */
export interface Receiver {
  /** The messages so far, without barriers, which carry none. */
  readonly messages: readonly string[];
  dispose(): void;
}

/** Resolves once it listens on a socket: a path, or a name in the abstract namespace, which begins with `@`. */
export async function startReceiver(socket: string): Promise<Receiver> {
  const child = spawn(python, [join(root, 'test/support/systemd/receive.py'), socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = String(JSON.parse(line));
      if (message === 'bound') resolve();
      else if (message !== 'BARRIER=1') messages.push(message);
    });
    child.once('close', () => reject(new Error('the receiver ended')));
  });
  return { messages, dispose: () => void child.kill('SIGKILL') };
}
