/** Every answer has the id of its request, and names its flow schema and priority level. */

import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse, StreamStart } from '../../../../runtime/request/api-request.js';
import { compressed } from '../../../../runtime/server/finish-answers.js';
import { requestOf } from '../../../support/api-requests.js';
import { type ListeningServer, startServing } from '../../../support/serving.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.each([
  ['kubernetes', 'x-kubernetes-pf', 'flowcontrol.apiserver.k8s.io'],
  ['platform', 'x-platform-pf', 'flowcontrol.platform.io'],
] as const)('under the names of %s', (naming, prefix, group) => {
  let server: ListeningServer;
  const tokens = ['admin-token'];
  beforeAll(async () => {
    server = await startServing({ naming, anonymousAuth: 'false', controllers: 'none' });
    tokens[0] = /"token": "([^"]+)"/.exec(server.kubeconfig)?.[1] ?? '';
  });
  afterAll(() => server.stop());

  const ask = (path: string, init: RequestInit = {}, token = tokens[0]) =>
    fetch(server.url + path, {
      ...init,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...init.headers },
    });
  const uidOf = async (plural: string, name: string): Promise<string> => {
    const object: { metadata: { uid: string } } = await (await ask(`/apis/${group}/v1beta3/${plural}/${name}`)).json();
    return object.metadata.uid;
  };
  const flowOf = ({ headers }: Response) => [
    headers.get(`${prefix}-flowschema-uid`),
    headers.get(`${prefix}-prioritylevel-uid`),
  ];
  const impersonating = (user: string) => ({ headers: { 'impersonate-user': user } });

  it("the server makes an id, or uses the client's", async () => {
    for (const path of [
      '/version',
      '/api/v1/namespaces',
      '/nothing',
      '/api/v1/namespaces?timeout=abc',
      '/openapi/v2',
    ]) {
      expect((await ask(path)).headers.get('audit-id')).toMatch(uuid);
    }
    expect((await ask('/version', {}, 'wrong')).headers.get('audit-id')).toMatch(uuid);
    const ids = await Promise.all([ask('/version'), ask('/version')]);
    expect(new Set(ids.map(({ headers }) => headers.get('audit-id'))).size).toBe(2);
    const said = await ask('/version', { headers: { 'audit-id': 'mine-1' } });
    expect(said.headers.get('audit-id')).toBe('mine-1');
  });

  it.each([
    ['/api/v1/namespaces', undefined, 'exempt', 'exempt'],
    ['/healthz', impersonating('bob'), 'probes', 'exempt'],
    ['/version', impersonating('bob'), 'global-default', 'global-default'],
    ['/api/v1/namespaces/default/configmaps', impersonating('bob'), 'global-default', 'global-default'],
    [
      '/api/v1/namespaces/default/pods',
      impersonating('system:serviceaccount:default:a'),
      'service-accounts',
      'workload-low',
    ],
    ['/api/v1/namespaces/default/pods', impersonating('a'), 'global-default', 'global-default'],
  ])('%s falls under its flow schema (%j): %s', async (path, init, schema, level) => {
    const response = await ask(path, init);
    expect(flowOf(response)).toEqual([
      await uidOf('flowschemas', schema),
      await uidOf('prioritylevelconfigurations', level),
    ]);
  });

  it('a request of an unknown user has none', async () => {
    expect(flowOf(await ask('/version', {}, 'wrong'))).toEqual([null, null]);
  });

  it('changes of flow schemas count at once, unless their priority level does not exist', async () => {
    const put = (name: string, priorityLevel: string) =>
      ask(`/apis/${group}/v1beta3/flowschemas`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          metadata: { name },
          spec: {
            matchingPrecedence: 5,
            priorityLevelConfiguration: { name: priorityLevel },
            rules: [
              {
                subjects: [{ kind: 'User', user: { name: 'carol' } }],
                resourceRules: [
                  { verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['default'] },
                ],
                nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/api/*'] }],
              },
            ],
          },
        }),
      });
    expect((await put('a-dangling', 'none')).status).toBe(201);
    expect((await put('b-own', 'workload-high')).status).toBe(201);
    const own = await uidOf('flowschemas', 'b-own');
    const schemaAt = async (path: string) => flowOf(await ask(path, impersonating('carol')))[0];
    expect(await schemaAt('/api/v1/namespaces/default/configmaps')).toBe(own);
    expect(await schemaAt('/api/')).toBe(own);
    for (const path of [
      '/api/v1/namespaces/other/configmaps',
      '/api/v1/configmaps',
      '/api/v1/namespaces/default/configmaps/a',
      '/apis',
    ]) {
      expect(await schemaAt(path)).toBe(await uidOf('flowschemas', 'global-default'));
    }
    await ask(`/apis/${group}/v1beta3/flowschemas/b-own`, { method: 'DELETE' });
    expect(await schemaAt('/api/')).not.toBe(own);
  });
});

const request = (encoding?: string): ApiRequest =>
  requestOf({ headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

const large = Buffer.alloc(128 * 1024 + 1, 'a');
const answer = (body: ApiResponse['body'], headers: Record<string, string> = {}): ApiResponse => ({
  code: 200,
  contentType: 'application/json',
  headers,
  body,
});

describe('compression', () => {
  it.each([
    ['one piece', large],
    ['many', [large.subarray(0, 70_000), large.subarray(70_000)]],
  ])('makes large answers of %s small', async (_what, body) => {
    const { headers, body: sent } = await compressed(request('deflate, gzip'), answer(body, { vary: 'Accept' }));
    expect(headers).toEqual({ vary: ['Accept', 'Accept-Encoding'], 'content-encoding': 'gzip' });
    if (!(sent instanceof Uint8Array)) throw new Error('the body is in pieces');
    expect(sent.length).toBeLessThan(1000);
    expect(gunzipSync(sent).equals(large)).toBe(true);
  });

  it("compresses answers that are made while they are sent, at the client's pace", async () => {
    const start: StreamStart = (sink) => {
      const send = async (): Promise<void> => {
        for (let at = 0; at < large.length; at += 10_000) {
          sink.write(large.subarray(at, at + 10_000));
          await sink.taken();
        }
        sink.end();
      };
      void send();
      return () => {};
    };
    const { headers, body } = await compressed(request('gzip'), answer({ stream: start, ends: true }));
    expect(headers).toMatchObject({ 'content-encoding': 'gzip' });
    if (!('stream' in body)) throw new Error('the body is no stream');
    const chunks: Uint8Array[] = [];
    await new Promise<void>((end, destroy) => {
      const write = (chunk: Uint8Array): void => void chunks.push(chunk);
      body.stream({ buffered: 0, write, taken: () => Promise.resolve(), end, destroy: () => destroy() });
    });
    expect(gunzipSync(Buffer.concat(chunks)).equals(large)).toBe(true);
  });

  it.each<[string, string | undefined, ApiResponse]>([
    ['who does not ask for it', undefined, answer(large)],
    ['who asks for another', 'deflate, br', answer(large)],
    ['small answers', 'gzip', answer(large.subarray(1))],
    ['streams', 'gzip', answer({ stream: () => () => {} })],
  ])('does not change %s', (_what, encoding, whole) => {
    expect(compressed(request(encoding), whole)).toBe(whole);
  });
});
