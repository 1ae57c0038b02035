/** Requests that are passed on to programs behind objects, over real sockets. */
import { createServer, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { defineForwarder } from '../../../../runtime/http/forward.js';
import { platformNaming as names } from '../../../../runtime/objects/names/naming.js';
import { conversions, virtualHandlers } from '../../../../strategies/index.js';
import { requestOf } from '../../../support/api-requests.js';
import { registry } from '../../../support/built-in-modules.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { listenLocally } from '../../../support/local-server.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';

type Behaviour = (req: IncomingMessage, res: import('node:http').ServerResponse) => void;

const echo: Behaviour = (req, res) => {
  const { method, url, rawHeaders } = req;
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => res.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() })));
};

let api: TestApi;
let host = '';
let close = async (): Promise<void> => {};
const target: Server = createServer((req, res) => behaviour(req, res));
let behaviour: Behaviour = echo;
let port = 0;
let pods = '';

async function makePod(on: TestApi, name: string, podIP: string): Promise<void> {
  const path = '/api/v1/namespaces/default/pods';
  await on.send('POST', path, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await on.send('PATCH', `${path}/${name}/status`, { status: { podIP, podIPs: [{ ip: podIP }] } });
}

beforeAll(async () => {
  port = await listenLocally(target);
  api = await startTestApi(registry, { conversions, virtualHandlers: virtualHandlers(names), proxyLoopback: true });
  const listening = await api.server.listen({ host: '127.0.0.1', port: 0 });
  host = new URL(listening.url).host;
  close = () => listening.close();
  await makePod(api, 'p', '127.0.0.1');
  pods = '/api/v1/namespaces/default/pods';
});

afterAll(async () => {
  await close();
  await api.close();
  target.closeAllConnections();
  target.close();
  expect(api.defects).toEqual([]);
});

beforeEach(() => {
  behaviour = echo;
});

interface Got {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const open = (path: string, options: RequestOptions = {}) => {
  const [hostname = '', port = ''] = host.split(':');
  return request({ hostname, port, path, agent: false, ...options });
};

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Sends a request, and reads the whole answer. */
function ask(path: string, options: RequestOptions = {}, body = ''): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = open(path, options);
    asked.on('error', reject);
    asked.on('response', (answer) => {
      const { statusCode: code = 0, headers } = answer;
      textOf(answer).then((text) => resolve({ code, headers, text }), reject);
    });
    asked.end(body);
  });
}

const root = (): string => `${pods}/p:${port}/proxy`;

/** Returns what the program has seen, with headers as pairs. */
function seen({ text }: Got): { method: string; url: string; body: string; headers: Record<string, string[]> } {
  const { rawHeaders, ...rest } = JSON.parse(text);
  const headers: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    headers[name] = [...(headers[name] ?? []), rawHeaders[i + 1]];
  }
  return { ...rest, headers };
}

describe('a request', () => {
  it.each([
    ['GET', '/', '/'],
    ['GET', '/a//b/?x=1&y=%20&x=2', '/a//b/?x=1&y=%20&x=2'],
    ['PUT', '/a%2Fb/%C3%A9/../c/', '/a%2Fb/%C3%A9/../c/'],
    ['DELETE', '/?timeout=1s', '/?timeout=1s'],
    ['POST', '', '/'],
    ['PATCH', '?a=b', '/?a=b'],
    ['OPTIONS', '/api/v1', '/api/v1'],
    ['GET', '%2Fescaped', '/escaped'],
  ])('%s of %j asks for %j', async (method, sent, url) => {
    expect(seen(await ask(root() + sent, { method }))).toMatchObject({ method, url });
  });

  it('takes its path from the query if it has none of its own', async () => {
    expect(seen(await ask(`${root()}?path=/from/query`)).url).toBe('/from/query?path=/from/query');
    expect(seen(await ask(`${root()}/own?path=/from/query`)).url).toBe('/own?path=/from/query');
  });

  it.each(['text', 'x'.repeat(500_000)])('is passed on with its body', async (body) => {
    const known = { method: 'POST', headers: { 'content-length': String(body.length) } };
    expect(seen(await ask(`${root()}/`, known, body))).toMatchObject({
      body,
      headers: { 'content-length': [String(body.length)] },
    });
    const chunked = { method: 'POST', headers: { 'transfer-encoding': 'chunked' } };
    expect(seen(await ask(`${root()}/`, chunked, body))).toMatchObject({
      body,
      headers: { 'transfer-encoding': ['chunked'] },
    });
  });

  it('has no credentials and no headers of the connection, and names its sender', async () => {
    const got = await ask(`${root()}/a?b`, {
      headers: {
        authorization: 'Bearer secret',
        cookie: 'a=b',
        connection: 'close, X-Hop',
        'keep-alive': '5',
        te: 'trailers',
        'proxy-authorization': 'Basic x',
        'x-hop': '1',
        'impersonate-user': 'u',
        'impersonate-extra-a': 'e',
        'x-remote-user': 'r',
        'x-remote-extra-scopes': 's',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-uri': '/elsewhere',
        'x-own': ['1', '2'],
        'x-text': Buffer.from('é').toString('latin1'),
      },
    });
    expect(seen(got).headers).toEqual({
      host: [host],
      cookie: ['a=b'],
      connection: ['close'],
      'x-own': ['1', '2'],
      'x-text': [Buffer.from('é').toString('latin1')],
      'x-forwarded-for': ['192.0.2.1, 127.0.0.1'],
      'x-forwarded-uri': [`${root()}/a`],
    });
  });

  it('without a slash is sent to the root of the program', async () => {
    const { code, headers } = await ask(`${root()}?a=b`);
    expect([code, headers.location]).toEqual([301, `${root()}/?a=b`]);
    expect((await ask(root(), { method: 'HEAD' })).code).toBe(301);
  });

  it('in the deprecated form of watches is refused', async () => {
    expect((await ask(`/api/v1/watch/namespaces/default/pods/p:${port}/proxy/`)).code).toBe(405);
  });

  it('comes by HTTP/2, too', async () => {
    const { cert, key } = await makeServerCertificate();
    const listening = await api.server.listen({ host: '127.0.0.1', port: 0, tls: { cert, key } });
    const session = connectHttp2(listening.url, { rejectUnauthorized: false });
    const stream = session.request({
      ':method': 'POST',
      ':path': `${root()}/a?b`,
      authorization: 'Basic x',
      'x-own': '1',
    });
    stream.write('one');
    stream.end('two');
    const { method, url, body, headers } = seen({ code: 0, headers: {}, text: await textOf(stream) });
    expect([method, url, body]).toEqual(['POST', '/a?b', 'onetwo']);
    expect(headers).toMatchObject({
      host: [new URL(listening.url).host],
      'x-own': ['1'],
      'transfer-encoding': ['chunked'],
    });
    expect(headers.authorization).toBeUndefined();
    const read = session.request({ ':path': `${root()}/` });
    expect(seen({ code: 0, headers: {}, text: await textOf(read) }).headers['transfer-encoding']).toBeUndefined();
    const ended = new Promise<void>((resolve) => {
      behaviour = (_req, res) => res.once('close', resolve);
    });
    const left = session.request({ ':path': `${root()}/` }).on('error', () => {});
    setTimeout(() => left.close(8), 100);
    await ended;
    session.close();
    await listening.close();
  });

  it('of a client in the same process is answered, too', async () => {
    const headers = { host: 'localhost' };
    const { code, body } = await api.server.enter(
      requestOf({ method: 'PUT', path: `${root()}/x`, headers, body: 'whole' }),
    );
    expect(code).toBe(200);
    const text = await new Promise<string>((resolve) => {
      if (!('stream' in body)) return resolve('');
      let all = '';
      const taken = () => Promise.resolve();
      body.stream({
        buffered: 0,
        write: (some) => (all += some),
        taken,
        end: () => resolve(all),
        destroy: () => resolve(''),
      });
    });
    expect(JSON.parse(text)).toMatchObject({ method: 'PUT', url: '/x', body: 'whole' });
  });
});

describe('an answer', () => {
  it('keeps code, headers and body, except headers of the connection and of other origins', async () => {
    behaviour = (_req, res) => {
      res.writeHead(418, [
        ...['Content-Type', 'text/x', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Keep-Alive', 'timeout=9'],
        ...[
          'Access-Control-Allow-Origin',
          '*',
          'Connection',
          'X-Hop, close',
          'X-Hop',
          '1',
          'Cache-Control',
          'max-age=1',
        ],
      ]);
      res.end('short');
    };
    const { code, headers, text } = await ask(`${root()}/`);
    expect([code, text]).toEqual([418, 'short']);
    expect(headers).toMatchObject({
      'content-type': 'text/x',
      'set-cookie': ['a=1', 'b=2'],
      'cache-control': 'max-age=1',
    });
    for (const name of ['x-hop', 'access-control-allow-origin']) expect(headers[name], name).toBeUndefined();
    expect(headers['keep-alive']).not.toBe('timeout=9');
  });

  it.each([204, 304])('%i has no body', async (code) => {
    behaviour = (_req, res) => res.writeHead(code).end();
    expect(await ask(`${root()}/`)).toMatchObject({ code, text: '' });
  });

  it('to HEAD keeps its length', async () => {
    behaviour = (_req, res) => res.writeHead(200, { 'content-length': '7' }).end();
    expect((await ask(`${root()}/`, { method: 'HEAD' })).headers['content-length']).toBe('7');
  });

  it.each(['text/html', 'text/html; charset=utf-8'])('that is %s has links below the path', async (type) => {
    behaviour = (_req, res) => {
      res.writeHead(200, { 'content-type': type, 'content-length': 13 });
      res.write('<a hr');
      setTimeout(() => res.end('ef="/x">'), 20);
    };
    const { headers, text } = await ask(`${root()}/a`);
    expect(text).toBe(`<a href="${root()}/x">`);
    expect(headers).not.toHaveProperty('content-length');
    expect(headers['content-type']).toBe(type);
  });

  it('that is a page in gzip is unpacked to rewrite its links', async () => {
    const page = gzipSync(`${'long '.repeat(100_000)}<a href="/x">`);
    behaviour = (_req, res) =>
      res.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(page);
    const { headers, text } = await ask(`${root()}/a`, { headers: { 'accept-encoding': 'gzip' } });
    expect(text).toBe(`${'long '.repeat(100_000)}<a href="${root()}/x">`);
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it('that is a broken page in gzip breaks off', async () => {
    const page = gzipSync('x'.repeat(100_000)).subarray(0, 50);
    behaviour = (_req, res) =>
      res.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(page);
    await expect(ask(`${root()}/a`)).rejects.toThrow();
  });

  it.each<[string, number, Record<string, string>, string?]>([
    ['no page', 200, { 'content-type': 'text/plain' }],
    ['in another encoding', 200, { 'content-type': 'text/html', 'content-encoding': 'br' }],
    ['a part of a page', 206, { 'content-type': 'text/html', 'content-range': 'bytes 0-12/99' }],
    ['a redirect', 302, { 'content-type': 'text/html', location: 'x' }],
    ['asked for without a body', 200, { 'content-type': 'text/html' }, 'HEAD'],
  ])('that is %s is passed on unchanged', async (_, code, head, method = 'GET') => {
    const page = '<a href="/x">';
    behaviour = (_req, res) => res.writeHead(code, { ...head, 'content-length': page.length }).end(page);
    const { headers, text } = await ask(`${root()}/a`, { method });
    expect(text).toBe(method === 'HEAD' ? '' : page);
    expect(headers).toMatchObject({ 'content-length': String(page.length), ...head });
  });

  it('that redirects stays below the path of the proxy', async () => {
    behaviour = (_req, res) => res.writeHead(302, { location: '/login?next=/' }).end();
    expect((await ask(`${root()}/a/b`)).headers.location).toBe(`${root()}/login?next=/`);
    behaviour = (_req, res) => res.writeHead(302, { location: `http://127.0.0.1:${port}/login` }).end();
    expect((await ask(`${root()}/a/b`)).headers.location).toBe(`${root()}/login`);
  });

  it('is a stream in both directions', async () => {
    behaviour = (req, res) => req.pipe(res);
    const asked = open(`${root()}/`, { method: 'POST' });
    asked.write('one');
    const answer = await new Promise<IncomingMessage>((resolve) => asked.on('response', resolve));
    const chunks = answer[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('one');
    asked.write('two');
    expect(String((await chunks.next()).value)).toBe('two');
    asked.end();
    expect((await chunks.next()).done).toBe(true);
  });

  it('waits for a client that does not read', async () => {
    let written = 0;
    let isFull = false;
    behaviour = (_req, res) => {
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (written < 1e9) {
          written += chunk.length;
          if (!res.write(chunk)) {
            isFull = true;
            res.once('drain', more);
            return;
          }
        }
      };
      more();
    };
    const asked = open(`${root()}/`);
    asked.end();
    const answer = await new Promise<IncomingMessage>((resolve) => asked.on('response', resolve));
    const pauses = (): Promise<boolean> => {
      const before = written;
      return new Promise((resolve) => setTimeout(() => resolve(isFull && written === before), 300));
    };
    await expect.poll(pauses, { timeout: 20_000 }).toBe(true);
    expect(written).toBeLessThan(5e7);
    answer.destroy();
  });

  it('that breaks off breaks off for the client too', async () => {
    behaviour = (_req, res) => {
      res.write('half');
      setTimeout(() => res.destroy(), 50);
    };
    await expect(ask(`${root()}/`)).rejects.toThrow(/aborted|hang up|terminated/);
  });

  it('is not made once its client is gone', async () => {
    const ended = new Promise<void>((resolve) => {
      behaviour = (_req, res) => res.once('close', resolve);
    });
    const asked = open(`${root()}/`).on('error', () => {});
    asked.end();
    setTimeout(() => asked.destroy(), 100);
    await ended;
    const broken = new Promise<void>((resolve) => {
      behaviour = (_req, res) => res.once('close', resolve).write('begun');
    });
    const other = open(`${root()}/`).on('error', () => {});
    other.on('response', (answer) => answer.on('error', () => {}).destroy());
    other.end();
    await broken;
  });
});

describe('another protocol', () => {
  afterEach(() => target.removeAllListeners('upgrade'));

  it('is a WebSocket with everything that both sides send, but without a token', async () => {
    const sockets = new WebSocketServer({ noServer: true });
    const offered: (string | undefined)[] = [];
    const upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
      offered.push(req.headers['sec-websocket-protocol'], req.headers.authorization, req.url);
      sockets.handleUpgrade(req, socket, head, (client) => {
        client.send('hello');
        client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
      });
    };
    target.on('upgrade', upgrade);
    const token = `base64url.bearer.authorization.platform.io.${Buffer.from('t').toString('base64url')}`;
    const client = new WebSocket(`ws://${host}${root()}/chat?room=1`, ['chat', token]);
    const messages: unknown[] = [];
    client.on('message', (data, isBinary) => messages.push(isBinary ? data : String(data)));
    await new Promise((resolve) => client.once('open', resolve));
    expect(client.protocol).toBe('chat');
    client.send('text');
    client.send(Buffer.alloc(100_000, 7));
    await expect.poll(() => messages.length).toBe(3);
    expect(messages).toEqual(['hello', 'text', Buffer.alloc(100_000, 7)]);
    expect(offered).toEqual(['chat', undefined, '/chat?room=1']);
    const closed = new Promise((resolve) => client.once('close', resolve));
    client.close(4321);
    expect(await closed).toBe(4321);
  });

  it('may be any, with any method', async () => {
    const upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${req.headers.upgrade}\r\n\r\n`,
      );
      socket.write(`${req.method} ${head}`);
      socket.pipe(socket);
    };
    target.on('upgrade', upgrade);
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
    let got = '';
    socket.on('data', (some) => (got += some));
    socket.write(`POST ${root()}/ HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: own/2\r\n\r\nearly`);
    await expect.poll(() => got).toMatch(/^HTTP\/1.1 101 [\s\S]*upgrade: own\/2[\s\S]*\r\n\r\nPOST early/i);
    socket.write(' late');
    await expect.poll(() => got).toMatch(/early late$/);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end();
    await closed;
  });

  it.each(['websocket', 'h2c'])('that the program refuses, %s, has an ordinary answer', async (upgrade) => {
    const refused = (req: IncomingMessage, socket: Duplex): void => {
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Asked: ${req.headers.upgrade}\r\n\r\nno`);
    };
    target.on('upgrade', refused);
    const { code, text, headers } = await ask(`${root()}/`, { headers: { connection: 'Upgrade', upgrade } });
    expect([code, text, headers['x-asked']]).toEqual([403, 'no', upgrade]);
  });

  it('is ignored if the program does not know it', async () => {
    const got = await ask(`${root()}/plain`, { headers: { connection: 'Upgrade', upgrade: 'websocket' } });
    expect(seen(got)).toMatchObject({ method: 'GET', url: '/plain' });
  });
});

describe('a program', () => {
  it('may speak TLS with any certificate', async () => {
    const secure = createSecureServer(await makeServerCertificate(), echo);
    const got = await ask(`${pods}/https:p:${await listenLocally(secure)}/proxy/safe`);
    expect(seen(got)).toMatchObject({ url: '/safe' });
    secure.closeAllConnections();
    secure.close();
  });

  it('that does not listen is a Status', async () => {
    const gone = createServer();
    const free = await listenLocally(gone);
    await new Promise((resolve) => gone.close(resolve));
    const { code, text } = await ask(`${pods}/p:${free}/proxy/`);
    expect(code).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      kind: 'Status',
      reason: 'ServiceUnavailable',
      message: `error trying to reach service: dial tcp 127.0.0.1:${free}: connect: connection refused`,
    });
  });

  it('that closes the connection without an answer is a Status', async () => {
    behaviour = (req) => req.socket.destroy();
    const { code, text } = await ask(`${root()}/`);
    expect([code, JSON.parse(text).message]).toEqual([503, 'error trying to reach service: EOF']);
  });

  const options = { isHidden: () => false, maxBodyBytes: 1000 };

  it.each([
    ...[
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '0.0.0.0',
      '::',
      '169.254.169.254',
      'fe80::1',
      '::ffff:127.0.0.1',
      '0127.0.0.1',
    ],
    ...['::ffff:7f00:1', '::127.0.0.1', 'localhost', '0x7f.1', '2130706433'],
  ])('at %s is reached only if loopback is allowed', async (address) => {
    const path = { before: '/p', rest: '/' };
    const refused = await defineForwarder({ ...options, loopback: false }).forward(
      requestOf(),
      { scheme: 'http', host: address, port },
      path,
    );
    expect(refused).toMatchObject({ ok: false, failure: { message: 'address not allowed' } });
  });

  it.each(['224.0.0.1', 'ff02::1', '255.255.255.255'])('is never at %s', async (address) => {
    const forwarder = defineForwarder({ ...options, loopback: true });
    const answer = await forwarder.forward(
      requestOf(),
      { scheme: 'http', host: address, port },
      { before: '/p', rest: '/' },
    );
    expect(answer).toMatchObject({ ok: false, failure: { message: 'address not allowed' } });
  });

  it('that does not answer is given up, before and after its head', async () => {
    const forwarder = defineForwarder({ ...options, loopback: true, idleMs: 200 });
    const there = { scheme: 'http', host: '127.0.0.1', port } as const;
    behaviour = () => {};
    const silent = await forwarder.forward(requestOf(), there, { before: '/p', rest: '/' });
    expect(silent).toMatchObject({ ok: false, failure: { reason: 'ServiceUnavailable' } });
    behaviour = (_req, res) => res.write('begun');
    const begun = await forwarder.forward(requestOf(), there, { before: '/p', rest: '/' });
    if (!begun.ok || !('stream' in begun.value.body)) throw new Error('no stream');
    const { stream } = begun.value.body;
    await new Promise<void>((resolve) => {
      stream({ buffered: 0, write: () => {}, taken: () => Promise.resolve(), end: () => {}, destroy: resolve });
    });
  });

  it('with a TLS handshake that never ends is given up', async () => {
    const mute = createTcpServer();
    const held: Socket[] = [];
    mute.on('connection', (socket) => held.push(socket));
    const forwarder = defineForwarder({ ...options, loopback: true, connectMs: 200 });
    const there = { scheme: 'https', host: '127.0.0.1', port: await listenLocally(mute) } as const;
    const answer = await forwarder.forward(requestOf(), there, { before: '/p', rest: '/' });
    expect(answer).toMatchObject({ ok: false, failure: { message: expect.stringMatching(/i\/o timeout$/) } });
    for (const socket of held) socket.destroy();
    mute.close();
  });
});

it('a server that closes breaks off the requests that it passes on', async () => {
  const own = await startTestApi(registry, {
    conversions,
    virtualHandlers: virtualHandlers(names),
    proxyLoopback: true,
  });
  await makePod(own, 'p', '127.0.0.1');
  const listening = await own.server.listen({ host: '127.0.0.1', port: 0 });
  const timers: NodeJS.Timeout[] = [];
  behaviour = (_req, res) => {
    timers.push(setInterval(() => res.write('tick'), 20));
    res.once('close', () => timers.forEach(clearInterval));
  };
  const answer = await new Promise<IncomingMessage>((resolve) => {
    request(`${listening.url}${root()}/`, resolve).end();
  });
  const broken = new Promise((resolve) => answer.once('error', resolve));
  answer.resume();
  const began = performance.now();
  await listening.close();
  await broken;
  expect(performance.now() - began).toBeLessThan(2000);
  await own.close();
});
