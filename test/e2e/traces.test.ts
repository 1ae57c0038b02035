/** Traces of requests: the spans that a collector gets, and the context in incoming and outgoing requests. */
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ListeningOptions, type ListeningServer, startServer } from '../../server/index.js';
import { send } from '../support/ask.js';
import { etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js';
import { reviewed, startTokenWebhook, type TokenWebhook } from '../support/token-webhook.js';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector.js';
import { kubeconfigFor } from '../support/write-kubeconfig.js';

const file = filesIn(scratchFolder());

let collector: TraceCollector;
let tokens: TokenWebhook;
let audit: ScriptedServer;
beforeAll(async () => {
  collector = await startTraceCollector();
  tokens = await startTokenWebhook();
  tokens.answer = (review) => reviewed(review, { authenticated: true, user: { username: 'wanda' } });
  audit = await scriptedServer([{}]);
});
afterAll(async () => {
  collector.close();
  await Promise.all([tokens.close(), audit.close()]);
});

const tracingFile = (rate: number, endpoint = collector.address): string =>
  file(
    `tracing-${rate}.yaml`,
    `apiVersion: apiserver.config.platform.io/v1beta1\nkind: TracingConfiguration\nendpoint: ${endpoint}\nsamplingRatePerMillion: ${rate}\n`,
  );

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const traced = { traceparent: `00-${traceId}-${parent}-01`, tracestate: 'vendor=one' };

const spansOf = (id: string): readonly CollectedSpan[] => collector.spans.filter((span) => span.traceId === id);
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

/** Runs a server. It has sent all its spans when it has stopped. */
async function withServer(
  options: Partial<ListeningOptions>,
  use: (server: ListeningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ naming: 'kubernetes', controllers: [], ...options });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

const maps = '/api/v1/namespaces/default/configmaps';

const create = (server: ListeningServer, name: string, headers: Record<string, string> = {}): Promise<Response> =>
  send(server, 'POST', maps, { body: { metadata: { name } }, headers });

it('a write has a trace from the client to webhooks and storage', async () => {
  let auditId: string | null = null;
  await withServer(
    {
      tracing: { configFile: tracingFile(0) },
      authorization: { modes: ['AlwaysAllow'] },
      authentication: { tokenWebhook: { configFile: file('tokens', tokens.configFile()), version: 'v1' } },
      audit: {
        policyFile: file('policy', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n'),
        webhook: { mode: 'blocking', configFile: file('audit', kubeconfigFor(audit.url)) },
      },
    },
    async (server) => {
      const answer = await create(server, 'one', { authorization: 'Bearer the-secret', ...traced });
      expect(answer.status).toBe(201);
      auditId = answer.headers.get('audit-id');
    },
  );
  const spans = spansOf(traceId);
  const request = named(spans, 'POST /api/v1/namespaces/{namespace}/configmaps');
  expect(request).toMatchObject({ parentSpanId: parent, kind: 2, failure: undefined });
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': '201',
    'http.route': '/api/v1/namespaces/{namespace}/configmaps',
    'audit-id': auditId,
    verb: 'create',
    resource: 'configmaps',
    namespace: 'default',
  });
  for (const name of ['Authentication', 'Authorization', 'Admission: validate', 'Storage commit']) {
    expect(named(spans, name), name).toMatchObject({ parentSpanId: request.spanId, kind: 1 });
  }
  const asked = spans.filter((span) => span.name === 'Webhook');
  const above = named(spans, 'Authentication').spanId;
  const review = asked.find((span) => span.parentSpanId === above);
  expect(review?.kind).toBe(3);
  expect(tokens.asked.at(-1)?.traceparent).toBe(`00-${traceId}-${review?.spanId}-01`);
  const ids = spans.filter((span) => span.name === 'Audit webhook').map((span) => `00-${traceId}-${span.spanId}-01`);
  const posts = audit.asked.filter(({ headers }) => String(headers.traceparent).includes(traceId));
  expect(posts.length).toBeGreaterThan(0);
  for (const { headers } of posts) {
    expect(ids).toContain(headers.traceparent);
    expect(headers.tracestate).toBe('vendor=one');
  }
  expect(collector.resource['service.name']).toBe('apiserver');
  expect(JSON.stringify(collector.spans)).not.toContain('the-secret');
});

const everyone: Partial<ListeningOptions> = { authentication: { anonymous: 'administrator' } };

describe('which requests are recorded', () => {
  it.each<[string, number, Record<string, string>, boolean]>([
    ['none by default', 0, {}, false],
    ['all at a rate of a million', 1_000_000, {}, true],
    ['requests that their client records', 0, { traceparent: `00-${'1'.repeat(32)}-${parent}-01` }, true],
    [
      'not requests that their client does not record',
      1_000_000,
      { traceparent: `00-${'2'.repeat(32)}-${parent}-00` },
      false,
    ],
    ['the default, if the header is malformed', 0, { traceparent: `00-${'3'.repeat(31)}-${parent}-01` }, false],
    ['the default, if the trace has no id', 0, { traceparent: `00-${'0'.repeat(32)}-${parent}-01` }, false],
  ])('%s', async (name, rate, headers, recorded) => {
    const before = collector.spans.length;
    await withServer({ ...everyone, tracing: { configFile: tracingFile(rate) } }, async (server) => {
      expect((await fetch(`${server.url}${maps}`, { headers })).status, name).toBe(200);
    });
    expect(collector.spans.slice(before).some((span) => span.name.startsWith('GET '))).toBe(recorded);
  });
});

it('a watch has a span until its end, and failures are marked', async () => {
  const id = 'a'.repeat(32);
  const headers = { traceparent: `00-${id}-${parent}-01` };
  await withServer({ ...everyone, tracing: { configFile: tracingFile(0) } }, async (server) => {
    const watch = await fetch(`${server.url}${maps}?watch=true&timeoutSeconds=1`, { headers });
    await watch.text();
    expect((await fetch(`${server.url}/nowhere`, { headers })).status).toBe(404);
  });
  const watch = named(spansOf(id), 'GET /api/v1/namespaces/{namespace}/configmaps');
  expect(watch.attributes).toMatchObject({ verb: 'watch' });
  expect(watch.seconds).toBeGreaterThan(0.9);
  expect(named(spansOf(id), 'GET').attributes).toMatchObject({ 'http.response.status_code': '404' });
});

it('without a collector the server serves, and stops', async () => {
  await withServer({ ...everyone, tracing: { configFile: tracingFile(1_000_000, '127.0.0.1:1') } }, async (server) => {
    expect((await create(server, 'one')).status).toBe(201);
  });
});

it('a provider of spans can be the user’s own', async () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  await withServer({ ...everyone, tracing: { tracerProvider } }, async (server) => {
    expect((await fetch(`${server.url}/version`)).status).toBe(200);
  });
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toContain('GET');
  await tracerProvider.shutdown();
});

it('an unusable file prevents the start of the server', async () => {
  const configFile = file(
    'broken.yaml',
    'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: TracingConfiguration\nendpont: a\n',
  );
  await expect(startServer({ tracing: { configFile } })).rejects.toThrow(
    `tracing.configFile ${configFile}:3:1: endpont: unknown field; did you mean \`endpoint\`?`,
  );
});

describe.skipIf(!hasEtcd)(`in ${etcdOrWhyNot}`, () => {
  it('a request to etcd has a span below the commit', async () => {
    const cluster = await startEtcd();
    onTestFinished(() => cluster.dispose());
    const id = 'b'.repeat(32);
    const options = { ...everyone, storage: { etcd: { endpoints: cluster.endpoints } } };
    await withServer({ ...options, tracing: { configFile: tracingFile(0) } }, async (server) => {
      expect((await create(server, 'one', { traceparent: `00-${id}-${parent}-01` })).status).toBe(201);
    });
    const commit = named(spansOf(id), 'Storage commit');
    expect(named(spansOf(id), 'etcd etcdserverpb.KV/Txn')).toMatchObject({ parentSpanId: commit.spanId, kind: 3 });
  });
});
