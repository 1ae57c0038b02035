/** Requests that arrive in one turn of the event loop are handled together at its end; later ones come after them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { nodeListener } from '../../../../runtime/http/node-listener.js';
import { listenLocally } from '../../../support/local-server.js';

const log: string[] = [];
const listener = nodeListener(({ path }) => {
  log.push(`handled ${path}`);
  return { code: 200, contentType: 'text/plain', body: Buffer.from(path) };
});
/** Requests that wait until all requests of the same turn have come. */
let waiting: [IncomingMessage, ServerResponse][] = [];
let together = 1;
const server = createServer((req, res) => {
  res.once('prefinish', () => log.push(`answered ${req.url}`));
  if (waiting.push([req, res]) < together) return;
  const arrived = waiting.sort(([a], [b]) => Number(a.url?.slice(1)) - Number(b.url?.slice(1)));
  waiting = [];
  for (const [request, response] of arrived) {
    log.push(`came ${request.url}`);
    listener(request, response);
  }
});
const port = await listenLocally(server);
afterAll(() => server.close());

/** Sends a request by a connection of its own, and waits for its answer. */
async function ask(path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

/** Sends requests in one turn, and returns the log. */
async function logOf(...paths: string[]): Promise<string[]> {
  log.length = 0;
  together = paths.length;
  await Promise.all(paths.map(ask));
  return [...log];
}

it('are handled side by side, and answered after that', async () => {
  const all = ['came /1', 'came /2', 'handled /1', 'handled /2', 'answered /1', 'answered /2'];
  expect(await logOf('/1', '/2')).toEqual(all);
});

it('does not wait for later requests', async () => {
  const each = ['came /1', 'handled /1', 'answered /1'];
  expect(await logOf('/1')).toEqual(each);
  expect(await logOf('/1')).toEqual(each);
});
