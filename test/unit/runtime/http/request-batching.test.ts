/** Requests that arrive in one turn of the event loop are handled together at its end; later ones come after them. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { nodeListener } from '../../../../runtime/http/node-listener.js';

const log: string[] = [];
const listener = nodeListener(({ path }) => {
  log.push(`handled ${path}`);
  return { code: 200, contentType: 'text/plain', body: Buffer.from(path) };
});
const server = createServer((req, res) => {
  log.push(`came ${req.url}`);
  res.once('prefinish', () => log.push(`answered ${req.url}`));
  listener(req, res);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

/** Pipelined requests, which the server reads in one go, and what was logged of them. */
async function logOf(...paths: string[]): Promise<string[]> {
  log.length = 0;
  const address = server.address();
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const heads = paths.map((path, i) => {
    const connection = i === paths.length - 1 ? 'close' : 'keep-alive';
    return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\n\r\n`;
  });
  socket.write(heads.join(''));
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return [...log];
}

it('are handled side by side, and answered after that', async () => {
  const all = ['came /1', 'came /2', 'handled /1', 'handled /2', 'answered /1', 'answered /2'];
  expect(await logOf('/1', '/2')).toEqual(all);
});

it('does not wait for those that arrive later', async () => {
  const each = ['came /1', 'handled /1', 'answered /1'];
  expect(await logOf('/1')).toEqual(each);
  expect(await logOf('/1')).toEqual(each);
});
