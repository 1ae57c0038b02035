/** Sends requests of all kinds with a broken part to a server. The server answers each with the error. */
import { request as send } from 'node:http';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { effort } from '../support/effort.js';
import { type HostileRequest, hostileRequest, type Target } from '../support/hostile-requests.js';
import { startServing } from '../support/serving.js';

const running = await startServing({ controllers: 'none' });
afterAll(() => running.stop());

const pod: JsonObject = {
  containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'A' }] }],
};
const template: JsonObject = { metadata: { labels: { a: 'b' } }, spec: pod };
const spec: JsonObject = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
const meta = { metadata: { name: 'a', labels: { a: 'b' }, finalizers: ['example.com/f'] } };
const target = (collection: string, kind: string, rest: JsonObject, ...subresources: string[]): Target => {
  const apiVersion = collection.replace(/^\/apis?\//, '').replace(/\/(namespaces\/.*|[^/]*)$/, '');
  return { collection, object: { apiVersion, kind, ...meta, ...rest }, subresources };
};

const targets: readonly Target[] = [
  target('/api/v1/namespaces/default/configmaps', 'ConfigMap', { data: { a: '1' } }),
  target('/api/v1/namespaces/default/secrets', 'Secret', { data: { a: 'YQ==' } }),
  target('/api/v1/namespaces/default/services', 'Service', { spec: { ports: [{ port: 80 }] } }, 'status'),
  target(
    '/api/v1/namespaces/default/pods',
    'Pod',
    { spec: pod },
    'status',
    'eviction',
    'binding',
    'ephemeralcontainers',
  ),
  target('/apis/apps/v1/namespaces/default/deployments', 'Deployment', { spec }, 'scale', 'status'),
  target('/api/v1/nodes', 'Node', { spec: { podCIDR: '10.0.0.0/24' } }, 'status'),
  target('/api/v1/namespaces/default/serviceaccounts', 'ServiceAccount', {}, 'token'),
  target('/apis/authorization.platform.io/v1/subjectaccessreviews', 'SubjectAccessReview', { spec: { user: 'a' } }),
  target('/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'a' } },
  }),
];

interface Reply {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

const ask = ({ method, path, headers, body }: HostileRequest): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sized = body ? { ...headers, 'content-length': String(body.length) } : headers;
    const asked = send(new URL(running.url).origin, { method, path, headers: sized }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        resolve({ code: response.statusCode ?? 0, type, body: Buffer.concat(chunks).toString() });
      });
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });

/** Describes the problem of an answer, if any. */
function oddity(method: string, { code, type, body }: Reply): string | undefined {
  if (code < 200 || code >= 500) return `code ${code}: ${body}`;
  if (code < 400 || method === 'HEAD' || !type.startsWith('application/json')) return undefined;
  const status = JSON.parse(body);
  const right =
    status.kind === 'Status' && status.code === code && status.status === 'Failure' && status.message !== '';
  return right ? undefined : `no status of ${code}: ${body}`;
}

it('get a success or a Status with the error, and never a failure of the server', async () => {
  const headers = { 'content-type': 'application/json' };
  // The server does not store reviews, so nothing can patch them later.
  const kept = targets.filter(({ collection }) => !collection.includes('review'));
  const create = ({ collection, object }: Pick<Target, 'collection' | 'object'>): Promise<Reply> =>
    ask({ method: 'POST', path: collection, headers, body: Buffer.from(JSON.stringify(object)) });
  // Pods run as this account, and no controller creates it here.
  await create({ collection: '/api/v1/namespaces/default/serviceaccounts', object: { metadata: { name: 'default' } } });
  const made = kept.map(create);
  for (const { code, body } of await Promise.all(made)) expect(code, body).toBe(201);
  await fc.assert(
    fc.asyncProperty(hostileRequest(targets), async (request) => {
      expect(oddity(request.method, await ask(request))).toBeUndefined();
    }),
    { numRuns: effort('KINDFORGE_HOSTILE_RUNS', 800, 10_000) },
  );
}, 300_000);
