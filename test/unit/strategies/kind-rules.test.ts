/** Rules of single kinds besides their validation: names, fields that are dropped, warnings, metadata through a status. */
import { describe, expect, it } from 'vitest';
import { registry as ofAllReleases } from '../../../generated/registry.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { emulate } from '../../../runtime/objects/release.js';
import { modulesInRelease } from '../../../runtime/registry/modules-in-release.js';
import { conversions, defaultServiceRanges, kindHandlers } from '../../../strategies/index.js';
import { at, everyVersion, fieldsOf, suiteKinds } from '../../support/kind-api.js';
import { type Reply, suiteApi } from '../../support/test-api.js';

const api = await suiteKinds(kubernetesNaming);

const core = (plural: string): string => `/api/v1/namespaces/default/${plural}`;
const create = (path: string, object: JsonObject): Promise<Reply> => api.send('POST', path, object);
const patch = (path: string, change: JsonObject): Promise<Reply> => api.send('PATCH', path, change);

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

  it('is generated for a LimitRange, and for nothing else', async () => {
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

it('accepts any group of the data source of a claim', async () => {
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

it('treats tolerations of a RuntimeClass that differ only in their time as repeated', async () => {
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

describe('under the latest release', async () => {
  const release = emulate('latest');
  const latest = await suiteApi(modulesInRelease(ofAllReleases, release), {
    naming: kubernetesNaming,
    handlers: kindHandlers(kubernetesNaming, { serviceRanges: defaultServiceRanges, release }),
    conversions,
    release,
    featureEnabled: () => true,
    runtimeConfig: everyVersion,
  });

  const make = (path: string, object: JsonObject): Promise<Reply> => latest.send('POST', path, object);
  const change = (path: string, object: JsonObject): Promise<Reply> => latest.send('PATCH', path, object);

  const limited = (cpu: string) => ({ name: 'c', image: 'i', resources: { requests: { cpu }, limits: { cpu: '2' } } });
  const pods = core('pods');
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const ending = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const job = (name: string, spec: JsonObject = {}) => ({ metadata: { name }, spec: { template: ending, ...spec } });
  const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };

  it('changes requests of a running pod through its subresource only', async () => {
    await make(pods, { metadata: { name: 'grows' }, spec: { containers: [limited('1')] } });
    const directly = await change(`${pods}/grows`, { spec: { containers: [limited('2')] } });
    expect([directly.code, fieldsOf(directly)]).toEqual([422, ['spec']]);
    const grown = await change(`${pods}/grows/resize`, { spec: { containers: [{ ...limited('2'), image: 'other' }] } });
    expect(grown.code).toBe(200);
    expect(at(grown.body, 'spec.containers.0.image')).toBe('i');
    expect(at(grown.body, 'spec.containers.0.resources.requests.cpu')).toBe('2');
    expect(at(grown.body, 'metadata.generation')).toBe(2);
  });

  it.each<[what: string, container: JsonObject, fields: readonly string[]]>([
    [
      'other resources',
      { resources: { requests: { cpu: '1', 'ephemeral-storage': '1' }, limits: { cpu: '2' } } },
      ['spec'],
    ],
    ['fewer resources', { resources: { requests: { cpu: '1' } } }, ['spec.containers[0].resources.limits']],
    [
      'another quality of service',
      { resources: { requests: { cpu: '2', memory: '1' }, limits: { cpu: '2', memory: '1' } } },
      ['spec'],
    ],
  ])('refuses a resize with %s', async (what, container, fields) => {
    const name = what.replaceAll(' ', '-');
    await make(pods, { metadata: { name }, spec: { containers: [limited('1')] } });
    const reply = await change(`${pods}/${name}/resize`, { spec: { containers: [{ name: 'c', ...container }] } });
    expect([reply.code, fieldsOf(reply)]).toEqual([422, fields]);
  });

  it('gives a new pod both forms of its AppArmor profile, and warns about the older one', async () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/c';
    const metadata = { name: 'armor', annotations: { [key]: 'localhost/p' } };
    const made = await make(pods, { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } });
    expect(at(made.body, 'spec.containers.0.securityContext.appArmorProfile')).toEqual({
      type: 'Localhost',
      localhostProfile: 'p',
    });
    expect(String(made.headers.warning)).toContain(`metadata.annotations[${key}]: deprecated since v1.30`);
  });

  it('adds the values of label keys to selectors of a new pod', async () => {
    const labelSelector = { matchLabels: { a: 'b' } };
    const spread = { maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule' };
    const topologySpreadConstraints = [{ ...spread, labelSelector, matchLabelKeys: ['hash', 'other'] }];
    const spec = { containers: [{ name: 'c', image: 'i' }], topologySpreadConstraints };
    const made = await make(pods, { metadata: { name: 'spread', labels: { hash: '1' } }, spec });
    expect(at(made.body, 'spec.topologySpreadConstraints.0.labelSelector.matchExpressions')).toEqual([
      { key: 'hash', operator: 'In', values: ['1'] },
    ]);
  });

  it('lists pods by the network of their node, and services by type', async () => {
    const spec = { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] };
    await make(pods, { metadata: { name: 'on-node' }, spec });
    const found = await latest.send('GET', `${pods}?fieldSelector=spec.hostNetwork%3Dtrue`);
    expect(at(found.body, 'items.0.metadata.name')).toBe('on-node');
    expect((await latest.send('GET', `${core('services')}?fieldSelector=spec.type%3DClusterIP`)).code).toBe(200);
    expect((await api.send('GET', `${core('services')}?fieldSelector=spec.type%3DClusterIP`)).code).toBe(400);
  });

  it.each<[spec: JsonObject, fields: readonly string[]]>([
    [{ backoffLimitPerIndex: 1 }, ['spec.backoffLimitPerIndex']],
    [{ ...indexed, maxFailedIndexes: 4 }, ['spec.backoffLimitPerIndex', 'spec.maxFailedIndexes']],
    [{ managedBy: 'x' }, ['spec.managedBy']],
    [
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-3' }] } },
      ['spec.successPolicy.rules[0].succeededIndexes'],
    ],
    [
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 3 }] } },
      ['spec.successPolicy.rules[0].succeededCount'],
    ],
    [{ podReplacementPolicy: 'TerminatingOrFailed', podFailurePolicy: { rules: [] } }, ['spec.podReplacementPolicy']],
    [
      { podFailurePolicy: { rules: [{ action: 'FailIndex', onPodConditions: [{ type: 'a', status: 'True' }] }] } },
      ['spec.podFailurePolicy.rules[0].action'],
    ],
  ])('checks a job with %j', async (spec, fields) => {
    const reply = await make(`${jobs}?dryRun=All`, job('checked', spec));
    expect([reply.code, fieldsOf(reply)]).toEqual([422, fields]);
  });

  it('keeps the status of a job that has ended', async () => {
    expect(at((await make(jobs, job('ends', indexed))).body, 'spec.podReplacementPolicy')).toBe('TerminatingOrFailed');
    const condition = (type: string) => ({ type, status: 'True' });
    const early = await change(`${jobs}/ends/status`, { status: { conditions: [condition('Complete')], active: 1 } });
    expect(fieldsOf(early)).toEqual([
      'status.conditions',
      'status.completionTime',
      'status.active',
      'status.startTime',
    ]);
    const time = '2024-05-06T07:08:09Z';
    const conditions = [condition('SuccessCriteriaMet'), condition('Complete')];
    const done = { conditions, startTime: time, completionTime: time, completedIndexes: '0-2', succeeded: 3 };
    expect((await change(`${jobs}/ends/status`, { status: done })).code).toBe(200);
    const undone = await change(`${jobs}/ends/status`, {
      status: { conditions: [], succeeded: 2, completionTime: null },
    });
    expect(fieldsOf(undone)).toEqual(['status.conditions', 'status.conditions']);
  });

  it('keeps spellings of addresses that a service has, and accepts no others', async () => {
    const path = core('services');
    const spec = { ports: [{ port: 1 }], externalIPs: ['192.000.002.001'], selector: { a: 'b' } };
    const made = await make(path, { metadata: { name: 'zeros' }, spec });
    expect([made.code, fieldsOf(made)]).toEqual([422, ['spec.externalIPs[0]']]);
    const ranges = ['10.0.0.1/8', '10.0.0.0/8'];
    const balancer = { ...spec, type: 'LoadBalancer', externalIPs: [], loadBalancerSourceRanges: ranges };
    const refused = await make(path, { metadata: { name: 'bits' }, spec: balancer });
    expect(fieldsOf(refused)).toEqual(['spec.LoadBalancerSourceRanges[0]']);
  });

  it('restarts a container by its own policy, and keeps the quality of service', async () => {
    const spec = {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'i' }],
      initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }],
    };
    await make(pods, { metadata: { name: 'restarts' }, spec });
    const ended = { terminated: { exitCode: 1 } };
    const statuses = (state: JsonObject) => ({
      containerStatuses: [{ name: 'c', ready: false, restartCount: 0, image: 'i', imageID: '', state }],
      initContainerStatuses: [{ name: 's', ready: false, restartCount: 0, image: 'i', imageID: '', state }],
    });
    const status = `${pods}/restarts/status`;
    expect((await change(status, { status: statuses(ended) })).code).toBe(200);
    const again = await change(status, { status: { ...statuses({ running: {} }), qosClass: 'Burstable' } });
    expect(fieldsOf(again)).toEqual(['status.qosClass', 'status.containerStatuses[0].state']);
  });

  it('accepts no time zone in new schedules', async () => {
    const spec = { schedule: 'TZ=UTC * * * * *', jobTemplate: { spec: { template: ending } } };
    const reply = await make('/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'zone' }, spec });
    expect([reply.code, fieldsOf(reply)]).toEqual([422, ['spec.schedule']]);
  });

  it.each<[what: string, path: string, object: JsonObject, warnings: readonly string[]]>([
    [
      'hidden variables and repeated ports',
      pods,
      {
        spec: {
          containers: [
            {
              ...{ name: 'c', image: 'i' },
              env: [
                { name: 'A', value: '1' },
                { name: 'A', value: '$(A)2' },
                { name: 'A', value: '3' },
              ],
              ports: [{ containerPort: 1 }, { containerPort: 1 }, { containerPort: 1, hostPort: 2 }],
            },
          ],
        },
      },
      [
        'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
        'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]',
      ],
    ],
    [
      'fields that headless services ignore',
      core('services'),
      { spec: { clusterIP: 'None', externalIPs: ['192.0.2.1'], sessionAffinity: 'ClientIP' } },
      ['spec.externalIPs is ignored for headless services', 'spec.SessionAffinity is ignored for headless services'],
    ],
    [
      'annotations of claims',
      core('persistentvolumeclaims'),
      {
        metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      ],
    ],
  ])('warns about %s', async (_what, path, object, warnings) => {
    const metadata = { ...(isObject(object.metadata) ? object.metadata : {}), name: 'warned' };
    const { code, headers } = await make(`${path}?dryRun=All`, { ...object, metadata });
    const text = [headers.warning].flat().map(String);
    expect([code, text]).toEqual([201, warnings.map((one) => `299 - ${JSON.stringify(one)}`)]);
  });
});
