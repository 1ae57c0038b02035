/** Calls with one answer, to a server with any answers. */
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { status as Code } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { UnaryClient } from '../../../../../runtime/storage/etcd/endpoint.js';
import { framed, unframed } from '../../../../../runtime/storage/etcd/unary-call.js';

type Answer = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>, body: Buffer) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const portOf = (server: { address(): unknown }): number => {
  const address = server.address();
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port);
  throw new Error('the server does not listen');
};

/** Starts a server that answers each call with the given function, and connects a client. */
async function fixture(answer: Answer, port = 0) {
  const sessions: ServerHttp2Session[] = [];
  const sockets: Socket[] = [];
  const server: Http2Server = createServer();
  server.on('connection', (socket) => sockets.push(socket));
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    const pieces: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => answer(stream, headers, Buffer.concat(pieces)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): void => {
    for (const session of sessions) session.destroy();
    server.close();
  };
  const client = new UnaryClient(`http://127.0.0.1:${portOf(server)}`, {});
  closing.push(stop, () => client.close());
  return {
    client,
    sessions,
    sockets,
    stop,
    port: portOf(server),
    ask: (text = 'hello', withinMs = 2000) => ask(client, text, withinMs),
  };
}

const ask = async (client: UnaryClient, text: string, withinMs: number): Promise<string> => {
  const message = Buffer.from(text);
  const answer = await client.ask({ path: '/some.Service/Call', message, fields: { token: 'secret' }, withinMs });
  return answer.toString();
};

/** Answers as gRPC does, with a status after the message. */
function answerWith(
  stream: ServerHttp2Stream,
  bytes: Buffer,
  trailers: Record<string, string> = { 'grpc-status': '0' },
) {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(bytes);
}

const echo: Answer = (stream, _, body) => answerWith(stream, framed(unframed([body]) ?? Buffer.from('?')));
const statusOnly = (stream: ServerHttp2Stream, headers: Record<string, string | number>): void =>
  stream.respond(headers, { endStream: true });

describe('a call', () => {
  it('has the form of gRPC, and returns the message of the answer', async () => {
    const seen: Readonly<Record<string, unknown>>[] = [];
    const { ask } = await fixture((stream, headers, body) => {
      seen.push(headers);
      echo(stream, headers, body);
    });
    expect(await ask('hello', 1500)).toBe('hello');
    expect(await ask('')).toBe('');
    expect(seen[0]).toMatchObject({
      ':method': 'POST',
      ':path': '/some.Service/Call',
      'content-type': 'application/grpc',
      te: 'trailers',
      token: 'secret',
    });
    expect(Number(String(seen[0]?.['grpc-timeout']).slice(0, -1))).toBeLessThanOrEqual(1500);
  });

  it('may be large in both directions, and many may be in flight', async () => {
    const { ask, sessions } = await fixture(echo);
    const large = 'x'.repeat(12 * 1024 * 1024);
    expect((await ask(large, 10_000)) === large).toBe(true);
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
    expect(await Promise.all(texts.map((text) => ask(text)))).toEqual(texts);
    expect(sessions).toHaveLength(1);
  });

  it('fails with the status of the answer, after a message or alone', async () => {
    const { ask } = await fixture((stream, _, body) => {
      const trailers = { 'grpc-status': '9', 'grpc-message': 'not%20now%3A %zz' };
      if (body.includes('alone'))
        statusOnly(stream, { ':status': 200, 'grpc-status': 8, 'grpc-message': 'too%20much' });
      else if (body.includes('odd')) statusOnly(stream, { ':status': 200, 'grpc-status': 99 });
      else answerWith(stream, framed(Buffer.from('part')), trailers);
    });
    const known = { code: Code.FAILED_PRECONDITION, details: 'not%20now%3A %zz', isUnsent: false };
    await expect(ask()).rejects.toMatchObject(known);
    await expect(ask('alone')).rejects.toMatchObject({ code: Code.RESOURCE_EXHAUSTED, details: 'too much' });
    await expect(ask('odd')).rejects.toMatchObject({ code: Code.UNKNOWN });
  });

  it('fails, and may have been carried out, if the answer is not gRPC', async () => {
    const { ask } = await fixture((stream, _, body) => {
      if (body.includes('proxy')) statusOnly(stream, { ':status': 503 });
      else if (body.includes('cut')) answerWith(stream, framed(Buffer.from('message')).subarray(0, 9));
      else if (body.includes('none')) answerWith(stream, Buffer.alloc(0));
      else stream.close(2);
    });
    for (const text of ['proxy', 'cut', 'none', 'reset']) {
      await expect(ask(text), text).rejects.toMatchObject({ isUnsent: false });
    }
    await expect(ask('proxy')).rejects.toMatchObject({ code: Code.UNAVAILABLE });
    await expect(ask('cut')).rejects.toMatchObject({ code: Code.INTERNAL });
  });

  it('was not started if the server refuses the stream', async () => {
    const { ask } = await fixture((stream) => stream.close(7));
    await expect(ask()).rejects.toMatchObject({ code: Code.UNAVAILABLE, isUnsent: true });
  });

  it('ends when its time is over, and the next gets another connection', async () => {
    const { ask, sessions } = await fixture((stream, headers, body) => {
      if (!body.includes('silence')) echo(stream, headers, body);
    });
    await expect(ask('silence', 50)).rejects.toMatchObject({ code: Code.DEADLINE_EXCEEDED, isUnsent: false });
    expect(await ask()).toBe('hello');
    expect(sessions).toHaveLength(2);
  });
});

describe('a connection', () => {
  it('fails its calls when it is lost, and is opened again', async () => {
    const first = await fixture((stream, headers, body) => {
      if (body.includes('lose')) for (const socket of first.sockets) socket.destroy();
      else if (body.includes('end')) stream.session?.destroy();
      else echo(stream, headers, body);
    });
    expect(await first.ask()).toBe('hello');
    await expect(first.ask('lose')).rejects.toMatchObject({ code: Code.UNAVAILABLE, isUnsent: false });
    expect(await first.ask()).toBe('hello');
    await expect(first.ask('end')).rejects.toMatchObject({ code: Code.UNAVAILABLE, isUnsent: false });
    expect(await first.ask()).toBe('hello');
    first.stop();
    await sleep(20);
    await expect(first.ask()).rejects.toMatchObject({
      isUnsent: true,
      details: expect.stringMatching(/^No connection established\. Last error: .*ECONNREFUSED/),
    });
    await fixture(echo, first.port);
    expect(await first.ask()).toBe('hello');
  });

  it('lets its calls end when the server ends it, and reports refused calls as not started', async () => {
    const open: (() => void)[] = [];
    const { ask, sessions } = await fixture((stream, headers, body) => {
      if (body.includes('wait')) open.push(() => echo(stream, headers, body));
      else echo(stream, headers, body);
    });
    const waiting = ask('wait');
    while (open.length === 0) await sleep(1);
    sessions[0]?.goaway(0);
    await sleep(20);
    expect(await ask('other')).toBe('other');
    open[0]?.();
    expect(await waiting).toBe('wait');
    expect(sessions).toHaveLength(2);
    // The last stream that counts is the one before.
    const late = ask('wait');
    while (open.length === 1) await sleep(1);
    sessions[1]?.goaway(0, 1);
    await expect(late).rejects.toMatchObject({ isUnsent: true });
  });

  it('fails until the server speaks HTTP/2: then nothing was sent', async () => {
    const silent = createTcpServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(() => silent.close());
    const client = new UnaryClient(`http://127.0.0.1:${portOf(silent)}`, {});
    closing.push(() => client.close());
    silent.once('connection', (socket) => closing.push(() => socket.destroy()));
    await expect(ask(client, 'hello', 50)).rejects.toMatchObject({ code: Code.UNAVAILABLE, isUnsent: true });
  });

  it('is not opened any more once the client is closed', async () => {
    const { client, ask } = await fixture(echo);
    expect(await ask()).toBe('hello');
    client.close();
    await expect(ask()).rejects.toMatchObject({ isUnsent: true });
  });
});
