/** `npm start`, as contributors run it. It builds and generates nothing twice, and a signal to npm ends the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { builtCommand } from '../support/built-command.js';
import { root } from '../support/shared.js';

const flags = ['--http-port', 'auto', '--secure-port', '0', '--storage', 'memory', '--allow-everyone'];

let npm: ChildProcess | undefined;
afterEach(() => npm?.kill());

/** Runs `npm start` until it serves. Resolves to the URL and to all output before it. */
function start(): Promise<{ readonly url: string; readonly printed: string }> {
  const child = spawn('npm', ['start', '--silent', '--', ...flags], { cwd: root });
  npm = child;
  let printed = '';
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`npm ended with ${code}: ${printed}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const [, url] = /listening on\s+(\S+)\n/.exec(printed) ?? [];
        if (url !== undefined) resolve({ url, printed });
      });
    }
  });
}

const ended = (): Promise<number | null> => new Promise((resolve) => npm?.once('close', resolve));

it('ends the server when npm gets a signal', async () => {
  const { url } = await start();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const end = ended();
  npm?.kill('SIGTERM');
  // Also waits for the server, because it keeps npm's output open.
  await end;
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
});

it('does not build or generate files that are current', async () => {
  builtCommand();
  await start();
  const end = ended();
  npm?.kill('SIGTERM');
  await end;
  expect((await start()).printed).not.toMatch(/generat|building/);
});
