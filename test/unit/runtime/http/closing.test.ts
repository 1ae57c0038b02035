/** A server that stops answers requests in progress, and resets no connection. */
import { Agent, createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdmissionPlugin } from '../../../../runtime/contract/index.js';
import { close } from '../../../../runtime/http/closing.js';
import { defineInProgress } from '../../../../runtime/http/node-listener.js';
import { requestOf } from '../../../support/api-requests.js';
import { listenLocally } from '../../../support/local-server.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

interface Answer {
  readonly code: number;
  readonly connection: string | undefined;
}

/** Sends one request by an agent; rejects if the connection breaks off. */
const send = (url: string, agent: Agent, method = 'GET', body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const req = request(url, { agent, method, headers }, (res) => {
      res.resume();
      res.once('error', reject);
      res.once('end', () => resolve({ code: res.statusCode ?? 0, connection: res.headers.connection }));
    });
    req.once('error', reject);
    req.end(body);
  });

let api: TestApi | undefined;
afterEach(() => api?.close());

/** Starts a server with creates that wait until `go` is called. */
async function startSlow(): Promise<{ api: TestApi; go: () => void; begun: () => number }> {
  let go = (): void => {};
  let begun = 0;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const plugin: AdmissionPlugin = {
    name: 'Slow',
    handles: (_resource, operation) => operation === 'CREATE',
    async validate() {
      begun++;
      await gate;
      return undefined;
    },
  };
  return { api: await startTestApi([widgets], { plugins: [plugin] }), go, begun: () => begun };
}

describe('a server that stops', () => {
  it('answers requests in progress before its store closes, and announces the end of the connection', async () => {
    const slow = await startSlow();
    ({ api } = slow);
    const listening = await slow.api.server.listen({ host: '127.0.0.1', port: 0 });
    const agents = Array.from({ length: 15 }, () => new Agent({ keepAlive: true }));
    for (const agent of agents) await send(`${listening.url}${widgetsPath}`, agent);
    const answers = agents.map((agent, i) =>
      send(`${listening.url}${widgetsPath}`, agent, 'POST', JSON.stringify(widget(`w${i}`))),
    );
    await expect.poll(slow.begun).toBe(15);
    let settled = false;
    const closed = listening.close(async () => {
      settled = true;
      await slow.api.store.close();
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(settled).toBe(false);
    slow.go();
    expect(await Promise.all(answers)).toEqual(agents.map(() => ({ code: 201, connection: 'close' })));
    await closed;
    expect(settled).toBe(true);
    for (const agent of agents) agent.destroy();
  });

  it('answers further requests on a connection that is open', async () => {
    api = await startTestApi([widgets]);
    const { store } = api;
    // Time enough for clients that share the machine with other tests.
    const listening = await api.server.listen({ host: '127.0.0.1', port: 0, limits: { stopMs: 2000 } });
    const codes: number[] = [];
    const ask = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const { code, connection } = await send(`${listening.url}${widgetsPath}`, agent);
        codes.push(code);
        if (connection === 'close') return;
      }
    };
    const clients = Array.from({ length: 10 }, ask);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await listening.close(() => store.close());
    await Promise.all(clients);
    expect(new Set(codes)).toEqual(new Set([200]));
  });

  it('ends watches in order', async () => {
    api = await startTestApi([widgets]);
    const { store } = api;
    const listening = await api.server.listen({ host: '127.0.0.1', port: 0 });
    const watch = await fetch(`${listening.url}${widgetsPath}?watch=true`);
    await listening.close(() => store.close());
    expect(await watch.text()).toBe('');
  });
});

it('breaks off connections that nothing else ends, such as a flood over HTTP/2', async () => {
  const server = createServer();
  const sockets = new Set<Socket>();
  // Node's HTTP server does not know these connections.
  server.removeAllListeners('connection').on('connection', (socket) => sockets.add(socket));
  const client = connect(await listenLocally(server), '127.0.0.1');
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.resume();
  await expect.poll(() => sockets.size).toBe(1);
  const webSockets = { takes: () => false, upgrade: async () => {}, goAway: () => {}, terminate: () => {} };
  const inProgress = defineInProgress(() => ({ code: 200, contentType: 'text/plain', body: Buffer.alloc(0) }));
  await close({ server, sockets, http2: undefined, webSockets, inProgress, limits: { stopMs: 0 } });
  await closed;
}, 10_000);

describe('the last answers', () => {
  const answer = { code: 200, contentType: '', body: Buffer.alloc(0) };
  const asked = (headers: Readonly<Record<string, string>>) => requestOf({ headers });

  it('announce the end over HTTP/1.1 only', () => {
    const inProgress = defineInProgress(() => answer);
    expect(inProgress.handle(asked({}))).toBe(answer);
    inProgress.beginClosing();
    expect(inProgress.handle(asked({}))).toEqual({ ...answer, headers: { connection: 'close' } });
    expect(inProgress.handle(asked({ ':method': 'GET' }))).toBe(answer);
  });

  it('are waited for, but not forever', async () => {
    const inProgress = defineInProgress(() => new Promise(() => {}));
    await inProgress.settled(0, 1000);
    void inProgress.handle(asked({}));
    const began = performance.now();
    await inProgress.settled(0, 50);
    expect(performance.now() - began).toBeGreaterThanOrEqual(50);
  });
});
