/** A write to a widely watched resource holds seats for a moment after its answer. */
import { afterEach, expect, it, vi } from 'vitest';
import { OpenWatches, workAfter } from '../../../../../runtime/access/flow-control/demand.js';
import type { ApiResponse, StreamSink } from '../../../../../runtime/request/api-request.js';
import { startServer } from '../../../../../server/index.js';
import { requestOf } from '../../../../support/api-requests.js';

afterEach(() => void vi.useRealTimers());

const sink: StreamSink = { buffered: 0, write() {}, taken: () => Promise.resolve(), end() {}, destroy() {} };

/** Starts the stream of an answer, and returns a function that ends it. */
function start({ body }: ApiResponse): () => void {
  if (!('stream' in body)) throw new Error('no stream');
  return body.stream(sink);
}

it.each([
  [9, undefined],
  [10, { seats: 1, ms: 5 }],
  [45, { seats: 5, ms: 5 }],
  [500, { seats: 10, ms: 25 }],
])('a write that %i watches receive holds seats: %j', (count, work) => {
  const watches = new OpenWatches();
  const user = { name: 'alice', uid: '', groups: [], extra: {} };
  const of = (verb: string, resource: string) => ({ user, verb, group: '', resource });
  const answer: ApiResponse = { code: 200, contentType: '', body: { stream: () => () => {} } };
  const stops = Array.from({ length: count }, () => start(watches.counted(of('watch', 'pods'), answer)));
  expect(workAfter(watches.countOf(of('create', 'pods')))).toEqual(work);
  expect(workAfter(watches.countOf(of('create', 'nodes')))).toBeUndefined();
  for (const stop of stops) {
    stop();
    stop();
  }
  expect(workAfter(watches.countOf(of('create', 'pods')))).toBeUndefined();
});

it('other requests wait until these seats are free', async () => {
  const server = await startServer({
    http: false,
    naming: 'kubernetes',
    controllers: [],
    authentication: { anonymous: 'administrator' },
    authorization: { modes: ['AlwaysAllow'] },
    limits: { requests: 20, mutatingRequests: 10 },
  });
  const ask = async (method: string, path: string, user = '', search = '', body = ''): Promise<ApiResponse> => {
    const headers = { host: 'localhost', 'content-type': 'application/json', 'impersonate-user': user || undefined };
    return await server.handle(requestOf({ method, path, search, headers, body }));
  };
  const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1beta3';
  const level = {
    metadata: { name: 'narrow' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  };
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
  const rules = [{ subjects: [{ kind: 'User', user: { name: 'writer' } }], resourceRules: [all] }];
  const schema = { metadata: { name: 'narrow' }, spec: { priorityLevelConfiguration: { name: 'narrow' }, rules } };
  await ask('POST', `${flowControl}/prioritylevelconfigurations`, '', '', JSON.stringify(level));
  expect((await ask('POST', `${flowControl}/flowschemas`, '', '', JSON.stringify(schema))).code).toBe(201);
  const stops = [];
  for (let i = 0; i < 20; i++) stops.push(start(await ask('GET', '/api/v1/namespaces', '', 'watch=true')));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const written = await ask('POST', '/api/v1/namespaces', 'writer', '', '{"metadata":{"name":"written"}}');
  expect(written.code).toBe(201);
  expect((await ask('GET', '/api/v1/namespaces', 'writer')).code).toBe(429);
  vi.advanceTimersByTime(5);
  expect((await ask('GET', '/api/v1/namespaces', 'writer')).code).toBe(200);
  vi.useRealTimers();
  for (const stop of stops) stop();
  await server.stop();
});
