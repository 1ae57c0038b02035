/** Changes to objects besides their validation: fields that the server fills in or drops, generations, warnings. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { at, suiteKinds } from '../../support/kind-api.js';
import type { Reply } from '../../support/test-api.js';

/** The options of deletes that plugins receive. */
const seen: JsonObject[] = [];
const api = await suiteKinds(kubernetesNaming, {
  plugins: [
    {
      name: 'Seen',
      handles: (_resource, operation) => operation === 'DELETE',
      validate: ({ options }) => void seen.push(options),
    },
  ],
  featureEnabled: (gate) => gate !== 'HPAScaleToZero',
});

const create = (path: string, object: JsonObject): Promise<Reply> => api.send('POST', path, object);
const patch = (path: string, change: JsonObject): Promise<Reply> => api.send('PATCH', path, change);

/** Returns the texts of warnings, without code and agent. */
function warningsOf({ headers }: Reply): readonly string[] {
  const { warning = [] } = headers;
  return [warning].flat().map((text) => text.replace(/^299 - "|"$/g, '').replaceAll('\\"', '"'));
}

const deprecated = { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } };
const advice = 'nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead';
const labels = { app: 'a' };
const template = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { labels, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const job = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  template: template({ restartPolicy: 'Never', ...spec }, metadata),
});

/** A kind with a template of pods. */
interface Workload {
  readonly kind: string;
  readonly path: string;
  /** The path of the template in the object. */
  readonly template: string;
  readonly body: (spec?: JsonObject, metadata?: JsonObject) => JsonObject;
}

const apps = (kind: string, plural: string, more: JsonObject = {}): Workload => ({
  kind,
  path: `/apis/apps/v1/namespaces/default/${plural}`,
  template: 'spec.template',
  body: (spec, metadata) => ({
    spec: { selector: { matchLabels: labels }, template: template(spec, metadata), ...more },
  }),
});

const workloads: readonly Workload[] = [
  apps('Deployment', 'deployments'),
  apps('ReplicaSet', 'replicasets'),
  apps('DaemonSet', 'daemonsets'),
  apps('StatefulSet', 'statefulsets', { serviceName: 's' }),
  {
    kind: 'ReplicationController',
    path: '/api/v1/namespaces/default/replicationcontrollers',
    template: 'spec.template',
    body: (spec, metadata) => ({ spec: { template: template(spec, metadata) } }),
  },
  {
    kind: 'Job',
    path: '/apis/batch/v1/namespaces/default/jobs',
    template: 'spec.template',
    body: (spec, metadata) => ({ spec: job(spec, metadata) }),
  },
  {
    kind: 'CronJob',
    path: '/apis/batch/v1/namespaces/default/cronjobs',
    template: 'spec.jobTemplate.spec.template',
    body: (spec, metadata) => ({ spec: { schedule: '0 * * * *', jobTemplate: { spec: job(spec, metadata) } } }),
  },
  {
    kind: 'PodTemplate',
    path: '/api/v1/namespaces/default/podtemplates',
    template: 'template',
    body: (spec, metadata) => ({ template: template(spec, metadata) }),
  },
];

describe.each(workloads)('the template of a $kind', ({ kind, path, template: place, body }) => {
  it('causes a warning at creation, and not when something else changes', async () => {
    const name = `warned-${kind.toLowerCase()}`;
    expect(warningsOf(await create(path, { metadata: { name }, ...body(deprecated) }))).toEqual([
      `${place}.spec.${advice}`,
    ]);
    const labelled = await patch(`${path}/${name}`, { metadata: { labels: { b: 'c' } } });
    expect(labelled.code).toBe(200);
    expect(warningsOf(labelled)).toEqual([]);
  });

  it('keeps a negative grace period, with a warning', async () => {
    const name = `negative-${kind.toLowerCase()}`;
    const made = await create(path, { metadata: { name }, ...body({ terminationGracePeriodSeconds: -5 }) });
    expect(at(made.body, `${place}.spec.terminationGracePeriodSeconds`)).toBe(-5);
    expect(warningsOf(made)).toEqual([
      `${place}.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
    ]);
  });

  it('loses annotations with init containers of old clients', async () => {
    const annotations = {
      'pod.alpha.kubernetes.io/init-containers': '[]',
      'pod.beta.kubernetes.io/init-containers': '[]',
      'pod.alpha.kubernetes.io/init-container-statuses': '[]',
      'pod.beta.kubernetes.io/init-container-statuses': '[]',
    };
    const alone = await create(`${path}?dryRun=All`, { metadata: { name: 'old' }, ...body({}, { annotations }) });
    expect(alone.code).toBe(201);
    expect(at(alone.body, `${place}.metadata.annotations`)).toBeUndefined();
    const others = { ...annotations, keep: 'me', 'pod.beta.kubernetes.io/other': 'x' };
    const beside = await create(`${path}?dryRun=All`, {
      metadata: { name: 'old' },
      ...body({}, { annotations: others }),
    });
    expect(at(beside.body, `${place}.metadata.annotations`)).toEqual({
      keep: 'me',
      'pod.beta.kubernetes.io/other': 'x',
    });
  });

  const counts = kind === 'Deployment' ? 'counts' : 'does not count';
  it(`${counts} a change of annotations as a new generation`, async () => {
    const name = `annotated-${kind.toLowerCase()}`;
    const made = await create(path, { metadata: { name }, ...body(deprecated) });
    expect(at(made.body, 'metadata.generation')).toBe(1);
    const annotated = await patch(`${path}/${name}`, { metadata: { annotations: { a: 'b' } } });
    const isCounted = kind === 'Deployment';
    expect(at(annotated.body, 'metadata.generation')).toBe(isCounted ? 2 : 1);
    expect(warningsOf(annotated)).toEqual(isCounted ? [`${place}.spec.${advice}`] : []);
    const labelled = await patch(`${path}/${name}`, { metadata: { labels: { a: 'b' } } });
    expect(at(labelled.body, 'metadata.generation')).toBe(isCounted ? 2 : 1);
  });
});

describe('a Deployment', () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const body = { spec: { selector: { matchLabels: labels }, template: template(deprecated) } };

  it('counts a change of spec and annotations once, and new or removed annotations', async () => {
    await create(path, { metadata: { name: 'both' }, ...body });
    const both = await patch(`${path}/both`, { metadata: { annotations: { a: 'b' } }, spec: { replicas: 2 } });
    expect(at(both.body, 'metadata.generation')).toBe(2);
    const gone = await patch(`${path}/both`, { metadata: { annotations: null } });
    expect(at(gone.body, 'metadata.generation')).toBe(3);
    const empty = await patch(`${path}/both`, { metadata: { annotations: {} } });
    expect(at(empty.body, 'metadata.generation')).toBe(3);
  });

  it('does not count annotations in a status update or a scale', async () => {
    await create(path, { metadata: { name: 'status' }, ...body });
    const reply = await patch(`${path}/status/status`, { metadata: { annotations: { a: 'b' } } });
    expect(at(reply.body, 'metadata.annotations.a')).toBe('b');
    expect(at(reply.body, 'metadata.generation')).toBe(1);
    expect(warningsOf(reply)).toEqual([]);
  });
});

describe('a CronJob with a time zone in its schedule', () => {
  const path = '/apis/batch/v1/namespaces/default/cronjobs';
  const warning =
    'CRON_TZ or TZ used in spec.spec.schedule is not officially supported, ' +
    'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

  it.each(['TZ=UTC', 'CRON_TZ=UTC'])('causes a warning at every write except to its status: %s', async (zone) => {
    const name = zone.toLowerCase().replace(/[^a-z]/g, '');
    const spec = { schedule: `${zone} 0 3 * * *`, jobTemplate: { spec: job() } };
    expect(warningsOf(await create(path, { metadata: { name }, spec }))).toEqual([warning]);
    expect(warningsOf(await patch(`${path}/${name}`, { metadata: { labels: { a: 'b' } } }))).toEqual([warning]);
    expect(warningsOf(await patch(`${path}/${name}`, { spec: { suspend: true } }))).toEqual([warning]);
    const status = await patch(`${path}/${name}/status`, { status: { lastScheduleTime: '2024-05-06T07:08:09Z' } });
    expect(status.code).toBe(200);
    expect(warningsOf(status)).toEqual([]);
  });
});

describe('a Pod', () => {
  const path = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }] };

  it.each([
    [-1, 1],
    [-9_007_199_254_740_991, 1],
    [0, 0],
    [30, 30],
  ])('with a grace period of %d gets %d, without a warning', async (terminationGracePeriodSeconds, expected) => {
    const reply = await create(`${path}?dryRun=All`, {
      metadata: { name: 'p' },
      spec: { ...spec, terminationGracePeriodSeconds },
    });
    expect(at(reply.body, 'spec.terminationGracePeriodSeconds')).toBe(expected);
    expect(warningsOf(reply)).toEqual([]);
  });

  it('may repeat a negative grace period in an update, which still means 1', async () => {
    const sent = { metadata: { name: 'again' }, spec: { ...spec, terminationGracePeriodSeconds: -3 } };
    await create(path, sent);
    const replaced = await api.send('PUT', `${path}/again`, { ...sent, kind: 'Pod', apiVersion: 'v1' });
    expect([replaced.code, at(replaced.body, 'spec.terminationGracePeriodSeconds')]).toEqual([200, 1]);
  });

  it('loses annotations with init containers of old clients, and nobody owns them then', async () => {
    const annotations = { 'pod.beta.kubernetes.io/init-containers': '[]', keep: 'me' };
    const reply = await create(`${path}?dryRun=All`, { metadata: { name: 'p', annotations }, spec });
    expect(at(reply.body, 'metadata.annotations')).toEqual({ keep: 'me' });
    expect(JSON.stringify(at(reply.body, 'metadata.managedFields'))).not.toContain('init-containers');
  });

  it('causes warnings in the order of the reference', async () => {
    const resources = { limits: { memory: '1m', 'ephemeral-storage': '1m' }, requests: { memory: '1m' } };
    const claim = { resources: { requests: { storage: '1m', memory: '1m' }, limits: { storage: '1500m' } } };
    const reply = await create(`${path}?dryRun=All`, {
      metadata: {
        name: 'p',
        annotations: {
          'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
          'container.seccomp.security.alpha.kubernetes.io/c': 'unconfined',
          'scheduler.alpha.kubernetes.io/critical-pod': '',
        },
      },
      spec: {
        containers: [{ name: 'c', image: 'i', resources, env: [{ name: 'A' }, { name: 'A' }] }],
        overhead: { memory: '1m' },
        imagePullSecrets: [{ name: '' }, { name: 'a' }, { name: 'a' }],
        volumes: [
          { name: 'g', glusterfs: { endpoints: 'e', path: 'p' } },
          { name: 'e', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], ...claim } } } },
        ],
      },
    });
    const fields = warningsOf(reply).map((text) => text.slice(0, text.indexOf(': ')));
    expect(fields).toEqual([
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]',
      'spec.volumes[0].glusterfs',
      'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]',
      'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.limits[storage]',
      'spec.imagePullSecrets[2].name',
      'spec.imagePullSecrets[0].name',
      'spec.overhead[memory]',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]',
      'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]',
      'spec.containers[0].resources.limits[memory]',
      'spec.containers[0].resources.requests[memory]',
      'spec.containers[0].resources.limits[ephemeral-storage]',
      'spec.containers[0].resources.requests[ephemeral-storage]',
      'spec.containers[0].env[1].name',
    ]);
  });
});

it('warns about fractions of bytes in the claims of a StatefulSet at every write', async () => {
  const path = '/apis/apps/v1/namespaces/default/statefulsets';
  const claim = { metadata: { name: 'c' }, spec: { resources: { requests: { storage: '1500m' } } } };
  const spec = { selector: { matchLabels: labels }, template: template(), volumeClaimTemplates: [claim] };
  const problem = 'resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer';
  const made = await create(path, { metadata: { name: 'claims' }, spec });
  expect(warningsOf(made)).toEqual([`spec.volumeClaimTemplates[0].${problem}`]);
  expect(warningsOf(await patch(`${path}/claims`, { metadata: { labels: { a: 'b' } } }))).toEqual([
    `spec.volumeClaimTemplates[0].Spec.${problem}`,
  ]);
});

describe('a Node', () => {
  it('has no active configuration when it is created', async () => {
    const config = { error: 'e' };
    const reply = await create('/api/v1/nodes?dryRun=All', { metadata: { name: 'n' }, status: { config } });
    expect([reply.code, at(reply.body, 'status.config')]).toEqual([201, undefined]);
  });

  const capacity = { cpu: '2', memory: '4Gi' };

  it.each<[status: JsonObject, allocatable: JsonValue | undefined]>([
    [{ capacity }, capacity],
    [{ capacity, allocatable: { cpu: '1' } }, { cpu: '1' }],
    [{}, undefined],
    [{ capacity: {} }, undefined],
  ])('with the status %j can allocate %j', async (status, allocatable) => {
    const reply = await create('/api/v1/nodes?dryRun=All', { metadata: { name: 'n' }, status });
    expect(at(reply.body, 'status.allocatable')).toEqual(allocatable);
  });

  it('can allocate its capacity after a status update too', async () => {
    await create('/api/v1/nodes', { metadata: { name: 'later' } });
    const reply = await patch('/api/v1/nodes/later/status', { status: { capacity } });
    expect(at(reply.body, 'status.allocatable')).toEqual(capacity);
  });
});

describe('a Service', () => {
  const path = '/api/v1/namespaces/default/services?dryRun=All';
  const ports = [{ port: 80 }];

  it.each<[spec: JsonObject, internal: string | undefined, external: string | undefined]>([
    [{ type: 'ExternalName', externalName: 'a.example.com' }, undefined, undefined],
    [{ ports }, 'Cluster', undefined],
    [{ ports, externalIPs: ['198.51.100.7'] }, 'Cluster', undefined],
    [{ ports, type: 'NodePort' }, 'Cluster', 'Cluster'],
    [{ ports, type: 'LoadBalancer' }, 'Cluster', 'Cluster'],
    [{ ports, type: 'LoadBalancer', externalIPs: ['198.51.100.7'] }, 'Cluster', 'Cluster'],
  ])('with %j has the traffic policies %s and %s', async (spec, internal, external) => {
    const reply = await create(path, { metadata: { name: 's' }, spec });
    expect(reply.code).toBe(201);
    expect(at(reply.body, 'spec.internalTrafficPolicy')).toBe(internal);
    expect(at(reply.body, 'spec.externalTrafficPolicy')).toBe(external);
  });

  it.each<[spec: JsonObject]>([
    [{ ports, externalIPs: ['198.51.100.7'] }],
    [{ ports }],
    [{ type: 'ExternalName', externalName: 'a.example.com' }],
  ])('with %j has no policy for external traffic', async (spec) => {
    const reply = await create(path, { metadata: { name: 's' }, spec: { ...spec, externalTrafficPolicy: 'Local' } });
    expect(reply.code).toBe(422);
    expect(reply.text).toContain("may only be set when `type` is 'NodePort' or 'LoadBalancer'");
  });

  it('causes no warnings about names and addresses that its type ignores', async () => {
    const named = await create(path, { metadata: { name: 's' }, spec: { ports, externalName: 'a.example.com' } });
    expect([named.code, ...warningsOf(named)]).toEqual([201]);
    const external = { type: 'ExternalName', externalName: 'a.example.com', externalIPs: ['198.51.100.7'] };
    const addressed = await create(path, { metadata: { name: 's' }, spec: external });
    expect([addressed.code, ...warningsOf(addressed)]).toEqual([201]);
  });

  it('causes no warnings when its status changes', async () => {
    const annotations = { 'service.kubernetes.io/topology-aware-hints': 'auto' };
    const services = '/api/v1/namespaces/default/services';
    const made = await create(services, { metadata: { name: 'hints', annotations }, spec: { ports } });
    expect(warningsOf(made)).toHaveLength(1);
    expect(warningsOf(await patch(`${services}/hints`, { metadata: { labels: { a: 'b' } } }))).toHaveLength(1);
    expect(warningsOf(await patch(`${services}/hints/status`, { metadata: { labels: { a: 'c' } } }))).toEqual([]);
  });
});

describe('annotations with fields of an autoscaler', () => {
  const key = (name: string): string => `autoscaling.alpha.kubernetes.io/${name}`;
  const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
  const make = (version: string, annotations: JsonObject, more: JsonObject = {}): Promise<Reply> =>
    create(`/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers?dryRun=All`, {
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a', annotations },
      spec: { ...spec, ...more },
    });
  const names = ['metrics', 'behavior', 'current-metrics', 'conditions'];
  const unreadable = ['', '{', '5', '"x"', 'x', '[5]', '[{"type":5}]', 'true'];

  it.each(names)('are ignored in v1 if they cannot be read, and removed: %s', async (name) => {
    for (const text of name === 'behavior' ? [...unreadable, '[]'] : [...unreadable, '{}']) {
      const reply = await make('v1', { [key(name)]: text, keep: 'me' });
      expect([text, reply.code, at(reply.body, 'metadata.annotations')]).toEqual([text, 201, { keep: 'me' }]);
      expect(at(reply.body, 'spec.targetCPUUtilizationPercentage')).toBe(80);
    }
  });

  it.each(names)('are removed in v2, whatever they contain: %s', async (name) => {
    for (const text of [...unreadable, '[]', '{}', '[{"type":"Pods"}]']) {
      const reply = await make('v2', { [key(name)]: text, keep: 'me' });
      expect([text, reply.code, at(reply.body, 'metadata.annotations')]).toEqual([text, 201, { keep: 'me' }]);
      expect(at(reply.body, 'spec.metrics')).toHaveLength(1);
    }
    const alone = await make('v2', { [key(name)]: 'x' });
    expect(objectAt(alone.body, 'metadata')).not.toHaveProperty('annotations');
  });

  it('become fields in v2, and annotations again in v1', async () => {
    const metrics = [{ type: 'Pods', pods: { metricName: 'm', targetAverageValue: '2' } }];
    const annotations = { [key('metrics')]: JSON.stringify(metrics) };
    const reply = await make('v1', annotations, { targetCPUUtilizationPercentage: 50 });
    expect(reply.code).toBe(201);
    expect(JSON.parse(String(objectAt(objectAt(reply.body, 'metadata'), 'annotations')?.[key('metrics')]))).toEqual(
      metrics,
    );
    expect(at(reply.body, 'spec.targetCPUUtilizationPercentage')).toBe(50);
  });

  it.each([
    ['[]', 422],
    ['null', 201],
  ])("keep the spelling of rules' policies in v2: %s", async (policies, code) => {
    const reply = await make('v2', {}, { behavior: { scaleUp: { policies: JSON.parse(policies) } } });
    expect(reply.code).toBe(code);
    if (code === 422) {
      expect(reply.text).toContain('spec.behavior.scaleUp.policies: Required value: must specify at least one Policy');
    }
  });
});

describe('a required spec that is removed', () => {
  const applied = { 'content-type': 'application/apply-patch+yaml' };

  it.each<[path: string, kind: string, object: JsonObject]>([
    ['/apis/storage.k8s.io/v1/csidrivers', 'CSIDriver', { spec: { attachRequired: true } }],
    [
      '/apis/resource.k8s.io/v1alpha2/namespaces/default/podschedulingcontexts',
      'PodSchedulingContext',
      { spec: { selectedNode: 'n' } },
    ],
  ])('is one error at %s, by merge patch and by apply', async (path, kind, object) => {
    const head = { apiVersion: path.split('/').slice(2, 4).join('/'), kind };
    const made = await api.send(
      'PATCH',
      `${path}/gone?fieldManager=m`,
      { ...head, metadata: { name: 'gone' }, ...object },
      applied,
    );
    expect(made.code).toBe(201);
    const merged = await patch(`${path}/gone`, { spec: null });
    const again = await api.send(
      'PATCH',
      `${path}/gone?fieldManager=m`,
      { ...head, metadata: { name: 'gone', labels: { a: 'b' } } },
      applied,
    );
    const causes = [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec' }];
    for (const reply of [merged, again]) {
      expect([reply.code, at(reply.body, 'details.causes')]).toEqual([422, causes]);
    }
  });
});

it('leaves ClusterCIDRs and others without a count of generations', async () => {
  const reply = await create('/apis/networking.k8s.io/v1alpha1/clustercidrs', {
    metadata: { name: 'c' },
    spec: { perNodeHostBits: 8, ipv4: '10.1.0.0/16' },
  });
  expect(reply.code).toBe(201);
  expect(objectAt(reply.body, 'metadata')).not.toHaveProperty('generation');
});

describe('the deletion of a namespace', () => {
  it('shows plugins its uid as a precondition, beside preconditions of the client', async () => {
    const made = await create('/api/v1/namespaces', { metadata: { name: 'watched' } });
    const { uid, resourceVersion } = objectAt(made.body, 'metadata') ?? {};
    await api.send('DELETE', '/api/v1/namespaces/watched?dryRun=All');
    expect(seen.at(-1)).toMatchObject({ kind: 'DeleteOptions', preconditions: { uid } });
    const asked = { preconditions: { resourceVersion } };
    expect((await api.send('DELETE', '/api/v1/namespaces/watched', asked)).code).toBe(200);
    expect(seen.at(-1)?.preconditions).toEqual({ uid, resourceVersion });
    const count = seen.length;
    // The second delete has nothing to do, and no plugin sees it.
    expect((await api.send('DELETE', '/api/v1/namespaces/watched')).code).toBe(200);
    expect(seen).toHaveLength(count);
    const other = await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'other' } });
    expect(other.code).toBe(201);
    await api.send('DELETE', '/api/v1/namespaces/default/configmaps/other');
    expect(seen.at(-1)).not.toHaveProperty('preconditions');
  });

  const finalizers = ['example.com/hold'];

  it.each([
    ['', ['example.com/hold']],
    ['?propagationPolicy=Foreground', ['example.com/hold', 'foregroundDeletion']],
    ['?propagationPolicy=Orphan', ['example.com/hold', 'orphan']],
  ])('leaves it without a grace period: %s', async (query, kept) => {
    const name = `ns${query.toLowerCase().replace(/[^a-z]/g, '')}`;
    await create('/api/v1/namespaces', { metadata: { name, finalizers } });
    const dry = await api.send('DELETE', `/api/v1/namespaces/${name}${query === '' ? '?' : `${query}&`}dryRun=All`);
    const real = await api.send('DELETE', `/api/v1/namespaces/${name}${query}`);
    const later = await api.send('DELETE', `/api/v1/namespaces/${name}?propagationPolicy=Background`);
    const read = await api.send('GET', `/api/v1/namespaces/${name}`);
    for (const reply of [dry, real, later, read]) {
      expect(reply.code).toBe(200);
      expect(at(reply.body, 'status.phase')).toBe('Terminating');
      expect(at(reply.body, 'metadata.finalizers')).toEqual(kept);
      expect(objectAt(reply.body, 'metadata')).toHaveProperty('deletionTimestamp');
      expect(objectAt(reply.body, 'metadata')).not.toHaveProperty('deletionGracePeriodSeconds');
    }
  });
});
