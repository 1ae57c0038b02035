/** Rules of single kinds for which specification and reference differ, and the reference counts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { makeRequest } from '../../support/certificates.js';
import { suiteKinds } from '../../support/kind-api.js';
import type { Reply } from '../../support/test-api.js';

const decisions = new Set<string>();
const api = await suiteKinds(kubernetesNaming, {
  featureEnabled: (gate) => gate !== 'MultiCIDRServiceAllocator',
  authorizer: {
    name: 'test',
    decide: ({ verb }) => ({ decision: decisions.has(verb) ? 'deny' : 'allow' }),
  },
});

const put = (path: string, object: JsonObject): Promise<Reply> => api.send('PUT', path, object);
const post = (path: string, object: JsonObject): Promise<Reply> => api.send('POST', path, object);

describe('a replacement of a missing object', () => {
  const namespaced = '/namespaces/default/';
  const created: readonly [path: string, object: JsonObject][] = [
    [`/apis/coordination.k8s.io/v1${namespaced}leases/a`, { spec: {} }],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles/a', { rules: [] }],
    [`/apis/rbac.authorization.k8s.io/v1${namespaced}roles/a`, { rules: [] }],
    ['/apis/node.k8s.io/v1/runtimeclasses/a', { handler: 'h' }],
    [`/api/v1${namespaced}endpoints/a`, {}],
  ];
  const missing: readonly [path: string, object: JsonObject][] = [
    ['/api/v1/nodes/a', {}],
    [`/api/v1${namespaced}configmaps/a`, {}],
    [`/apis/resource.k8s.io/v1alpha2${namespaced}podschedulingcontexts/a`, { spec: {} }],
    ['/apis/storage.k8s.io/v1/csidrivers/a', { spec: {} }],
    ['/apis/networking.k8s.io/v1alpha1/ipaddresses/10.0.0.1', { spec: {} }],
  ];
  const named = (path: string, object: JsonObject) => ({ metadata: { name: path.split('/').at(-1) }, ...object });

  it.each(created)('creates %s', async (path, object) => {
    expect((await put(`${path}?dryRun=All`, named(path, object))).code).toBe(201);
  });

  it.each(created)('needs the right to create as well: %s', async (path, object) => {
    decisions.add('create');
    expect((await put(path, named(path, object))).code).toBe(403);
    decisions.clear();
  });

  it.each(missing)('is not found at %s', async (path, object) => {
    expect((await put(path, named(path, object))).code).toBe(404);
  });
});

it('takes a token request of a CSIDriver without an audience for the empty audience', async () => {
  const create = (tokenRequests: JsonObject[]) =>
    post('/apis/storage.k8s.io/v1/csidrivers?dryRun=All', { metadata: { name: 'd' }, spec: { tokenRequests } });
  const one = await create([{}]);
  expect([one.code, objectAt(one.body, 'spec')?.tokenRequests]).toEqual([201, [{ audience: '' }]]);
  const two = await create([{}, { audience: '' }]);
  expect(two.code).toBe(422);
  expect(two.text).toContain('spec.tokenRequests[1].audience: Duplicate value');
});

describe('an IPAddress', () => {
  const create = (spec: JsonObject) =>
    post('/apis/networking.k8s.io/v1alpha1/ipaddresses?dryRun=All', { metadata: { name: '10.1.2.3' }, spec });

  it('needs a parent with resource and name, and nothing else of it', async () => {
    expect((await create({ parentRef: { resource: 'services', name: 's' } })).code).toBe(201);
    expect((await create({})).text).toContain('spec.parentRef: Required value');
    expect((await create({ parentRef: { name: 's' } })).text).toContain('spec.parentRef.resource: Required value');
    expect((await create({ parentRef: { resource: 'services' } })).text).toContain(
      'spec.parentRef.name: Required value',
    );
  });

  it('is not made for a Service unless the gate is on', async () => {
    const made = await post('/api/v1/namespaces/default/services', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    });
    expect(made.code).toBe(201);
    const list = await api.send('GET', '/apis/networking.k8s.io/v1alpha1/ipaddresses');
    expect(list.body.items).toEqual([]);
  });
});

it('accepts conditions of any type at the approval of a certificate request', async () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const request = Buffer.from(await makeRequest('CN=alice')).toString('base64');
  const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] };
  await post(path, { metadata: { name: 'r' }, spec });
  const conditions = [{ type: 'Example', status: 'True' }];
  const reply = await put(`${path}/r/approval`, { metadata: { name: 'r' }, spec, status: { conditions } });
  expect(reply.code).toBe(200);
  expect(reply.text).toContain('"type":"Example"');
});
