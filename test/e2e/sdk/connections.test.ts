/** Connections of the SDK: proxies, HTTP/2, keep-alive, timeouts, aborted calls and traces. */
import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isConnectionError, openTelemetry } from '../../../client/index.js';
import { type LoadedConnection, openConnection } from '../../../client/node.js';
import { type Client, createClient } from '../../../generated/client.js';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { makeServerCertificate } from '../../support/certificates.js';
import { type ScriptedServer, scriptedServer } from '../../support/scripted-server.js';
import { collect, rejection } from '../../support/sdk.js';

let server: ListeningServer;
let ca: { readonly pem: string };
let certificate: { readonly pem: string };
let key: { readonly pem: string };
beforeAll(async () => {
  server = await startServer({ storage: 'memory', controllers: [], tls: {}, http: { port: 'auto' } });
  const { clusters, users } = JSON.parse(server.kubeconfig);
  ca = { pem: Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString() };
  certificate = { pem: Buffer.from(users[0].user['client-certificate-data'], 'base64').toString() };
  key = { pem: Buffer.from(users[0].user['client-key-data'], 'base64').toString() };
});
afterAll(() => server.stop());

const opened: LoadedConnection[] = [];
afterAll(async () => {
  for (const connection of opened) await connection.close();
});

const connected = (options: object = {}): LoadedConnection => {
  const connection = openConnection({ baseUrl: server.url, ca, certificate, key, ...options });
  opened.push(connection);
  return connection;
};
const clientOf = (options: object = {}, more: object = {}): Client =>
  createClient({ kubeconfig: connected(options), ...more });

/** A proxy, and the requests that it gets. */
interface Proxy {
  readonly url: string;
  readonly asked: string[];
  close(): void;
}

/** Starts a proxy that opens tunnels and forwards plain requests. If a password is given, clients must send it. */
async function startProxy(password?: string): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const proxy: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'by-proxy' } }));
  });
  proxy.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    const wanted = password && `Basic ${btoa(`me:${password}`)}`;
    if (wanted && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = '', port] = request.url?.split(':') ?? [];
    const there = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    sockets.add(socket).add(there);
    for (const one of [socket, there]) one.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    asked,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

describe('a proxy', () => {
  it('tunnels requests and watches to a server with TLS, and never sees their content', async () => {
    const proxy = await startProxy('open');
    onTestFinished(() => proxy.close());
    const api = clientOf({ proxy: proxy.url.replace('//', '//me:open@') });
    const maps = api.core.v1.configMaps.in('default');
    await maps.create({ metadata: { name: 'by-proxy' } });
    const watch = maps.watch({ fieldSelector: 'metadata.name=by-proxy' });
    expect((await watch.next()).value?.type).toBe('ADDED');
    await watch.return();
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${new URL(server.url).host}`]));
    const refused = clientOf({ proxy: proxy.url });
    expect(isConnectionError(await rejection(refused.core.v1.namespaces.get('default')))).toBe(true);
  });

  it('gets requests without TLS itself, and is found in the environment', async () => {
    const proxy = await startProxy();
    onTestFinished(() => proxy.close());
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const far = { baseUrl: 'http://api.example.com:8080' };
    const { metadata } = await clientOf(far).core.v1.namespaces.get('x');
    expect(metadata.name).toBe('by-proxy');
    expect(proxy.asked).toEqual(['GET http://api.example.com:8080/api/v1/namespaces/x']);
    const without = clientOf(
      { ...far, proxy: false, baseUrl: 'http://api.invalid:8080' },
      { retry: { brokenReads: 0 } },
    );
    expect(isConnectionError(await rejection(without.core.v1.namespaces.get('x')))).toBe(true);
    expect(proxy.asked).toHaveLength(1);
  });
});

describe('connections', () => {
  it('are kept alive, up to the allowed number', async () => {
    const scripted = await scriptedServer([{ body: { kind: 'Namespace', metadata: { name: 'x' } } }]);
    onTestFinished(() => scripted.close());
    const { transport, close } = openConnection({ baseUrl: scripted.url, maxConnections: 1 });
    const api = createClient({ transport });
    await Promise.all(Array.from({ length: 20 }, () => api.core.v1.namespaces.get('x')));
    await api.core.v1.namespaces.get('x');
    expect(scripted.asked).toHaveLength(21);
    expect(scripted.asked.every(({ headers }) => headers.connection === 'keep-alive')).toBe(true);
    await close();
  });

  it('that close while they are idle do not fail reads', async () => {
    const body = { kind: 'Namespace', metadata: { name: 'x' } };
    const scripted = await scriptedServer([{ body }, { send: (response) => void response.destroy() }, { body }]);
    onTestFinished(() => scripted.close());
    const api = createClient({ kubeconfig: openConnection({ baseUrl: scripted.url }), retry: { initialDelayMs: 1 } });
    await api.core.v1.namespaces.get('x');
    expect((await api.core.v1.namespaces.get('x')).metadata.name).toBe('x');
    expect(scripted.asked).toHaveLength(3);
  });

  it('decompress answers', async () => {
    const maps = clientOf().core.v1.configMaps.in('default');
    const data = { text: 'abc'.repeat(100_000) };
    await maps.create({ metadata: { name: 'long' }, data });
    expect((await maps.get('long')).data).toEqual(data);
  });
});

describe('HTTP/2', () => {
  it('carries many reads and watches on one connection, and each ends by itself', async () => {
    const api = clientOf({ http2: true, maxConnections: 1 });
    const maps = api.core.v1.configMaps.in('default');
    const watches = Array.from({ length: 20 }, () => maps.watch({ fieldSelector: 'metadata.name=two' }));
    const firsts = watches.map((watch) => watch.next());
    await maps.create({ metadata: { name: 'two' }, data: { a: '1' } });
    expect(await Promise.all(Array.from({ length: 50 }, () => maps.get('two')))).toHaveLength(50);
    for (const first of await Promise.all(firsts)) expect(first.value?.type).toBe('ADDED');
    for (const watch of watches.slice(1)) await watch.return();
    await maps.patch('two', { data: { a: '2' } });
    expect((await watches[0]?.next())?.value).toMatchObject({ type: 'MODIFIED', object: { data: { a: '2' } } });
    await watches[0]?.return();
    const { items } = await api.core.v1.namespaces.list();
    expect(items.length).toBeGreaterThan(0);
  });

  it('ends all open requests with the server', async () => {
    const short = await startServer({
      storage: 'memory',
      controllers: [],
      tls: {},
      authentication: { anonymous: 'administrator' },
    });
    const connection = openConnection({ baseUrl: short.url, insecure: true, http2: true });
    const maps = createClient({ kubeconfig: connection, retry: { brokenReads: 0 } }).core.v1.configMaps.in('default');
    await maps.create({ metadata: { name: 'x' } });
    const watches = Array.from({ length: 5 }, () => maps.watch());
    for (const watch of watches) expect((await watch.next()).value?.type).toBe('ADDED');
    const ends = watches.map((watch) => watch.next().then(({ done }) => done, isConnectionError));
    await short.stop();
    expect(await Promise.all(ends)).toEqual(watches.map(() => true));
    expect(isConnectionError(await rejection(maps.get('x')))).toBe(true);
    await connection.close();
  });

  it('fails if the server has only HTTP/1.1', async () => {
    const keys = await makeServerCertificate();
    const plain = await scriptedServer([{}], (listener) => createTlsServer(keys, listener));
    onTestFinished(() => plain.close());
    const baseUrl = plain.url.replace('http:', 'https:');
    const api = clientOf({ baseUrl, insecure: true, http2: true }, { retry: { brokenReads: 0 } });
    expect(String(await rejection(api.core.v1.namespaces.get('x')))).toContain('does not offer HTTP/2');
  });
});

describe('time', () => {
  let silent: ScriptedServer;
  beforeAll(async () => {
    silent = await scriptedServer([{ send: () => {} }]);
    return () => silent.close();
  });
  const silence = (more: object = {}): Client => createClient({ baseUrl: silent.url, ...more });

  it('is limited for the requests of a client, and for one', async () => {
    const byClient = await rejection(silence({ timeoutMs: 30 }).core.v1.namespaces.list());
    expect(isConnectionError(byClient)).toBe(true);
    expect(String(byClient)).toBe('ConnectionError: no answer to GET /api/v1/namespaces: 30 ms are over');
    for (const request of [
      silence().core.v1.namespaces.get('x', { timeoutMs: 20 }),
      silence().core.v1.namespaces.delete('x', { timeoutMs: 20 }),
      silence().core.v1.namespaces.patch('x', {}, { timeoutMs: 20 }),
      silence().core.v1.configMaps.in('x').deleteCollection({ timeoutMs: 20 }),
      silence({ timeoutMs: 3_600_000 }).core.v1.namespaces.watch({ timeoutMs: 20 }).next(),
    ]) {
      expect(String(await rejection(request))).toContain('20 ms are over');
    }
    expect(silent.asked.every(({ path }) => !path.includes('timeoutMs'))).toBe(true);
  });

  it('with a limit includes retries', async () => {
    const busy = await scriptedServer([{ code: 429, headers: { 'retry-after': '1' } }]);
    onTestFinished(() => busy.close());
    const api = createClient({ baseUrl: busy.url, timeoutMs: 500 });
    expect(String(await rejection(api.core.v1.namespaces.get('x')))).toContain('500 ms are over');
    expect(busy.asked).toHaveLength(1);
  });

  it('does not end a watch that has begun', async () => {
    const maps = clientOf({}, { timeoutMs: 1_000 }).core.v1.configMaps.in('default');
    const watch = maps.watch({ fieldSelector: 'metadata.name=late' });
    const first = watch.next();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await maps.create({ metadata: { name: 'late' } });
    expect((await first).value?.type).toBe('ADDED');
    await watch.return();
  });

  it('is limited before the connection exists', async () => {
    // The server accepts connections and never answers, so TLS does not start.
    const mute = createServer();
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    mute.removeAllListeners('connection');
    const sockets: Socket[] = [];
    mute.on('connection', (socket: Socket) => sockets.push(socket));
    const baseUrl = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const error = await rejection(clientOf({ baseUrl, connectTimeoutMs: 50 }).core.v1.namespaces.get('x'));
    expect(isConnectionError(error)).toBe(true);
    expect(String(error)).toMatch(/timeout/i);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it.each(['list', 'watch', 'each', 'create'])('of a %s ends when the caller aborts', async (what) => {
    const controller = new AbortController();
    const { signal } = controller;
    const kubeconfig = openConnection({ baseUrl: silent.url });
    const maps = createClient({ kubeconfig }).core.v1.configMaps.in('x');
    const requests: Record<string, () => Promise<unknown>> = {
      list: () => maps.list({ signal }),
      watch: () => maps.watch({ signal }).next(),
      each: () => collect(maps.each({ signal })),
      create: () => maps.create({ metadata: { name: 'x' } }, { signal }),
    };
    const asked = silent.asked.length;
    const given = rejection(requests[what]?.() ?? Promise.resolve());
    await expect.poll(() => silent.asked.length).toBe(asked + 1);
    controller.abort(new Error('enough'));
    expect(await given).toMatchObject({ message: 'enough' });
    const late = AbortSignal.abort(new Error('too late'));
    expect(await rejection(maps.get('x', { signal: late }))).toMatchObject({ message: 'too late' });
    await kubeconfig.close();
  });
});

it('any number of requests share a signal, and leave no listener on it', async () => {
  const { signal } = new AbortController();
  const warned = vi.fn();
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const { configMaps } = clientOf().core.v1;
  await Promise.all(Array.from({ length: 30 }, () => configMaps.list({ signal })));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned.mock.calls).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('traces', () => {
  it('have a span for each request, below the active span, and continue in the server', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const api = {
      trace: { getTracer: (name: string) => provider.getTracer(name), setSpan: trace.setSpan.bind(trace) },
      context,
      propagation: {
        inject: (around: ReturnType<typeof context.active>, carrier: Record<string, string>) => {
          const span = trace.getSpanContext(around);
          carrier.traceparent = `00-${span?.traceId}-${span?.spanId}-01`;
        },
      },
    };
    const body = { kind: 'Namespace', metadata: { name: 'x' } };
    const scripted = await scriptedServer([{ code: 429, headers: { 'retry-after': '0' } }, { body }]);
    onTestFinished(() => provider.shutdown());
    const client = createClient({ baseUrl: scripted.url, tracing: openTelemetry(api) });
    await client.core.v1.namespaces.get('x', { resourceVersion: '0' });
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name, kind, attributes }) => [name, kind, attributes])).toEqual(
      [429, 200].map((code) => [
        'GET /api/v1/namespaces/{name}',
        2,
        {
          ...{ 'http.request.method': 'GET', 'url.path': '/api/v1/namespaces/x', 'url.query': 'resourceVersion=0' },
          ...{ 'url.template': '/api/v1/namespaces/{name}', 'http.response.status_code': code },
          ...(code === 429 ? { 'error.type': '429' } : {}),
        },
      ]),
    );
    expect(spans.map(({ status }) => status.code)).toEqual([2, 0]);
    expect(scripted.asked.map(({ headers }) => headers.traceparent)).toEqual(
      spans.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
    );
    await scripted.close();
    await rejection(client.core.v1.namespaces.get('x'));
    expect(exporter.getFinishedSpans().at(-1)).toMatchObject({
      attributes: { 'error.type': 'ConnectionError' },
      status: { code: 2, message: expect.stringContaining('no answer') },
    });
  });

  it('accept the module of OpenTelemetry', () =>
    expect(
      openTelemetry({ trace, context, propagation }).begin({ method: 'GET', path: '/', template: '/' }).headers,
    ).toEqual({}));
});
