/** Pipelined requests of a connection: each starts in its turn, and none is lost. */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { type NodeListener, nodeListener } from '../../../../runtime/http/node-listener.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { listenLocally } from '../../../support/local-server.js';

const tls = await makeServerCertificate();
let server: Server | undefined;
afterEach(() => {
  server?.close();
});

type MakeServer = (listener: NodeListener) => Server;

async function dial(make: MakeServer, listener: NodeListener): Promise<Socket> {
  const listening = make(listener);
  server = listening;
  const port = await listenLocally(listening);
  return make === secure ? connectTls({ port, host: '127.0.0.1', ca: tls.cert }) : connect(port, '127.0.0.1');
}

const plain: MakeServer = (listener) => createServer(listener);
const secure: MakeServer = (listener) => createSecureServer(tls, listener);

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

const text = (body: string) => ({ code: 200, contentType: 'text/plain', body: Buffer.from(body) });

it('start once the earlier ones have their answers; nothing more is read until then', async () => {
  const begun: string[] = [];
  let came = 0;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const listener = nodeListener(async ({ path }) => {
    begun.push(path);
    if (path === '/0') await held;
    return text(path);
  });
  const socket = await dial(plain, (req, res) => {
    came++;
    listener(req, res);
  });
  const many = 50_000;
  const heads = Array.from({ length: many }, (_, i) => get(`/${i}`));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  socket.write(heads.join('') + get('/last', 'Connection: close'));
  await expect.poll(() => begun).toEqual(['/0']);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(begun).toEqual(['/0']);
  expect(came).toBeLessThan(many / 2);
  release();
  await closed;
  expect(begun).toHaveLength(many + 1);
  expect(heard.match(/\/\d+(?=HTTP)/g)).toEqual(Array.from({ length: many }, (_, i) => `/${i}`));
}, 60_000);

it.each([
  ['plain', plain],
  ['secure', secure],
] as const)(
  'are all answered, with bodies and answers of any size: %s',
  async (_, make) => {
    const listener = nodeListener(async (request) => {
      const body = await request.readBody(1_000_000);
      return text(`${body.ok ? body.value.length : 'none'} `.repeat(10_000));
    });
    const socket = await dial(make, listener);
    let answers = 0;
    socket.on('data', (chunk: Buffer) => {
      answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const body = 'x'.repeat(100_000);
    const post = (i: number) =>
      `POST /${i} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(Array.from({ length: 30 }, (__, i) => post(i)).join('') + get('/last', 'Connection: close'));
    await closed;
    expect(answers).toBeGreaterThanOrEqual(30);
  },
  60_000,
);
