/** Connections are counted once, and a flood of requests leaves no listeners behind. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usualSizes } from '../../../../runtime/http/limits.js';
import { type Listening, listen } from '../../../../runtime/http/listen.js';
import { defineInProgress } from '../../../../runtime/http/node-listener.js';
import { Connections } from '../../../../runtime/http/refusals.js';
import { defineWebSockets } from '../../../../runtime/http/websocket.js';
import type { ApiResponse } from '../../../../runtime/request/api-request.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { suiteApi } from '../../../support/test-api.js';
import { widgets, widgetsPath } from '../../../support/widgets.js';

const tls = await makeServerCertificate();

const warnings: string[] = [];
const note = ({ message }: Error): void => void warnings.push(message);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', note);
});
afterEach(async () => {
  // Node reports a warning in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

/** Opens a connection for requests of HTTP/1.1. */
async function dial({ url }: Listening): Promise<Socket> {
  const { port, protocol } = new URL(url);
  const at = { host: '127.0.0.1', port: Number(port) };
  const isSecure = protocol === 'https:';
  const socket = isSecure ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
  socket.on('error', () => {});
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  return socket;
}

const requestText = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

const asksForUpgrade = requestText('GET /version', 'Connection: Upgrade', 'Upgrade: h2c');

/** Sends a request, and returns the status line of its answer, which must come in one piece. */
async function statusOf(socket: Socket, text: string): Promise<string> {
  const answered = once(socket, 'data');
  socket.write(text);
  return String((await answered)[0]).split('\r\n')[0] ?? '';
}

describe.each([
  ['plain', {}],
  ['TLS', { tls }],
])('a connection over %s', (_name, secured) => {
  it('counts once, however often it asks for an upgrade', async () => {
    const respond = (): ApiResponse => ({ code: 200, contentType: 'text/plain', body: Buffer.from('here') });
    const listening = await listen(
      defineInProgress(respond),
      defineWebSockets({ respond, tokenProtocol: 'token.' }),
      { host: '127.0.0.1', port: 0, ...secured },
      { sizes: usualSizes, connections: new Connections(3) },
    );
    const both = [await dial(listening), await dial(listening)];
    for (const socket of both) {
      for (let i = 0; i < 150; i++) expect(await statusOf(socket, asksForUpgrade)).toBe('HTTP/1.1 200 OK');
    }
    const third = await dial(listening);
    expect(await statusOf(third, requestText('GET /version'))).toBe('HTTP/1.1 200 OK');
    const fourth = await dial(listening);
    expect(await statusOf(fourth, requestText('GET /version'))).toMatch(/^HTTP\/1.1 503/);
    for (const socket of [...both, third, fourth]) socket.destroy();
    await listening.close();
  });
});

describe('a flood causes no warnings:', async () => {
  const api = await suiteApi([widgets]);
  const plain = await api.listen();
  const secure = await api.listen({ tls });

  const watch = `${widgetsPath}?watch=true`;
  const unfinished = requestText(`POST ${widgetsPath}`, 'Content-Type: application/json', 'Content-Length: 9');
  const handshake = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];

  it.each([
    ['requests sent without waiting for answers', requestText('GET /version').repeat(200), 1],
    ['watches sent without waiting for answers', requestText(`GET ${watch}`).repeat(200), 1],
    ['upgrades sent without waiting for answers', asksForUpgrade.repeat(200), 1],
    ['upgrades that watch', requestText(`GET ${watch}`, 'Connection: Upgrade', 'Upgrade: h2c').repeat(200), 1],
    ['watches with a connection each', requestText(`GET ${watch}`), 100],
    ['bodies that do not come', unfinished, 100],
    ['WebSockets', requestText(`GET ${watch}`, ...handshake), 100],
    ['WebSockets that nothing serves', requestText('GET /nothing', ...handshake), 100],
  ])('%s', async (_what, text, count) => {
    for (const listening of [plain, secure]) {
      const sockets = await Promise.all(Array.from({ length: count }, () => dial(listening)));
      for (const socket of sockets) {
        socket.resume();
        socket.write(text);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const socket of sockets) socket.destroy();
    }
  });

  it.each([
    ['watches over one HTTP/2 connection', 'GET', watch],
    ['lists over one HTTP/2 connection', 'GET', widgetsPath],
    ['bodies that do not come over one HTTP/2 connection', 'POST', widgetsPath],
  ])('%s', async (_what, method, path) => {
    const session = connectHttp2(secure.url, { rejectUnauthorized: false });
    let answered = 0;
    for (let i = 0; i < 200; i++) {
      const stream = session.request(
        { ':method': method, ':path': path, 'content-type': 'application/json' },
        { endStream: method === 'GET' },
      );
      stream.on('error', () => {});
      stream.once('response', () => answered++);
      stream.resume();
    }
    if (method === 'GET') await vi.waitUntil(() => answered === 200, { timeout: 20_000 });
    else await new Promise((resolve) => setTimeout(resolve, 100));
    session.destroy();
  });
});
