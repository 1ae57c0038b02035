import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { builtCommand } from '../../support/built-command.js';

/** Never answers, so that a command waits for it. */
const silent = createServer(() => undefined).listen(0, '127.0.0.1');
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

it('is not opened by SIGUSR1', async () => {
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const args = [builtCommand(), 'get', 'pods', '--server', `http://127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH } });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  await once(silent, 'request');
  child.kill('SIGUSR1');
  // Node opens the inspector in a thread of its own, and prints it.
  await new Promise((done) => setTimeout(done, 500));
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(Buffer.concat(said).toString()).toBe('');
});
