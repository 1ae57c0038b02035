/** Requests that arrive in one turn of the event loop are handed on together at its end; later ones come after them. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { batchRequests } from '../../../../runtime/http/request-batching.js';

const log: string[] = [];
const listener = batchRequests((req, res) => {
  log.push(`took ${req.url}`);
  queueMicrotask(() => log.push(`after ${req.url}`));
  res.end();
});
const server = createServer((req, res) => {
  log.push(`came ${req.url}`);
  void listener(req, res);
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
    return `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;
  });
  socket.write(heads.join(''));
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return [...log];
}

it('are taken side by side, and what they leave to do is done after all of them', async () => {
  expect(await logOf('/1', '/2')).toEqual(['came /1', 'came /2', 'took /1', 'took /2', 'after /1', 'after /2']);
});

it('begins anew for those that arrive later', async () => {
  const each = ['came /1', 'took /1', 'after /1'];
  expect(await logOf('/1')).toEqual(each);
  expect(await logOf('/1')).toEqual(each);
});
