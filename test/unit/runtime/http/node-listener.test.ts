/** The HTTP side: headers, bodies up to a size, and streams that end with their client. */
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { writeResponse } from '../../../../runtime/http/node-response.js';
import { listenLocally } from '../../../support/local-server.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const api = await suiteApi([widgets]);
const listening = await api.listen();

const send = (path: string, init: RequestInit = {}) => fetch(listening.url + path, init);
const post = (body: BodyInit, more: RequestInit & { duplex?: 'half' } = {}) =>
  send(widgetsPath, { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...more });

describe('answers over HTTP', () => {
  it('carry their length and are not cached', async () => {
    const response = await post(JSON.stringify(widget('a', { sice: 1 })));
    expect(response.status).toBe(201);
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(response.headers.get('cache-control')).toBe('no-cache, private');
    expect(response.headers.get('warning')).toBe('299 - "unknown field \\"spec.sice\\""');
    expect(await (await send(`${widgetsPath}/a`)).text()).toBe(text);
  });

  it('of several chunks arrive whole', async () => {
    const response = await send(widgetsPath);
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ kind: 'WidgetList' });
  });
});

describe('an answer of many chunks', () => {
  const chunk = Buffer.alloc(256 * 1024, 'x');
  const chunks: readonly Uint8Array[] = Array.from({ length: 200 }, () => chunk);

  /** Sends the chunks to a client that does not read at first, until the sender has nothing left to do. */
  async function sendTo(client: (socket: Socket, waiting: () => number) => Promise<void>): Promise<void> {
    let response: ServerResponse | undefined;
    let sending: Promise<void> | undefined;
    const server = createServer((_, res) => {
      response = res;
      sending = Promise.resolve(writeResponse(res, { code: 200, contentType: 'text/plain', body: chunks }));
    });
    const socket = connect(await listenLocally(server), '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    await expect.poll(() => response?.writableNeedDrain).toBe(true);
    await client(socket, () => response?.writableLength ?? 0);
    await sending;
    await new Promise((resolve) => server.close(resolve));
  }

  it('goes in batches, each once the client has read the one before', () =>
    sendTo(async (socket, waiting) => {
      const most = 1024 * 1024;
      expect(waiting()).toBeLessThanOrEqual(most);
      let received = 0;
      for await (const bytes of socket) {
        received += Buffer.isBuffer(bytes) ? bytes.length : 0;
        expect(waiting()).toBeLessThanOrEqual(most);
      }
      expect(received).toBeGreaterThan(chunks.length * chunk.length);
      expect(received).toBeLessThan(chunks.length * chunk.length + 1000);
    }));

  it('stops when the client goes', () =>
    sendTo(async (socket) => {
      socket.destroy();
      await new Promise((resolve) => socket.once('close', resolve));
    }));
});

describe('an answer of one chunk', () => {
  const batchBytes = 768 * 1024;

  it.each([
    [1, 1],
    [batchBytes, 1],
    [batchBytes + 1, 2],
    [2 * batchBytes + 5, 3],
  ])('of %i bytes goes in %i batches', async (length, batches) => {
    const body = randomBytes(length);
    const written: number[] = [];
    let handedOver = 0;
    const server = createServer((_, res) => {
      const { mock: write } = vi.spyOn(res, 'write');
      const { mock: uncork } = vi.spyOn(res, 'uncork');
      const { mock: end } = vi.spyOn(res, 'end');
      void writeResponse(res, { code: 200, contentType: 'text/plain', body });
      for (const [chunk] of [...write.calls, ...end.calls]) written.push(Buffer.from(chunk).length);
      const [ended = 0] = end.invocationCallOrder;
      handedOver = uncork.invocationCallOrder.filter((order) => order < ended).length;
    });
    const response = await fetch(`http://127.0.0.1:${await listenLocally(server)}`);
    expect(body.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    expect(written).toHaveLength(batches);
    expect(handedOver).toBe(batches - 1);
    expect(Math.max(...written)).toBeLessThanOrEqual(batchBytes);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('bodies over HTTP', () => {
  const large = 'x'.repeat(3 * 1024 * 1024 + 1);

  it('are refused if their length is too large', async () => {
    const response = await post(large);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'RequestEntityTooLarge' });
  });

  it('are refused once they are too large', async () => {
    const response = await post(new Blob([large]).stream(), { duplex: 'half' });
    expect(response.status).toBe(413);
  });

  it('that break off are not logged', async () => {
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    socket.write(`POST ${widgetsPath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`);
    await new Promise((resolve) => socket.write('content-length: 100\r\n\r\n{', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(api.defects).toEqual([]);
  });

  it('arrive in pieces', async () => {
    const text = JSON.stringify(widget('pieces'));
    const pieces = new ReadableStream({
      start: (controller) => {
        for (const character of text) controller.enqueue(Buffer.from(character));
        controller.close();
      },
    });
    expect((await post(pieces, { duplex: 'half' })).status).toBe(201);
  });
});

describe('streams over HTTP', () => {
  it('send each event at once, and end when the client goes', async () => {
    const leaving = new AbortController();
    const response = await send(`${widgetsPath}?watch=1&resourceVersion=${api.store.revision}`, {
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    await api.send('POST', widgetsPath, widget('streamed'));
    const first = await reader?.read();
    expect(JSON.parse(Buffer.from(first?.value ?? []).toString())).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'streamed' } },
    });
    expect(api.store.statistics.watches).toBe(1);
    leaving.abort();
    await expect.poll(() => api.store.statistics.watches).toBe(0);
  });
});
