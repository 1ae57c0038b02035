/** HTTP/2 over TLS, over real sockets: the answers of HTTP/1.1, and the limits of one connection. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { makeServerCertificate } from '../../../support/certificates.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const tls = await makeServerCertificate();
const api = await suiteApi([widgets]);
const listening = await api.listen({ tls });
const { host, port } = new URL(listening.url);
const sessions: ClientHttp2Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

function session(): ClientHttp2Session {
  const made = connect(listening.url, { ca: tls.cert });
  made.on('error', () => {});
  sessions.push(made);
  return made;
}

interface Heard {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** Reads the whole answer to a request; rejects if it breaks off. */
function heard(stream: ClientHttp2Stream): Promise<Heard> {
  return new Promise((resolve, reject) => {
    let [status, type]: [number?, string?] = [];
    const chunks: Buffer[] = [];
    stream.on('response', (headers) => {
      status = headers[':status'];
      type = headers['content-type'];
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => resolve({ status, type, text: Buffer.concat(chunks).toString() }));
  });
}

const ask = (client: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}, body?: string) => {
  const stream = client.request({ ':path': path, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return stream;
};

const settled = { timeout: 60_000 };
const watches = (): number => api.store.statistics.watches;

describe('HTTP/2', () => {
  it('has all verbs', async () => {
    const client = session();
    const json = { 'content-type': 'application/json' };
    const send = async (method: string, path: string, body?: object, headers = json) =>
      (await heard(ask(client, path, { ':method': method, ...headers }, body && JSON.stringify(body)))).status;
    expect(await send('POST', widgetsPath, widget('a'))).toBe(201);
    expect(await send('POST', widgetsPath, widget('a'))).toBe(409);
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect(await send('PATCH', `${widgetsPath}/a`, { spec: { size: 5 } }, merge)).toBe(200);
    expect(await send('GET', `${widgetsPath}/a`)).toBe(200);
    expect(await send('DELETE', `${widgetsPath}/a`)).toBe(200);
    expect(await send('GET', `${widgetsPath}/a`)).toBe(404);
    expect(await send('GET', '/nowhere')).toBe(404);
  });

  it('refuses bodies that are too large', async () => {
    const headers = { ':method': 'POST', 'content-type': 'application/json' };
    const large = 'x'.repeat(3 * 1024 * 1024 + 1);
    const { status } = await heard(ask(session(), widgetsPath, headers, large));
    expect(status).toBe(413);
  });

  it('ignores a body that breaks off', async () => {
    const client = session();
    const headers = { ':method': 'POST', 'content-type': 'application/yaml' };
    const stream = client.request({ ':path': widgetsPath, ...headers });
    stream.on('error', () => {});
    stream.write('apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: cut }\nspec: { size: 1 }\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    // Closing the stream would end the body first, in order.
    client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await heard(ask(session(), `${widgetsPath}/cut`))).status).toBe(404);
  });

  it('sends large lists, several at a time, and serves the next requests', async () => {
    const place = '/apis/example.com/v1/namespaces/large/widgets';
    for (let i = 0; i < 30; i++) await api.send('POST', place, widget(`w${i}`, { parts: ['x'.repeat(1024 * 1024)] }));
    const client = session();
    const lists = await Promise.all([0, 1, 2, 3].map(() => heard(ask(client, place))));
    expect(lists.map(({ status, text }) => [status, JSON.parse(text).items.length])).toEqual(
      lists.map(() => [200, 30]),
    );
    expect((await heard(ask(client, `${widgetsPath}/none`))).status).toBe(404);
  }, 300_000);

  it.each(['*/*', 'text/event-stream'])('sends each event of a watch as it comes: %s', async (accept) => {
    const before = watches();
    const client = session();
    const stream = ask(client, `${widgetsPath}?watch=true&resourceVersion=${api.store.revision}`, { accept });
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => stream.once('response', resolve));
    const name = accept === '*/*' ? 'line' : 'event';
    await api.send('POST', widgetsPath, widget(name));
    await expect.poll(() => text, settled).toContain(`"name":"${name}"`);
    expect(watches()).toBe(before + 1);
    stream.close();
    await expect.poll(watches, settled).toBe(before);
  });

  it('sends a large state at the pace of its reader', async () => {
    const before = watches();
    const place = '/apis/example.com/v1/namespaces/state/widgets';
    for (let i = 0; i < 8; i++) await api.send('POST', place, widget(`w${i}`, { parts: ['x'.repeat(1024 * 1024)] }));
    const stream = ask(session(), `${place}?watch=true`);
    stream.pause();
    await new Promise((resolve) => stream.once('response', resolve));
    await api.send('POST', place, widget('later'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const names: string[] = [];
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString()).split('\n');
      text = lines.pop() ?? '';
      names.push(...lines.map((line) => JSON.parse(line).object.metadata.name));
    });
    stream.resume();
    await expect.poll(() => names, settled).toHaveLength(9);
    expect(names).toEqual(['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'later']);
    stream.close();
    await expect.poll(watches, settled).toBe(before);
  });

  it('breaks off only the watch of a client that does not read', async () => {
    const before = watches();
    const client = session();
    const slow = ask(client, `${widgetsPath}?watch=true&resourceVersion=${api.store.revision}`);
    slow.pause();
    const broken = new Promise((resolve) => slow.once('error', resolve));
    await new Promise((resolve) => slow.once('response', resolve));
    for (let i = 0; watches() > before && i < 100; i++) {
      await api.send('POST', widgetsPath, widget(`big${i}`, { parts: ['x'.repeat(1024 * 1024)] }));
    }
    expect(watches()).toBe(before);
    slow.resume();
    expect(await broken).toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
    expect((await heard(ask(client, `${widgetsPath}/none`))).status).toBe(404);
  }, 300_000);

  it('limits requests at the same time, and their headers', async () => {
    const client = session();
    const settings = await new Promise((resolve) => client.once('remoteSettings', resolve));
    expect(settings).toMatchObject({ maxConcurrentStreams: 250, maxHeaderListSize: 16 * 1024 });
    const large = ask(client, widgetsPath, { 'x-large': 'x'.repeat(20_000) });
    await expect(heard(large)).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
    expect((await heard(ask(client, `${widgetsPath}/none`))).status).toBe(404);
  });

  it('cuts off clients that open streams only to reset them', async () => {
    const client = session();
    const closed = new Promise((resolve) => client.once('goaway', resolve));
    await new Promise((resolve) => client.once('connect', resolve));
    let gone = false;
    void closed.then(() => {
      gone = true;
    });
    for (let i = 0; i < 50 && !gone; i++) {
      for (let j = 0; j < 100 && !client.destroyed && !client.closed; j++) {
        const stream = ask(client, `${widgetsPath}/none`);
        stream.on('error', () => {});
        stream.close(8);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await closed;
    expect((await heard(ask(session(), `${widgetsPath}/none`))).status).toBe(404);
  }, 30_000);
});

describe('TLS', () => {
  it.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [['http/1.1', 'h2'], 'h2'],
  ])('agrees for %j on %s', async (ALPNProtocols, agreed) => {
    const socket = connectTls({ host: '127.0.0.1', port: Number(port), ca: tls.cert, ALPNProtocols });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    expect(socket.alpnProtocol).toBe(agreed);
    socket.destroy();
  });

  it.each([undefined, 'h2c'])('has HTTP/1.1 for clients that want it (upgrade: %s)', async (upgrade) => {
    const headers = upgrade ? { connection: 'Upgrade', upgrade } : {};
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${listening.url}${widgetsPath}/none`, { ca: tls.cert, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject);
      asked.end();
    });
    expect(status).toBe(404);
  });

  it('has WebSockets', async () => {
    const socket = new WebSocket(`wss://${host}${widgetsPath}?watch=true&resourceVersion=${api.store.revision}`, {
      ca: tls.cert,
      origin: `https://${host}`,
    });
    await new Promise((resolve) => socket.once('open', resolve));
    const message = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
    await api.send('POST', widgetsPath, widget('secret'));
    expect(await message).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'secret' } } });
    socket.terminate();
  });

  it('refuses old versions of TLS', async () => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(port),
      ca: tls.cert,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect(await new Promise((resolve) => socket.once('error', (error) => resolve(String(error))))).toMatch(/alert/);
  });
});

describe('a server that closes', () => {
  it('ends the watches of HTTP/2, and the connections', async () => {
    const other = await startTestApi([widgets]);
    const { url, close } = await other.server.listen({ host: '127.0.0.1', port: 0, tls });
    const client = connect(url, { ca: tls.cert });
    const watch = ask(client, `${widgetsPath}?watch=true`);
    const answer = heard(watch);
    await new Promise((resolve) => watch.once('response', resolve));
    const closed = new Promise((resolve) => client.once('close', resolve));
    await close(() => other.close());
    expect((await answer).status).toBe(200);
    await closed;
  });

  it('breaks off connections that do not end', async () => {
    const other = await startTestApi([widgets]);
    const { url, close } = await other.server.listen({ host: '127.0.0.1', port: 0, tls });
    const client = connect(url, { ca: tls.cert });
    client.on('error', () => {});
    const watch = ask(client, `${widgetsPath}?watch=true`);
    watch.on('error', () => {});
    await new Promise((resolve) => watch.once('response', resolve));
    const closed = new Promise((resolve) => client.once('close', resolve));
    await close();
    await closed;
    await other.close();
  }, 20_000);
});
