/** Rules of single kinds besides their validation: names, fields that are dropped, warnings, metadata through a status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { noRuntimeConfig } from '../../../runtime/registry/runtime-config.js';
import { conversions, kindHandlers } from '../../../strategies/index.js';
import { registry } from '../../support/built-in-modules.js';
import { type Reply, startTestApi, type TestApi } from '../../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(registry, {
    naming: kubernetesNaming,
    handlers: kindHandlers(kubernetesNaming),
    conversions,
    featureEnabled: () => true,
    runtimeConfig: { ...noRuntimeConfig, classes: new Map([['api/all', true]]) },
  });
});
afterAll(() => api.close());

const json = { 'content-type': 'application/json' };
const merge = { 'content-type': 'application/merge-patch+json' };
const core = (plural: string): string => `/api/v1/namespaces/default/${plural}`;
const create = (path: string, object: JsonObject): Promise<Reply> => api.send('POST', path, object, json);
const patch = (path: string, change: JsonObject): Promise<Reply> => api.send('PATCH', path, change, merge);

/** Returns what is at a path with dots. */
const at = (object: JsonValue | undefined, path: string): JsonValue | undefined =>
  path.split('.').reduce<JsonValue | undefined>((value, key) => {
    if (isArray(value)) return value[Number(key)];
    return isObject(value) ? value[key] : undefined;
  }, object);

const fieldsOf = ({ body }: Reply): readonly (JsonValue | undefined)[] => {
  const causes = at(body, 'details.causes');
  return isArray(causes) ? causes.map((cause) => at(cause, 'field')) : [];
};

const claim = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' }, claims: [{ name: 'x' }] },
};
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const event = {
  eventTime: '2024-05-06T07:08:09.000000Z',
  reportingController: 'c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
  type: 'Normal',
  regarding: { namespace: 'default' },
};
const cidr = { spec: { ipv4: '10.0.0.0/16', perNodeHostBits: 8 } };

describe('the name of a new object', () => {
  it.each<[what: string, path: string, object: JsonObject, code: number]>([
    ['any that fits into a path, for a budget', budgets, { metadata: { name: 'A_b' }, spec: {} }, 201],
    ['any that fits into a path, for an event', core('events'), { metadata: { name: 'A_b' }, involvedObject: {} }, 201],
    [
      'a domain, for an event of the events group',
      '/apis/events.k8s.io/v1/namespaces/default/events',
      { metadata: { name: 'A_b' }, ...event },
      422,
    ],
    [
      'without dots, for a ClusterCIDR',
      '/apis/networking.k8s.io/v1alpha1/clustercidrs',
      { metadata: { name: 'a.b' }, ...cidr },
      422,
    ],
  ])('is %s', async (_what, path, object, code) => {
    const reply = await create(path, object);
    expect([reply.code, fieldsOf(reply)]).toEqual([code, code === 201 ? [] : ['metadata.name']]);
  });

  it('is made up for a LimitRange, and for nothing else', async () => {
    const reply = await create(core('limitranges'), { spec: { limits: [] } });
    expect(reply.code).toBe(201);
    expect(at(reply.body, 'metadata.name')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const range = `${core('limitranges')}/${String(at(reply.body, 'metadata.name'))}`;
    expect((await api.send('GET', range)).code).toBe(200);
    expect(fieldsOf(await create(core('resourcequotas'), { spec: {} }))).toEqual(['metadata.name']);
  });
});

describe('metadata of a new object', () => {
  it.each<[path: string, object: JsonObject]>([
    [budgets, { spec: { minAvailable: -1 } }],
    [core('events'), { involvedObject: { namespace: 'other' } }],
  ])('is only checked if nothing else is wrong at %s', async (path, object) => {
    const wrong = { name: 'a', labels: { '-': '' } };
    const both = await create(path, { metadata: wrong, ...object });
    expect(both.code).toBe(422);
    expect(fieldsOf(both)).not.toContain('metadata.labels');
    expect(fieldsOf(await create(path, { metadata: wrong }))).toEqual(['metadata.labels']);
  });

  it.each<[path: string, object: JsonObject, isStrict: boolean]>([
    [core('configmaps'), {}, true],
    [budgets, { spec: {} }, false],
    [core('events'), { involvedObject: {} }, false],
    ['/apis/coordination.k8s.io/v1/namespaces/default/leases', { spec: {} }, false],
    ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'a' }, false],
    ['/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {}, false],
    ['/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {}, false],
    [
      '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicybindings',
      { spec: { policyName: 'a', validationActions: ['Deny'] } },
      false,
    ],
  ])('has finalizers without a domain, or not: %s', async (path, object, isStrict) => {
    const reply = await create(path, { metadata: { name: 'loose', finalizers: ['loose'] }, ...object });
    expect(reply.code).toBe(isStrict ? 422 : 201);
    expect(fieldsOf(reply)).toEqual(isStrict ? ['metadata.finalizers[0]'] : []);
  });
});

describe('claims of devices', () => {
  it('are dropped from PersistentVolumeClaims', async () => {
    const made = await create(core('persistentvolumeclaims'), { metadata: { name: 'devices' }, spec: claim });
    expect([made.code, at(made.body, 'spec.resources')]).toEqual([201, { requests: { storage: '1Gi' } }]);
    const change = { metadata: { labels: { a: 'b' } }, spec: { resources: { claims: [{ name: 'y' }] } } };
    const changed = await patch(`${core('persistentvolumeclaims')}/devices`, change);
    expect([changed.code, at(changed.body, 'spec.resources')]).toEqual([200, { requests: { storage: '1Gi' } }]);
  });

  it.each([
    [core('pods'), ''],
    [core('podtemplates'), 'template.'],
  ])('are dropped from the claims of volumes at %s', async (path, place) => {
    const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }];
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes };
    const object = place === '' ? { spec } : { template: { metadata: { labels: { a: 'b' } }, spec } };
    const reply = await create(path, { metadata: { name: 'devices' }, ...object });
    expect(reply.code).toBe(201);
    expect(at(reply.body, `${place}spec.volumes.0.ephemeral.volumeClaimTemplate.spec.resources`)).toEqual({
      requests: { storage: '1Gi' },
    });
  });
});

it('takes any group of the data source of a claim', async () => {
  const dataSourceRef = { apiGroup: 'A B', kind: 'K', name: 'n' };
  const spec = { ...claim, dataSourceRef };
  const reply = await create(core('persistentvolumeclaims'), { metadata: { name: 'source' }, spec });
  expect([reply.code, at(reply.body, 'spec.dataSourceRef')]).toEqual([201, dataSourceRef]);
});

it('warns about EndpointSlices of domain names when they are created', async () => {
  const made = await create(slices, { metadata: { name: 'names' }, addressType: 'FQDN', endpoints: [] });
  expect([made.code, made.headers.warning]).toEqual([201, ['299 - "spec.addressType: FQDN endpoints are deprecated"']]);
  const changed = await patch(`${slices}/names`, { metadata: { labels: { a: 'b' } } });
  expect([changed.code, changed.headers.warning]).toEqual([200, undefined]);
});

it('does not check the largest volume of a CSIStorageCapacity', async () => {
  const path = '/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities';
  const object = { metadata: { name: 'a' }, storageClassName: 'a' };
  expect((await create(path, { ...object, maximumVolumeSize: '-1' })).code).toBe(201);
  expect(fieldsOf(await create(path, { ...object, capacity: '-1' }))).toEqual(['capacity']);
});

it('takes tolerations of a RuntimeClass that differ only in their time as repeated', async () => {
  const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
  const tolerations = [1, 2].map((tolerationSeconds) => ({ ...toleration, tolerationSeconds }));
  const object = { metadata: { name: 'twice' }, handler: 'a', scheduling: { tolerations } };
  expect(fieldsOf(await create('/apis/node.k8s.io/v1/runtimeclasses', object))).toEqual(['scheduling.tolerations[1]']);
});

it.each([
  ['resourceclaims', { spec: { resourceClassName: 'a' } }, { driverName: 'a' }],
  ['podschedulingcontexts', { spec: {} }, {}],
])('lets the status of %s change metadata', async (plural, object, status) => {
  const path = `/apis/resource.k8s.io/v1alpha2/namespaces/default/${plural}`;
  expect((await create(path, { metadata: { name: 'labelled' }, ...object })).code).toBe(201);
  const changed = await patch(`${path}/labelled/status`, { metadata: { labels: { a: 'b' } }, status });
  expect([changed.code, at(changed.body, 'metadata.labels')]).toEqual([200, { a: 'b' }]);
});

describe('the first second of the year 1', () => {
  const start = '0001-01-01T00:00:00.000000Z';

  it('is shown as null in a Lease', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const reply = await create(leases, { metadata: { name: 'start' }, spec: { renewTime: start } });
    expect([reply.code, at(reply.body, 'spec')]).toEqual([201, { renewTime: null }]);
  });

  it('is shown as null in an event, and does not count as its time', async () => {
    const older = await create(core('events'), {
      metadata: { name: 'start' },
      involvedObject: { namespace: 'default' },
      eventTime: start,
      firstTimestamp: '0001-01-01T00:00:00Z',
    });
    expect([older.code, at(older.body, 'eventTime'), at(older.body, 'firstTimestamp')]).toEqual([201, null, null]);
    const events = '/apis/events.k8s.io/v1/namespaces/default/events';
    const newer = { ...event, metadata: { name: 'start2' }, deprecatedFirstTimestamp: '0001-01-01T00:00:00Z' };
    expect((await create(events, newer)).code).toBe(201);
    expect(fieldsOf(await create(events, { ...newer, eventTime: start }))).toEqual(['eventTime']);
  });
});
