/** Streamed bodies on the wire: in order, and nothing after their end. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { beginStream } from '../../../../runtime/http/node-response.js';
import type { StreamSink } from '../../../../runtime/request/api-request.js';
import { listenLocally } from '../../../support/local-server.js';

let server: Server;
let socket: Socket;
afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Connects to a server of its own; the function returned reads until a text has come, or the end. */
async function converse(listener: RequestListener): Promise<(text?: string) => Promise<string>> {
  server = createServer(listener);
  const port = await listenLocally(server);
  socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  let read = '';
  let over = false;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.toString();
  });
  for (const event of ['end', 'close']) {
    socket.once(event, () => {
      over = true;
    });
  }
  return async (text) => {
    while (!over && (text === undefined || !read.includes(text))) {
      await new Promise<void>((resolve) => {
        for (const event of ['data', 'end', 'close']) socket.once(event, () => resolve());
      });
    }
    const end = text === undefined ? read.length : read.indexOf(text) + text.length;
    const found = read.slice(0, end);
    read = read.slice(end);
    return found;
  };
}

const get = (path: string, method = 'GET', version = '1.1'): string =>
  `${method} ${path} HTTP/${version}\r\nhost: localhost\r\n\r\n`;

/** Starts a stream as the server does. */
const begin = (res: Parameters<RequestListener>[1], headers: Record<string, string> = {}): StreamSink =>
  beginStream(res, 200, ['content-type', 'text/plain', ...Object.entries(headers).flat()]);

const head = '\r\n\r\n';

describe('a stream', () => {
  it('sends its chunks in order', async () => {
    const read = await converse(async (_req, res) => {
      const stream = begin(res);
      stream.write(Buffer.from('one '));
      stream.write(Buffer.from('two '));
      stream.write(Buffer.from('three'));
      await new Promise((resolve) => setImmediate(resolve));
      stream.write(Buffer.from('four'));
      stream.end();
    });
    socket.write(get('/'));
    await read(head);
    expect(await read('0\r\n\r\n')).toBe('d\r\none two three\r\n4\r\nfour\r\n0\r\n\r\n');
  });

  it('continues after an empty write', async () => {
    const read = await converse(async (_req, res) => {
      const stream = begin(res);
      stream.write(new Uint8Array(0));
      await new Promise((resolve) => setImmediate(resolve));
      stream.write(Buffer.from('more'));
      stream.end();
    });
    socket.write(get('/'));
    await read(head);
    expect(await read('0\r\n\r\n')).toBe('4\r\nmore\r\n0\r\n\r\n');
  });

  it('reaches each client with all of its bytes, even with chunks that clients share', async () => {
    const shared = [Buffer.from('one '), Buffer.from('two ')];
    const streams: StreamSink[] = [];
    const read = await converse((_req, res) => void streams.push(begin(res)));
    const { port }: AddressInfo = Object(server.address());
    const bodies = ['/a', '/b', '/c'].map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text());
    await expect.poll(() => streams.length).toBe(3);
    for (const [i, stream] of streams.entries()) {
      for (const part of shared.slice(0, i)) stream.write(part);
      stream.write(Buffer.from(String(i)));
      if (i === 1) for (const part of shared) stream.write(part);
    }
    for (const stream of streams) stream.end();
    expect((await Promise.all(bodies)).sort()).toEqual(['0', 'one 1one two ', 'one two 2']);
    socket.end();
    await read();
  });

  it('has no chunked encoding if its length is known', async () => {
    const read = await converse((_req, res) => {
      const stream = begin(res, { 'content-length': '7' });
      stream.write(Buffer.from('one '));
      stream.write(Buffer.from('two'));
      stream.end();
    });
    socket.write(get('/'));
    expect(await read(head)).not.toMatch(/transfer-encoding/i);
    expect(await read('two')).toBe('one two');
  });

  it("uses the write method that a middleware has put in front of Node's", async () => {
    const read = await converse((_req, res) => {
      const write = res.write.bind(res);
      Object.assign(res, { write: (bytes: Uint8Array) => write(bytes.toString().toUpperCase()) });
      const stream = begin(res);
      stream.write(Buffer.from('one'));
      stream.end();
    });
    socket.write(get('/'));
    await read(head);
    expect(await read('0\r\n\r\n')).toBe('3\r\nONE\r\n0\r\n\r\n');
  });

  it('ends without a valid last chunk once it is broken off', async () => {
    const read = await converse(async (_req, res) => {
      const stream = begin(res);
      stream.write(Buffer.from('one'));
      await new Promise((resolve) => setImmediate(resolve));
      stream.destroy();
      stream.write(Buffer.from('two'));
    });
    socket.write(get('/'));
    await read(head);
    expect(await read()).toBe('3\r\none\r\n');
  });

  it('has no chunked encoding if the client does not know it', async () => {
    const read = await converse((_req, res) => {
      const stream = begin(res);
      stream.write(Buffer.from('one '));
      stream.write(Buffer.from('two'));
      stream.end();
    });
    socket.write(get('/', 'GET', '1.0'));
    await read(head);
    expect(await read()).toBe('one two');
  });

  it('has no body if the client asked for the head only', async () => {
    const read = await converse((_req, res) => {
      const stream = begin(res);
      stream.write(Buffer.from('body'));
      stream.end();
    });
    socket.write(get('/', 'HEAD') + get('/next', 'HEAD'));
    await read(head);
    expect(await read(head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('waits for the answers to earlier requests on the same connection', async () => {
    const read = await converse(async (req, res) => {
      if (req.url === '/slow') {
        await new Promise((resolve) => setTimeout(resolve, 50));
        res.end('slow');
        return;
      }
      const stream = begin(res);
      stream.write(Buffer.from('early'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      stream.write(Buffer.from('late'));
      stream.end();
    });
    socket.write(get('/slow') + get('/stream'));
    expect(await read(head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await read('slow')).toBe('slow');
    await read(head);
    expect(await read('0\r\n\r\n')).toBe('5\r\nearly\r\n4\r\nlate\r\n0\r\n\r\n');
  });

  it('writes nothing into the next answer of its connection', async () => {
    const read = await converse((req, res) => {
      if (req.url === '/next') {
        res.end('next');
        return;
      }
      const stream = begin(res);
      stream.end();
      stream.write(Buffer.from('after the end'));
      setTimeout(() => stream.write(Buffer.from('long after')), 20);
    });
    socket.write(get('/'));
    await read('0\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(get('/next'));
    expect(await read(head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await read('next')).toBe('next');
  });

  it('drops data that no client can get any more', async () => {
    const errors: unknown[] = [];
    let left: number | undefined;
    const read = await converse((req, res) => {
      const stream = begin(res);
      stream.write(Buffer.from('one'));
      // By then Node has ended its side of the connection, too.
      req.socket.once('end', () => {
        stream.write(Buffer.from('two'));
        setTimeout(() => {
          left = stream.buffered;
        }, 20);
      });
    });
    server.on('clientError', (error) => errors.push(error));
    socket.write(get('/'));
    await read('one');
    socket.end();
    await expect.poll(() => left).toBe(0);
    expect(errors).toEqual([]);
  });
});

describe('a client that does not read', () => {
  const large = Buffer.alloc(16 * 1024 * 1024, 'x');

  /** Starts a stream to a client that has stopped reading in the middle. */
  async function stuck(): Promise<StreamSink> {
    const begun = new Promise<StreamSink>((resolve) => {
      void converse((_req, res) => {
        const stream = begin(res);
        stream.write(large);
        resolve(stream);
      }).then(() => {
        socket.pause();
        socket.write(get('/'));
      });
    });
    const stream = await begun;
    await expect.poll(() => stream.buffered, { timeout: 30_000 }).toBeGreaterThan(1024 * 1024);
    return stream;
  }

  it('has untaken bytes until it reads them', async () => {
    const stream = await stuck();
    let taken = false;
    void stream.taken().then(() => {
      taken = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toBe(false);
    socket.resume();
    await expect.poll(() => taken, { timeout: 30_000 }).toBe(true);
    expect(stream.buffered).toBe(0);
  });

  it('is no longer waited for once it has gone', async () => {
    const stream = await stuck();
    const taken = stream.taken();
    socket.destroy();
    await taken;
    stream.write(large);
    stream.destroy();
  });
});
