/** Every answer has the id of its request, and names the flow schema and priority level that it falls under. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServing } from '../../../support/serving.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.each([
  ['kubernetes', 'x-kubernetes-pf', 'flowcontrol.apiserver.k8s.io'],
  ['platform', 'x-platform-pf', 'flowcontrol.apiserver.platform.io'],
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

  it('an id is made up, or is the one that the client says', async () => {
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

  it('who is not known falls under none', async () => {
    expect(flowOf(await ask('/version', {}, 'wrong'))).toEqual([null, null]);
  });

  it('changes of flow schemas count at once, unless their priority level is not there', async () => {
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
