import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../server/index.js';

const collection = '/api/v1/namespaces/default/configmaps';
const open: Socket[] = [];

let server: ListeningServer;

afterAll(() => {
  for (const socket of open) socket.destroy();
});

/** Opens a connection, and collects all bytes that it receives. */
function dial(): { readonly socket: Socket; text: () => string; closed: Promise<void> } {
  const { hostname, port } = new URL(server.plainUrl ?? server.url);
  const socket = connect(Number(port), hostname);
  open.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => {});
  return { socket, text: () => heard, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
}

/** Returns the whole answer to a request that asks for the end of its connection. */
async function answerTo(head: string, ...headers: string[]): Promise<string> {
  const { socket, text, closed } = dial();
  socket.write([`${head} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n'));
  await closed;
  return text();
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a limit', () => {
  it.each([
    [{ headers: 0 }, 'limits: headers 0: must be a whole number from 1'],
    [{ urlBytes: 1.5 }, 'limits: urlBytes 1.5: must be a whole number from 1'],
    [{ bodyBytes: 10 }, 'limits: bodyBytes 10: must be a whole number from 65536'],
    [
      { requests: 0, mutatingRequests: 0 },
      'limits: requests and mutatingRequests are both 0, and priority levels share their sum',
    ],
  ])('is refused if it is invalid: %j', (limits, message) => expect(startServer({ limits })).rejects.toThrow(message));
});

describe('requests', () => {
  beforeAll(async () => {
    server = await startServer({
      controllers: [],
      authentication: { anonymous: 'administrator' },
      limits: {
        bodyBytes: 100_000,
        headerBytes: 4096,
        headers: 20,
        urlBytes: 300,
        headerTimeoutMs: 300,
        idleTimeoutMs: 300,
      },
    });
  });
  afterAll(() => server.stop());

  it('have a limit on the size of bodies', async () => {
    const create = (name: string, bytes: number) =>
      fetch(server.url + collection, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name }, data: { a: 'x'.repeat(bytes) } }),
      });
    expect((await create('small', 99_000)).status).toBe(201);
    const refused = await create('large', 100_000);
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ reason: 'RequestEntityTooLarge', message: expect.stringContaining('100000') }),
    ]);
  });

  it('have a limit on the size of headers', async () => {
    expect(await answerTo('GET /version', `X-A: ${'a'.repeat(3000)}`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await answerTo('GET /version', `X-A: ${'a'.repeat(5000)}`)).toMatch(/^HTTP\/1.1 431 /);
  });

  it('have a limit on the number of headers', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: a`);
    expect(await answerTo('GET /version', ...many(18))).toMatch(/^HTTP\/1.1 200 /);
    expect(await answerTo('GET /version', ...many(19))).toMatch(/^HTTP\/1.1 431 .*too many headers$/s);
  });

  it('have a limit on the length of URLs', async () => {
    expect(await answerTo(`GET /version?a=${'a'.repeat(280)}`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await answerTo(`GET /version?a=${'a'.repeat(300)}`)).toMatch(/^HTTP\/1.1 414 .*414 URI Too Long$/s);
  });

  it('have a time limit for their headers', async () => {
    const { socket, text, closed } = dial();
    socket.write('GET /version HTTP/1.1\r\nHost: local');
    await closed;
    expect(text()).toMatch(/^HTTP\/1.1 408 /);
  });

  it('must follow each other soon, or need another connection', async () => {
    const { socket, text, closed } = dial();
    socket.write('GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => text().includes('gitVersion'));
    await closed;
    expect(text()).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('connections', () => {
  beforeAll(async () => {
    server = await startServer({
      controllers: [],
      authentication: { anonymous: 'administrator' },
      authorization: { modes: ['AlwaysAllow'] },
      tls: {},
      limits: { connections: 6, connectionsPerUser: 2, http2Streams: 3 },
    });
  });
  afterAll(() => server.stop());

  const hello = (user: string) => `GET /version HTTP/1.1\r\nHost: localhost\r\nImpersonate-User: ${user}\r\n\r\n`;

  it('have a limit for one user', async () => {
    const connections = ['a', 'a', 'b', 'a'].map((user) => ({ user, ...dial() }));
    for (const { socket, text, user } of connections) {
      socket.write(hello(user));
      await until(() => text() !== '');
    }
    const last = connections.at(-1);
    await last?.closed;
    expect(connections.map(({ text }) => text().slice(9, 12))).toEqual(['200', '200', '200', '429']);
    expect(last?.text()).toContain('Too many connections of user \\"a\\"');
    expect(last?.text()).toMatch(/retry-after: 1\r\n/i);
    connections[0]?.socket.destroy();
    await connections[0]?.closed;
    // The server learns of the end of a connection a moment later.
    let again = '';
    while (!again.startsWith('HTTP/1.1 200')) again = await answerTo('GET /version', 'Impersonate-User: a');
    for (const { socket } of connections) socket.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
  });

  it('have a limit for all users, over TLS and without', async () => {
    const first = Array.from({ length: 6 }, dial);
    for (const [i, { socket, text }] of first.entries()) {
      socket.write(hello(`user-${i}`));
      await until(() => text() !== '');
      // Connections of the test before may be open for a moment.
      if (!text().startsWith('HTTP/1.1 200')) throw new Error(text());
    }
    const refused = await answerTo('GET /version', 'Impersonate-User: other');
    expect(refused).toMatch(/^HTTP\/1.1 503 .*too many connections/s);
    expect(refused).toMatch(/retry-after: 1\r\n/i);
    const session = connectHttp2(server.url, { rejectUnauthorized: false });
    const code = await new Promise((resolve) => {
      session.once('goaway', resolve);
      session.once('error', () => {});
    });
    expect(code).toBe(11);
    for (const { socket } of first) socket.destroy();
    await Promise.all(first.map(({ closed }) => closed));
  });

  it('do not count for requests that their clients have canceled', async () => {
    const session = connectHttp2(server.url, { rejectUnauthorized: false });
    session.on('error', () => {});
    const ask = () => session.request({ ':path': '/version', 'impersonate-user': 'hasty' }).on('error', () => {});
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    for (let i = 0; i < 10; i++) {
      const stream = ask();
      stream.close(8);
      await new Promise((resolve) => stream.once('close', resolve));
    }
    session.destroy();
    expect(await answerTo('GET /version', 'Impersonate-User: hasty')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('have a limit on streams of HTTP/2', async () => {
    const session = connectHttp2(server.url, { rejectUnauthorized: false });
    session.on('error', () => {});
    const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve) =>
      session.once('remoteSettings', resolve),
    );
    expect(settings.maxConcurrentStreams).toBe(3);
    session.destroy();
  });
});

describe('a watcher that does not read', () => {
  it('is cut off when too many bytes wait for it', async () => {
    server = await startServer({
      controllers: [],
      authentication: { anonymous: 'administrator' },
      limits: { watchBufferBytes: 100_000 },
    });
    const url = server.url + collection;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const create = (i: number) =>
      fetch(url, { ...init, body: JSON.stringify({ metadata: { name: `a-${i}` }, data: { a: 'x'.repeat(500_000) } }) });
    const { socket, closed } = dial();
    socket.write(`GET ${collection}?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.pause();
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    const watches = async () =>
      /longrunning_requests\{.*resource="configmaps",scope="namespace".* (\d)/.exec(
        await (await fetch(`${server.url}/metrics`)).text(),
      )?.[1];
    while ((await watches()) !== '1') await new Promise((resolve) => setTimeout(resolve, 5));
    // The system takes some megabytes for a client before anything waits in the server.
    for (let i = 0; (await watches()) === '1'; i++) expect((await create(i)).status).toBe(201);
    expect(isClosed).toBe(false);
    socket.resume();
    await closed;
    await server.stop();
  });
});
