/** Several mistakes in one object are told in the order in which the reference looks for them. */
import { afterAll, describe, expect, it } from 'vitest';
import { registry } from '../../../generated/registry.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import { platformNaming } from '../../../runtime/objects/naming.js';
import { conversions } from '../../../strategies/conversions.js';
import { strategies } from '../../../strategies/index.js';
import { startTestApi } from '../../support/test-api.js';
import { podTemplate } from '../../support/workloads.js';

const plurals = new Set([
  ...['storageclasses', 'persistentvolumeclaims', 'ingresses', 'priorityclasses', 'cronjobs', 'jobs', 'podtemplates'],
  ...['certificatesigningrequests', 'horizontalpodautoscalers', 'events', 'runtimeclasses', 'persistentvolumes'],
]);
const api = await startTestApi(
  registry.filter(({ names }) => plurals.has(names.plural)),
  { strategies: strategies(platformNaming), conversions },
);
afterAll(() => api.close());

const inNamespace = (group: string, plural: string): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/v1/namespaces/default/${plural}`;
const ofCluster = (group: string, plural: string): string => `/apis/${group}.platform.io/v1/${plural}`;

async function fieldsOf(method: string, path: string, body: JsonObject): Promise<readonly unknown[]> {
  const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const reply = await api.send(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  const { causes } = objectAt(reply.body, 'details') ?? {};
  return isArray(causes) ? causes.filter(isObject).map(({ field }) => field) : [];
}

const badLabel = { 'a b': 'x' };
const container = { containers: [{ name: 'c', image: 'i' }] };

it.each<[kind: string, path: string, object: JsonObject, fields: readonly string[]]>([
  [
    'StorageClass',
    ofCluster('storage', 'storageclasses'),
    { parameters: { '': 'x' }, reclaimPolicy: 'X', volumeBindingMode: 'Y' },
    ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'],
  ],
  [
    'PersistentVolumeClaim',
    inNamespace('', 'persistentvolumeclaims'),
    {
      spec: { accessModes: ['X'], volumeMode: 'Z', storageClassName: 'A_', resources: { requests: { storage: '0' } } },
    },
    ['spec.accessModes', 'spec.resources[storage]', 'spec.storageClassName', 'spec.volumeMode'],
  ],
  [
    'Ingress',
    inNamespace('networking.platform.io', 'ingresses'),
    {
      spec: {
        ingressClassName: 'B_',
        rules: [
          {
            host: '1.2.3.4',
            http: {
              paths: [
                { path: '/a', pathType: 'X', backend: {} },
                { path: '/b', backend: {} },
              ],
            },
          },
          { host: 'A_' },
        ],
        tls: [{ hosts: ['Q_'] }],
      },
    },
    [
      ...['spec.rules[0].host', 'spec.rules[0].http.paths[0].pathType', 'spec.rules[0].http.paths[0].backend'],
      ...[
        'spec.rules[0].http.paths[1].pathType',
        'spec.rules[1].host',
        'spec.tls[0].hosts[0]',
        'spec.ingressClassName',
      ],
    ],
  ],
  [
    'PriorityClass',
    ofCluster('scheduling', 'priorityclasses'),
    { value: 1_000_000_001, preemptionPolicy: 'X' },
    ['value', 'preemptionPolicy'],
  ],
  [
    'CronJob',
    inNamespace('batch', 'cronjobs'),
    {
      metadata: { name: 'c'.repeat(53) },
      spec: {
        schedule: 'x',
        startingDeadlineSeconds: -1,
        timeZone: 'Nowhere',
        concurrencyPolicy: 'Q',
        failedJobsHistoryLimit: -2,
        successfulJobsHistoryLimit: -1,
        jobTemplate: {
          spec: {
            parallelism: -1,
            template: { metadata: { annotations: badLabel }, spec: { ...container, restartPolicy: 'Never' } },
          },
        },
      },
    },
    [
      ...['spec.schedule', 'spec.startingDeadlineSeconds', 'spec.timeZone', 'spec.concurrencyPolicy'],
      ...['spec.jobTemplate.spec.parallelism', 'spec.jobTemplate.spec.template.annotations'],
      ...['spec.successfulJobsHistoryLimit', 'spec.failedJobsHistoryLimit', 'metadata.name'],
    ],
  ],
  [
    'PodTemplate',
    inNamespace('', 'podtemplates'),
    { template: { metadata: { annotations: badLabel, labels: badLabel }, spec: container } },
    ['template.labels', 'template.annotations'],
  ],
  [
    'CertificateSigningRequest',
    ofCluster('certificates', 'certificatesigningrequests'),
    { spec: { request: '', expirationSeconds: 1 } },
    ['spec.request', 'spec.usages', 'spec.signerName', 'spec.expirationSeconds'],
  ],
  ...['v1', 'v2'].map((version): [string, string, JsonObject, readonly string[]] => [
    `HorizontalPodAutoscaler of ${version}`,
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`,
    { spec: { minReplicas: 0, maxReplicas: 0, scaleTargetRef: { kind: 'a/b', name: 'n' } } },
    ['spec.minReplicas', 'spec.maxReplicas', 'spec.scaleTargetRef.kind', 'spec.metrics'],
  ]),
  [
    'Event of the core group',
    inNamespace('', 'events'),
    { involvedObject: { namespace: 'default' }, eventTime: '2022-01-01T00:00:00.000000Z', reportingComponent: 'c' },
    ['reportingInstance', 'action', 'reason'],
  ],
])('%s', async (_kind, path, object, fields) => {
  expect(await fieldsOf('POST', path, { metadata: { name: 'a' }, ...object })).toEqual(fields);
});

describe('the controller that reports an event', () => {
  const event = {
    eventTime: '2022-01-01T00:00:00.000000Z',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
  };

  it('is named as in the version that the writer uses', async () => {
    const core = await fieldsOf('POST', inNamespace('', 'events'), {
      ...event,
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
    });
    expect(new Set(core)).toEqual(new Set(['reportingComponent']));
    const newer = await fieldsOf('POST', inNamespace('events.platform.io', 'events'), {
      ...event,
      metadata: { name: 'e' },
      regarding: { namespace: 'default' },
    });
    expect(new Set(newer)).toEqual(new Set(['reportingController']));
  });
});

describe('a PriorityClass that is there', () => {
  it('is told what cannot be changed, and nothing else', async () => {
    const path = ofCluster('scheduling', 'priorityclasses');
    await fieldsOf('POST', path, { metadata: { name: 'p' }, value: 1 });
    const changed = { value: 2_000_000_000, preemptionPolicy: 'X' };
    expect(await fieldsOf('PATCH', `${path}/p`, changed)).toEqual(['value', 'preemptionPolicy']);
  });
});

describe('what new objects get', () => {
  const dry = async (path: string, body: JsonObject) =>
    api.send('POST', `${path}?dryRun=All`, { metadata: { name: 'a' }, ...body });

  it('a Job: the mark that its pods are counted, and without labels those of its pods with the generated ones', async () => {
    const jobs = inNamespace('batch', 'jobs');
    const of = async (labels: JsonObject, templateLabels: JsonObject) => {
      const template = podTemplate({ restartPolicy: 'Never' }, templateLabels);
      const { body } = await api.send('POST', `${jobs}?dryRun=All`, {
        metadata: { name: 'j', labels },
        spec: { template },
      });
      const { metadata } = body;
      return isObject(metadata) ? metadata : {};
    };
    const taken = await of({}, { app: 'a' });
    expect(taken.annotations).toEqual({ 'batch.platform.io/job-tracking': '' });
    const generated = { 'job-name': 'j', 'batch.platform.io/job-name': 'j' };
    expect(taken.labels).toMatchObject({ app: 'a', 'controller-uid': taken.uid, ...generated });
    // Labels of its own stay as they are, be they the same.
    expect((await of({ app: 'a' }, { app: 'a' })).labels).toEqual({ app: 'a' });
  });

  it('a volume in Azure: null for the namespace that it does not name', async () => {
    const { text } = await dry('/api/v1/persistentvolumes', {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        azureFile: { secretName: 's', shareName: 'f' },
      },
    });
    expect(text).toContain('"secretNamespace":null');
  });

  it('a PodTemplate: a generation, which counts the changes of its template', async () => {
    const path = inNamespace('', 'podtemplates');
    const created = await api.send('POST', path, { metadata: { name: 'p' }, template: { spec: container } });
    expect(objectAt(created.body, 'metadata')?.generation).toBe(1);
    const patch = async (body: JsonObject) => {
      const headers = { 'content-type': 'application/merge-patch+json' };
      return objectAt((await api.send('PATCH', `${path}/p`, JSON.stringify(body), headers)).body, 'metadata')
        ?.generation;
    };
    expect(await patch({ template: { metadata: { labels: { a: 'b' } } } })).toBe(2);
    expect(await patch({ metadata: { labels: { a: 'b' } } })).toBe(2);
  });

  it.each<[string, string, JsonObject, string | undefined]>([
    [
      'an Ingress with the class in an annotation',
      inNamespace('networking.platform.io', 'ingresses'),
      {
        metadata: { name: 'a', annotations: { 'platform.io/ingress.class': 'x' } },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      },
      `annotation \\"platform.io/ingress.class\\" is deprecated, please use 'spec.ingressClassName' instead`,
    ],
    [
      'an Ingress with the class in both',
      inNamespace('networking.platform.io', 'ingresses'),
      {
        metadata: { name: 'a', annotations: { 'platform.io/ingress.class': 'x' } },
        spec: { ingressClassName: 'x', defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      },
      undefined,
    ],
    [
      'a RuntimeClass that selects nodes by an older label',
      ofCluster('node', 'runtimeclasses'),
      { handler: 'h', scheduling: { nodeSelector: { 'beta.platform.io/os': 'linux', 'platform.io/arch': 'x' } } },
      'scheduling.nodeSelector: deprecated since v1.14; use \\"platform.io/os\\" instead',
    ],
  ])('a warning: %s', async (_what, path, body, warning) => {
    const reply = await dry(path, body);
    expect(reply.code, reply.text).toBe(201);
    const expected = warning === undefined ? [] : [`299 - "${warning}"`];
    expect([reply.headers.warning ?? []].flat()).toEqual(expected);
  });
});
