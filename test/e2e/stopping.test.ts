/** `kindforge serve` after a signal to stop: what clients see until the process ends. */
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const configMap = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(1000) } });
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Other processes may be slow. */
const patient = { timeout: 60_000 };

let server: ServerProcess | undefined;
afterEach(() => server?.end('SIGKILL'));

async function start(...flags: string[]): Promise<ServerProcess> {
  server = await startServerProcess('--storage', 'memory', ...flags);
  return server;
}

/** Sends a signal without waiting for the result. */
const signal = ({ pid }: ServerProcess, name: NodeJS.Signals): boolean => process.kill(pid, name);

const codeOf = async (url: string): Promise<number> => (await fetch(url)).status;

/** Reports whether connections are refused there. */
const isClosed = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

const all = async (from: AsyncIterable<unknown>): Promise<string> => {
  let text = '';
  for await (const chunk of from) text += chunk;
  return text;
};

describe('a server that gets a signal to stop', () => {
  it('is not ready, and serves until the delay ends', async () => {
    const { url, end } = await start('--shutdown-delay-duration', '4s');
    expect(await codeOf(`${url}/readyz/shutdown`)).toBe(200);
    expect(await codeOf(`${url}/livez/shutdown`)).toBe(404);
    const ended = end('SIGTERM');
    await expect.poll(() => codeOf(`${url}/readyz`), patient).toBe(500);
    const ready = await (await fetch(`${url}/readyz?verbose`)).text();
    expect(ready.trim().split('\n').slice(-2)).toEqual(['[-]shutdown failed: reason withheld', 'readyz check failed']);
    expect(await (await fetch(`${url}/readyz/shutdown`)).text()).toBe(
      'internal server error: process is shutting down\n',
    );
    expect(await codeOf(`${url}/readyz?exclude=shutdown`)).toBe(200);
    expect(await codeOf(`${url}/livez`)).toBe(200);
    const headers = { 'content-type': 'application/json' };
    const created = await fetch(url + configMaps, { method: 'POST', headers, body: configMap('late') });
    expect(created.status).toBe(201);
    expect(created.headers.get('connection')).not.toBe('close');
    expect(await codeOf(`${url}${configMaps}/late`)).toBe(200);
    expect(await ended).toMatchObject({ code: 0, err: '' });
    expect(await isClosed(url)).toBe(true);
  });

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('ends at once when %s is followed by %s', async (first, second) => {
    const running = await start('--shutdown-delay-duration', '1h');
    signal(running, first);
    await expect.poll(() => codeOf(`${running.url}/readyz`), patient).toBe(500);
    expect(await running.end(second)).toMatchObject({ code: null });
  });
});

describe('over HTTP/1.1', () => {
  /** Sends a request, and its body as far as `rest`. */
  const upload = (url: string, body: string, rest: number): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const head = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${body.length}`].join('\r\n');
    socket.setNoDelay();
    socket.write(`POST ${configMaps} HTTP/1.1\r\n${head}\r\n\r\n${body.slice(0, -rest)}`);
    return socket;
  };

  it('answers a slow upload, ends a watch in order after it, and refuses new connections meanwhile', async () => {
    const { url, end } = await start();
    const watch = connect(Number(new URL(url).port), '127.0.0.1');
    watch.write(`GET ${configMaps}?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(watch, 'data');
    const body = configMap('slow');
    const slow = upload(url, body, 100);
    const answer = all(slow);
    const told = all(watch);
    await untilTaken(url);
    const ended = end('SIGTERM');
    await expect.poll(() => isClosed(url), patient).toBe(true);
    slow.write(body.slice(-100));
    expect(await answer).toMatch(/^HTTP\/1\.1 201 Created\r\n(.*\r\n)*connection: close\r\n/i);
    const events = await told;
    expect(events).toContain('"name":"slow"');
    expect(events.endsWith('\r\n0\r\n\r\n')).toBe(true);
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  /** Waits until the server has received an earlier request, that is, until it answers a later one. */
  const untilTaken = (url: string): Promise<number> => codeOf(`${url}/version`);
});

describe('over HTTP/2 with TLS', () => {
  const open = async (url: string): Promise<ClientHttp2Session> => {
    const session = connectHttp2(url, { rejectUnauthorized: false });
    await once(session, 'connect');
    return session;
  };

  const codeAndText = async (stream: ClientHttp2Stream): Promise<readonly [unknown, string, number]> => {
    const [headers] = await once(stream, 'response');
    const text = await all(stream);
    return [headers[':status'], text, stream.rstCode];
  };

  it('asks clients to leave, answers a slow upload, and ends a watch without an error', async () => {
    const { url, end } = await start('--secure-port', 'auto', '--http-port', '0');
    const session = await open(url);
    const watch = session.request({ ':path': `${configMaps}?watch=true` });
    const told = codeAndText(watch);
    const post = { ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' };
    const slow = session.request(post);
    const answer = codeAndText(slow);
    const body = configMap('slow');
    slow.write(body.slice(0, -100));
    // Requests sent before on the same connection have arrived with this one.
    expect(await codeAndText(session.request({ ':path': '/readyz' }))).toEqual([200, 'ok', 0]);
    const goneAway: number[] = [];
    session.on('goaway', (code) => goneAway.push(code));
    const closed = once(session, 'close');
    const ended = end('SIGTERM');
    await expect.poll(() => goneAway, patient).toContain(0);
    await expect.poll(() => isClosed(url), patient).toBe(true);
    slow.end(body.slice(-100));
    expect(await answer).toMatchObject([201, expect.stringContaining('"slow"'), 0]);
    expect(await told).toMatchObject([200, expect.stringContaining('"slow"'), 0]);
    await closed;
    expect(new Set(goneAway)).toEqual(new Set([0]));
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });
});
