/** The proxy of `kindforge access record` passes on everything that a client may send, and records it. */
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { SeenRequest } from '../../../runtime/server/index.js';
import { type RecordingProxy, startProxy } from '../../../server/access/recording-proxy.js';
import { reachedBy } from '../../../server/webhooks/webhook-file.js';
import { listenLocally } from '../../support/local-server.js';
import { startServing } from '../../support/serving.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function proxyTo(
  baseUrl: string,
  user: { token?: string } = {},
): Promise<{ proxy: RecordingProxy; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const connection = reachedBy({ baseUrl, ...user, tls: { insecure: false } }, '.');
  const proxy = await startProxy(connection, (one) => seen.push(one));
  ends.push(() => proxy.close());
  return { proxy, seen };
}

interface Answer {
  readonly code: number | undefined;
  readonly text: string;
}

function send(
  { url, ca, token }: RecordingProxy,
  path: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}${path}`,
      { ca, method, agent: false, headers: { authorization: `Bearer ${token}`, ...headers } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += String(chunk);
        });
        answer.on('end', () => resolve({ code: answer.statusCode, text }));
      },
    );
    call.on('error', reject).end(body);
  });
}

/** Starts a server that answers with the request it got. */
async function echoing(): Promise<string> {
  const server: Server = createServer(async (got, response) => {
    let body = '';
    for await (const chunk of got) body += String(chunk);
    response.end(JSON.stringify({ method: got.method, url: got.url, raw: got.rawHeaders, body }));
  });
  const port = await listenLocally(server);
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${port}`;
}

it('passes on method, path, body and headers, with the credentials of the user', async () => {
  const upstream = await echoing();
  const { proxy, seen } = await proxyTo(`${upstream}/base/`, { token: 'of-the-user' });
  const { text } = await send(proxy, '/api/v1/pods?x=%2F', {
    method: 'DELETE',
    headers: { 'impersonate-group': ['a', 'b'], 'transfer-encoding': 'chunked', 'x-own': '1', connection: 'x-own' },
    body: '{"a":1}',
  });
  const { raw, ...got } = JSON.parse(text) as { raw: string[] };
  expect(got).toEqual({ method: 'DELETE', url: '/base/api/v1/pods?x=%2F', body: '{"a":1}' });
  const values = (name: string) => raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
  expect(values('impersonate-group')).toEqual(['a', 'b']);
  expect(values('authorization')).toEqual(['Bearer of-the-user']);
  expect(values('host')).toEqual([new URL(upstream).host]);
  expect(values('x-own')).toEqual([]);
  expect(seen).toMatchObject([
    { method: 'DELETE', url: '/api/v1/pods?x=%2F', headers: { 'impersonate-group': ['a', 'b'] } },
  ]);
});

it('passes on upgraded connections in both directions', async () => {
  const server = await startServing({ naming: 'kubernetes' });
  ends.push(() => server.stop());
  const { proxy, seen } = await proxyTo(server.url);
  const path = '/api/v1/namespaces?watch=true';
  const socket = new WebSocket(`${proxy.url.replace('https:', 'wss:')}${path}`, {
    ca: proxy.ca,
    headers: { authorization: `Bearer ${proxy.token}` },
  });
  const event = await new Promise((resolve, reject) => {
    socket.on('message', (data) => resolve(JSON.parse(String(data))));
    socket.on('error', reject);
  });
  expect(event).toMatchObject({ type: 'ADDED', object: { kind: 'Namespace' } });
  expect(seen).toMatchObject([{ method: 'GET', url: path }]);
  socket.close();
});

it('refuses requests without its token', async () => {
  const { proxy, seen } = await proxyTo(await echoing());
  expect(await send(proxy, '/api', { headers: { authorization: 'Bearer other' } })).toMatchObject({ code: 401 });
  const refused = new WebSocket(`${proxy.url.replace('https:', 'wss:')}/api`, { ca: proxy.ca });
  const error = await new Promise((resolve) => refused.on('error', resolve));
  expect(String(error)).toContain('401');
  expect(seen).toEqual([]);
});

it('reports that the server does not answer', async () => {
  const { proxy } = await proxyTo('http://127.0.0.1:1');
  const { code, text } = await send(proxy, '/api');
  expect(code).toBe(502);
  expect(JSON.parse(text)).toMatchObject({ kind: 'Status', message: expect.stringContaining('ECONNREFUSED') });
});
