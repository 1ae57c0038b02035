/** Watches over WebSocket, over real sockets: the events of the HTTP stream, each a message; and how they end. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

const api = await suiteApi([widgets]);
const listening = await api.listen();
const { host } = new URL(listening.url);

let count = 0;
let path = '';
beforeEach(() => {
  path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
});

const create = (name: string, spec = {}) => api.send('POST', path, widget(name, spec));

interface Client {
  readonly socket: WebSocket;
  readonly messages: string[];
  readonly opened: Promise<void>;
  readonly closed: Promise<number>;
}

function open(search = '', protocols: string[] = [], headers: Readonly<Record<string, string>> = {}): Client {
  const socket = new WebSocket(`ws://${host}${path}?watch=true${search}`, protocols, { headers });
  const messages: string[] = [];
  socket.on('message', (data, binary) => messages.push(`${binary ? 'binary ' : ''}${String(data)}`));
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // The test sees a refusal when it waits for the socket to open.
  opened.catch(() => {});
  return { socket, messages, opened, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

const settled = { timeout: 60_000 };
const watches = (): number => api.store.statistics.watches;

/** Returns the answer to a request that asks for a WebSocket and does not get one. */
const refusal = (search: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asked = request(`http://${host}${path}${search}`, {
      method,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        ...headers,
      },
    });
    asked.on('error', reject);
    asked.on('upgrade', () => reject(new Error('it was not refused')));
    asked.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    asked.end();
  });

describe('a watch over WebSocket', () => {
  it('has one message for each line of the HTTP stream, of any length', async () => {
    await create('a');
    const plain: string[] = [];
    const client = open('&timeoutSeconds=60');
    await client.opened;
    const response = await fetch(`http://${host}${path}?watch=true&timeoutSeconds=60`);
    for (const length of [10, 1000, 100_000]) await create(`n${length}`, { parts: ['é'.repeat(length)] });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (text.split('\n').length < 5) text += decoder.decode((await reader?.read())?.value, { stream: true });
    await reader?.cancel();
    plain.push(...text.split('\n').filter((line) => line !== ''));
    await expect.poll(() => client.messages.length, settled).toBe(4);
    expect(client.messages).toEqual(plain.map((line) => `${line}\n`));
    client.socket.close();
    await client.closed;
  });

  it('ends when the client goes', async () => {
    const before = watches();
    const client = open();
    await client.opened;
    await expect.poll(watches, settled).toBe(before + 1);
    client.socket.terminate();
    await expect.poll(watches, settled).toBe(before);
  });

  it('ends with code 1000 after its time', async () => {
    const client = open('&timeoutSeconds=1');
    expect(await client.closed).toBe(1000);
  });

  it('ends with an error and code 1000 if the history is gone', async () => {
    await create('a');
    await create('b');
    api.store.forgetHistory();
    const client = open('&resourceVersion=1');
    expect(await client.closed).toBe(1000);
    expect(client.messages.map((message) => JSON.parse(message))).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410 } },
    ]);
  });

  it.each([
    [[], ''],
    [['binary.k8s.io'], 'binary.k8s.io'],
    [['base64.binary.k8s.io', 'binary.k8s.io'], 'base64.binary.k8s.io'],
  ])('has text messages if the client offers %j', async (protocols, agreed) => {
    await create('a');
    const client = open('', protocols);
    await client.opened;
    expect(client.socket.protocol).toBe(agreed);
    await expect.poll(() => client.messages.length, settled).toBe(1);
    expect(JSON.parse(client.messages[0] ?? '')).toMatchObject({ type: 'ADDED' });
    client.socket.terminate();
  });

  it('has Tables if the query asks for them', async () => {
    const accept = encodeURIComponent('application/json;as=Table;g=meta.platform.io;v=v1');
    const client = open(`&accept=${accept}`);
    await client.opened;
    await create('a');
    await expect.poll(() => client.messages.length, settled).toBe(1);
    expect(JSON.parse(client.messages[0] ?? '')).toMatchObject({ type: 'ADDED', object: { kind: 'Table' } });
    client.socket.terminate();
  });

  it('ignores messages from clients, but not too long ones', async () => {
    const client = open();
    await client.opened;
    client.socket.send('hello');
    client.socket.ping();
    await new Promise((resolve) => client.socket.once('pong', resolve));
    await create('a');
    await expect.poll(() => client.messages.length, settled).toBe(1);
    client.socket.send('x'.repeat(5000));
    expect(await client.closed).toBe(1009);
    await expect.poll(watches, settled).toBe(0);
  });

  it('cuts off a client that does not read', async () => {
    const before = watches();
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    const handshake = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', 'host: localhost'];
    const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`;
    socket.write(`GET ${path}?watch=true HTTP/1.1\r\n${[...handshake, key].join('\r\n')}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    socket.on('error', () => {});
    await expect.poll(watches, settled).toBe(before + 1);
    for (let i = 0; watches() > before && i < 100; i++) await create(`big${i}`, { parts: ['x'.repeat(1024 * 1024)] });
    expect(watches()).toBe(before);
    socket.destroy();
  }, 30_000);
});

describe('a request for a WebSocket', () => {
  it.each([
    ['', {}, 200],
    ['/none', {}, 404],
    ['?watch=true&resourceVersion=x', {}, 400],
    ['?watch=true', { origin: 'https://evil.example' }, 403],
    ['?watch=true', { 'sec-websocket-protocol': 'base64url.bearer.authorization.platform.io.eA' }, 400],
  ])('%j %j is answered like any other without a stream', async (search, headers, status) => {
    const answer = await refusal(search, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ kind: status === 200 ? 'WidgetList' : 'Status' });
  });

  it.each([
    ['sec-websocket-key', 'short'],
    ['sec-websocket-version', '3'],
  ])('with a wrong %s is refused', async (name, value) => {
    expect((await refusal('?watch=true', { [name]: value })).status).toBe(400);
    await expect.poll(watches, settled).toBe(0);
  });

  it('that writes is an ordinary request', async () => {
    const { status } = await refusal('', { 'content-length': '0' }, 'POST');
    expect(status).toBe(400);
  });
});

describe('a request for another protocol', () => {
  it.each(['h2c', 'TLS/1.0'])('%s is answered in HTTP/1.1, with its body', async (protocol) => {
    const body = JSON.stringify(widget('upgraded', { parts: ['x'.repeat(300_000)] }));
    const status = await new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: protocol, 'content-type': 'application/json' };
      const asked = request(`http://${host}${path}`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject);
      asked.end(body);
    });
    expect(status).toBe(201);
  });
});

describe('a server that closes', () => {
  it('announces it to watchers', async () => {
    const other = await startTestApi([widgets]);
    const { url, close } = await other.server.listen({ host: '127.0.0.1', port: 0 });
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?watch=true`);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    await close(() => other.close());
    expect(await closed).toBe(1001);
  });

  it('breaks off connections that do not end', async () => {
    const other = await startTestApi([widgets]);
    const { url, close } = await other.server.listen({ host: '127.0.0.1', port: 0 });
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?watch=true`);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    await close();
    expect(await closed).toBe(1006);
    await other.close();
  }, 20_000);
});
