/** Kinds that an update may create, kinds that need a revision in updates, and the rules of such a create. */
import { describe, expect, it } from 'vitest';
import { resource as leases } from '../../../../generated/coordination.platform.io/v1/leases/resource.js';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import type { AuthorizationAttributes, Authorizer } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { registry } from '../../../support/built-in-modules.js';
import { suiteApi } from '../../../support/test-api.js';

const served = registry.filter(({ served: isServed, virtual }) => isServed && !virtual);
const kindsWhere = (is: (module: (typeof served)[number]) => boolean): readonly string[] => [
  ...new Set(served.filter(is).map(({ group, names }) => `${group}/${names.plural}`)),
];

it('allows creation by an update of these kinds', () => {
  expect([...kindsWhere(({ createOnUpdate }) => createOnUpdate)].sort()).toEqual([
    '/endpoints',
    '/events',
    '/limitranges',
    '/services',
    'coordination.platform.io/leases',
    'events.platform.io/events',
    'node.platform.io/runtimeclasses',
    'rbac.authorization.platform.io/clusterrolebindings',
    'rbac.authorization.platform.io/clusterroles',
    'rbac.authorization.platform.io/rolebindings',
    'rbac.authorization.platform.io/roles',
  ]);
});

it('requires a revision in updates of these kinds', () => {
  expect([...kindsWhere(({ unconditionalUpdate }) => !unconditionalUpdate)].sort()).toEqual([
    'admissionregistration.platform.io/mutatingadmissionpolicies',
    'admissionregistration.platform.io/mutatingadmissionpolicybindings',
    'admissionregistration.platform.io/mutatingwebhookconfigurations',
    'admissionregistration.platform.io/validatingadmissionpolicies',
    'admissionregistration.platform.io/validatingadmissionpolicybindings',
    'admissionregistration.platform.io/validatingwebhookconfigurations',
    'apiextensions.platform.io/customresourcedefinitions',
    'apiregistration.platform.io/apiservices',
    'certificates.platform.io/clustertrustbundles',
    'coordination.platform.io/leases',
    'internal.apiserver.platform.io/storageversions',
    'node.platform.io/runtimeclasses',
    'policy/poddisruptionbudgets',
    'storage.platform.io/csidrivers',
    'storage.platform.io/csinodes',
    'storage.platform.io/csistoragecapacities',
    'storage.platform.io/volumeattachments',
  ]);
});

const asked: AuthorizationAttributes[] = [];
const authorizer: Authorizer = {
  name: 'writers',
  decide: (attributes) => {
    if ('verb' in attributes && 'resource' in attributes) asked.push(attributes);
    const refused = 'name' in attributes && attributes.name === 'foreign' && attributes.verb === 'create';
    return refused ? { decision: 'no opinion' } : { decision: 'allow' };
  },
};
const api = await suiteApi([leases, configMaps], { authorizer });

const place = '/apis/coordination.platform.io/v1/namespaces/default/leases';
const lease = (name: string, metadata = {}) => ({ metadata: { name, ...metadata }, spec: {} });
const put = (name: string, metadata = {}, query = '') =>
  api.send('PUT', `${place}/${name}${query}`, lease(name, metadata));

describe('an update of a Lease that does not exist', () => {
  it.each<[string, object, string, number]>([
    ['without a revision', {}, '', 201],
    ['with a revision', { resourceVersion: '5' }, '', 201],
    ['with text for a revision', { resourceVersion: 'abc' }, '', 201],
    ['with a revision in a dry run', { resourceVersion: '5' }, '?dryRun=All', 201],
    ['with a uid', { uid: 'u' }, '', 409],
    ['with a uid in a dry run', { uid: 'u' }, '?dryRun=All', 409],
  ])('%s', async (what, metadata, query, code) => {
    const name = what.replaceAll(' ', '-');
    const before = api.store.revision;
    const reply = await put(name, metadata, query);
    expect(reply.code).toBe(code);
    if (code === 409) expect(reply.body.message).toContain('UID in precondition: u, UID in object meta: ');
    const isStored = code === 201 && query === '';
    expect((await api.send('GET', `${place}/${name}`)).code).toBe(isStored ? 200 : 404);
    expect(api.store.revision > before).toBe(isStored);
  });

  it('asks for the right to create, too', async () => {
    asked.length = 0;
    expect((await put('mine')).code).toBe(201);
    expect(asked.map(({ verb }) => verb)).toEqual(['update', 'create']);
    expect((await put('foreign')).code).toBe(403);
    expect((await api.send('GET', `${place}/foreign`)).code).toBe(404);
  });

  it('is refused in later releases with what the caller may not do', async () => {
    const later = await suiteApi([leases], { authorizer, release: emulate('1.36') });
    const { body } = await later.send('PUT', `${place}/foreign`, lease('foreign'));
    expect(body.message).toMatch(
      /^leases\.coordination\.platform\.io "foreign" is forbidden: User ".*" cannot create resource "leases" in API group /,
    );
  });

  it('is a 404 for a patch, and a 201 for a configuration', async () => {
    const patch = (type: string, body: object) =>
      api.send('PATCH', `${place}/patched?fieldManager=m`, JSON.stringify(body), { 'content-type': type });
    expect((await patch('application/merge-patch+json', { spec: {} })).code).toBe(404);
    const configuration = { apiVersion: 'coordination.platform.io/v1', kind: 'Lease', ...lease('patched') };
    expect((await patch('application/apply-patch+yaml', configuration)).code).toBe(201);
  });
});

describe('a configuration of an object that does not exist', () => {
  const apply = (body: object) =>
    api.send('PATCH', '/api/v1/namespaces/default/configmaps/a?fieldManager=m', JSON.stringify(body), {
      'content-type': 'application/apply-patch+yaml',
    });
  const kind = { apiVersion: 'v1', kind: 'ConfigMap' };

  it.each<[string, object, number, string]>([
    ['without a name', kind, 400, 'the name of the object (a based on URL) was undeterminable: name must be provided'],
    ['of another name', { ...kind, metadata: { name: 'b' } }, 400, 'does not match the name on the URL (a)'],
    [
      'of another namespace',
      { ...kind, metadata: { name: 'a', namespace: 'b' } },
      400,
      'the namespace of the provided',
    ],
    ['with a uid, before its name is looked at', { ...kind, metadata: { name: 'b', uid: 'u' } }, 409, 'uid mismatch'],
    ['of another version', { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }, 400, 'patch version: v2'],
    ['of another kind', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }, 400, 'kind "Secret"'],
  ])('%s', async (_what, body, code, message) => {
    const reply = await apply(body);
    expect(reply.code).toBe(code);
    expect(reply.body.message).toContain(message);
    expect((await api.send('GET', '/api/v1/namespaces/default/configmaps/a')).code).toBe(404);
  });
});

describe('a create with a revision', () => {
  const create = (resourceVersion: string, query = '') =>
    api.send('POST', `/api/v1/namespaces/default/configmaps${query}`, {
      metadata: { name: `r${resourceVersion}`, resourceVersion },
    });

  it.each([
    ['5', 400],
    ['0', 201],
    ['abc', 201],
    ['99999999999999999999', 201],
  ])('%s is a %d', async (revision, code) => {
    const reply = await create(revision);
    expect(reply.code).toBe(code);
    if (code === 400) expect(reply.body.message).toBe('resourceVersion should not be set on objects to be created');
  });

  it('keeps it in the answer of a dry run, which stores nothing', async () => {
    expect(await create('7', '?dryRun=All')).toMatchObject({ code: 201, body: { metadata: { resourceVersion: '7' } } });
    expect((await api.send('GET', '/api/v1/namespaces/default/configmaps/r7')).code).toBe(404);
  });
});
