/** The console in front of another server: who may use it, and which requests it forwards. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openUpstream } from '../../../../client/node/upstream.js';
import { type Gateway, openGateway } from '../../../../server/console/gateway.js';
import { listenLocally } from '../../../support/local-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { writeKubeconfig } from '../../../support/write-kubeconfig.js';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Options {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answered {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A server that answers as the path asks, and records its requests. */
const asked: Asked[] = [];
const behind = createServer(async (req, res) => {
  const { url: path = '', headers } = req;
  asked.push({ path, headers, body: await text(req) });
  if (path === '/base/slow') {
    res.writeHead(200, { 'content-type': 'text/plain' }).write('first\n');
    return void res.once('close', () => asked.push({ path: 'closed', headers: {}, body: '' }));
  }
  const code = path === '/base/refused' ? 401 : 200;
  res
    .writeHead(code, {
      'content-type': 'text/html',
      'set-cookie': 'a=b',
      warning: Buffer.from('299 - "größer"').toString('latin1'),
    })
    .end(Buffer.from('<b>'));
});
behind.on('upgrade', (req, socket) => {
  asked.push({ path: req.url ?? '', headers: req.headers, body: '' });
  socket.on('error', () => socket.destroy());
  if (req.url === '/base/no') return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  // RFC 6455 requires this accepting value for the key.
  const key = `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  const head = `HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}`;
  socket.write(`${head}\r\nsec-websocket-protocol: v5.channel.k8s.io\r\n\r\n`);
  // A text message, `hi`. The client's unmasked frames are ignored.
  socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
});

describe('the console in front of another server', () => {
  const folder = scratchFolder();
  const problems: string[] = [];
  let gateway: Gateway;
  let port = 0;
  let token = '';

  beforeAll(async () => {
    const place = await listenLocally(behind);
    const upstream = openUpstream(
      writeKubeconfig(folder, `http://127.0.0.1:${place}/base`, { token: 'of-the-kubeconfig' }),
      'one',
    );
    gateway = await openGateway(upstream, { port: 0, onProblem: (problem) => problems.push(problem) });
    port = Number(new URL(gateway.url).port);
    const code = gateway.newLink().split('#code=')[1];
    token = JSON.parse(
      (await ask('/console/api/sign-in', { method: 'POST', body: JSON.stringify({ code }) })).text,
    ).token;
  });
  afterAll(async () => {
    await gateway.close();
    behind.closeAllConnections();
    behind.close();
  });

  async function ask(path: string, { method = 'GET', headers = {}, body }: Options = {}): Promise<Answered> {
    const call = request({ host: '127.0.0.1', port, path, method, headers }).end(body);
    const [answer] = await once(call, 'response');
    return { code: answer.statusCode, headers: answer.headers, text: await text(answer) };
  }
  const signedIn = (headers: Record<string, string> = {}): Options => ({
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

  it('listens on loopback, and prints links that open the console', async () => {
    expect(gateway.newLink()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{40,}$/);
    const page = await ask('/console/');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toMatch(/connect-src 'self'(;|$)/);
    expect((await ask('/')).headers.location).toBe('/console/');
  });

  it('forwards nothing before the user has signed in', async () => {
    const before = asked.length;
    expect((await ask('/api')).code).toBe(401);
    expect((await ask('/api', { headers: { authorization: 'Bearer of-the-kubeconfig' } })).code).toBe(401);
    expect(asked.length).toBe(before);
  });

  it('forwards requests with the credentials of the kubeconfig, and none of the page', async () => {
    const headers = { cookie: 'a=b', origin: gateway.url, 'impersonate-user': 'jane', 'x-remote-user': 'root' };
    const answer = await ask('/api/v1?watch=1', { ...signedIn(headers), method: 'POST', body: '{}' });
    expect(asked.at(-1)).toMatchObject({
      path: '/base/api/v1?watch=1',
      body: '{}',
      headers: { authorization: 'Bearer of-the-kubeconfig', 'impersonate-user': 'jane' },
    });
    for (const name of ['cookie', 'origin', 'x-remote-user']) expect(asked.at(-1)?.headers).not.toHaveProperty(name);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    // The server's answer is data, whatever its type.
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(answer.headers.warning ?? '', 'latin1').toString()).toBe('299 - "größer"');
  });

  it('refuses hosts of other names, and pages of other sites', async () => {
    const before = asked.length;
    const strange: Record<string, string>[] = [
      { host: `evil.example.com:${port}`, origin: `http://evil.example.com:${port}` },
      { host: '127.0.0.1:1' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of strange) {
      for (const path of ['/api', '/console/api/sign-in']) {
        expect((await ask(path, { ...signedIn(headers), method: 'POST' })).code, JSON.stringify(headers)).toBe(403);
      }
    }
    expect((await ask('/console/', { headers: { host: `evil.example.com:${port}` } })).code).toBe(403);
    expect(asked.length).toBe(before);
    // A page elsewhere may have a link to the console.
    expect((await ask('/console/', { headers: { 'sec-fetch-site': 'cross-site' } })).code).not.toBe(403);
    expect((await ask('/api', signedIn({ host: `localhost:${port}` }))).code).toBe(200);
  });

  it('streams answers, and ends requests that the page no longer wants', async () => {
    const call = request({ host: '127.0.0.1', port, path: '/slow', ...signedIn() }).end();
    const [answer] = await once(call, 'response');
    expect(String((await once(answer, 'data'))[0])).toBe('first\n');
    answer.on('error', () => {});
    call.destroy();
    await expect.poll(() => asked.at(-1)?.path).toBe('closed');
  });

  it('compares definitions itself, for signed-in users', async () => {
    const before = asked.length;
    const post = { method: 'POST', body: '[]' };
    expect((await ask('/console/api/diff', post)).code).toBe(401);
    const answer = await ask('/console/api/diff', { ...signedIn(), ...post });
    expect([answer.code, answer.text]).toEqual([400, expect.stringContaining('a definition in YAML')]);
    expect((await ask('/console/api/diff', signedIn())).code).toBe(405);
    expect(asked.length).toBe(before);
  });

  it('reports that the server refuses the credentials, and keeps the session', async () => {
    const answer = await ask('/refused', signedIn());
    expect([answer.code, answer.text]).toEqual([502, expect.stringContaining('the credentials of the kubeconfig')]);
  });

  it('connects WebSockets, and removes the token from their subprotocols', async () => {
    const sealed = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
    const open = (path: string, protocols: string[], origin = gateway.url): WebSocket =>
      new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { origin });
    const socket = open('/exec', [sealed, 'v5.channel.k8s.io']);
    expect(String((await once(socket, 'message'))[0])).toBe('hi');
    expect(socket.protocol).toBe('v5.channel.k8s.io');
    expect(asked.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer of-the-kubeconfig',
      'sec-websocket-protocol': 'v5.channel.k8s.io',
    });
    socket.terminate();
    const before = asked.length;
    const refused = async (one: WebSocket): Promise<string> => String((await once(one, 'error'))[0]);
    const errorOf = (one: WebSocket): Promise<string> => refused(one).catch((error: unknown) => String(error));
    expect(await errorOf(open('/exec', ['v5.channel.k8s.io']))).toContain('401');
    expect(await errorOf(open('/exec', [sealed], 'https://evil.example.com'))).toContain('403');
    expect(asked.length).toBe(before);
    expect(await errorOf(open('/no', [sealed]))).toContain('502');
  });

  it('breaks the connection off if the server does not answer, and reports why', async () => {
    const upstream = openUpstream(writeKubeconfig(folder, 'http://127.0.0.1:1', {}), 'one');
    const alone = await openGateway(upstream, { port: 0, onProblem: (problem) => problems.push(problem) });
    const code = alone.newLink().split('#code=')[1];
    const session = await fetch(`${alone.url}/console/api/sign-in`, { method: 'POST', body: JSON.stringify({ code }) });
    const headers = { authorization: `Bearer ${JSON.parse(await session.text()).token}` };
    await expect(fetch(`${alone.url}/api`, { headers })).rejects.toThrow('fetch failed');
    expect(problems.at(-1)).toMatch(/no answer from http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/);
    await alone.close();
  });
});
