import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isObject, objectAt } from '../../../runtime/objects/guards.js';
import { platformNaming } from '../../../runtime/objects/names/naming.js';
import { fieldsOf, suiteKinds } from '../../support/kind-api.js';
import { podTemplate } from '../../support/workloads.js';

const api = await suiteKinds(platformNaming, { featureEnabled: (gate) => gate !== 'HPAScaleToZero' });

const inNamespace = (group: string, plural: string): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/v1/namespaces/default/${plural}`;
const ofCluster = (group: string, plural: string): string => `/apis/${group}.platform.io/v1/${plural}`;

const refusedFields = async (method: string, path: string, body: JsonObject): Promise<readonly unknown[]> =>
  fieldsOf(await api.send(method, path, body));

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
    'Deployment',
    inNamespace('apps', 'deployments'),
    {
      spec: {
        ...{ replicas: -1, strategy: { type: 'X' }, minReadySeconds: -1, revisionHistoryLimit: -1 },
        ...{ progressDeadlineSeconds: -2, selector: { matchLabels: { a: 'b' } } },
        template: { metadata: { labels: { a: 'c' } }, spec: container },
      },
    },
    [
      ...['spec.replicas', 'spec.template.metadata.labels', 'spec.strategy', 'spec.minReadySeconds'],
      ...['spec.revisionHistoryLimit', 'spec.progressDeadlineSeconds', 'spec.progressDeadlineSeconds'],
    ],
  ],
  [
    'StatefulSet',
    inNamespace('apps', 'statefulsets'),
    {
      spec: {
        ...{ replicas: -1, minReadySeconds: -1, podManagementPolicy: 'X', updateStrategy: { type: 'X' } },
        ...{ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'X' }, ordinals: { start: -1 } },
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'c' } }, spec: container },
      },
    },
    [
      ...['spec.podManagementPolicy', 'spec.updateStrategy', 'spec.persistentVolumeClaimRetentionPolicy.whenDeleted'],
      ...['spec.replicas', 'spec.minReadySeconds', 'spec.ordinals.start', 'spec.template.metadata.labels'],
    ],
  ],
  [
    'DaemonSet',
    inNamespace('apps', 'daemonsets'),
    {
      spec: {
        ...{ minReadySeconds: -1, updateStrategy: { type: 'X' }, revisionHistoryLimit: -1 },
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'c' } }, spec: container },
      },
    },
    ['spec.template.metadata.labels', 'spec.minReadySeconds', 'spec.updateStrategy', 'spec.revisionHistoryLimit'],
  ],
  [
    'ReplicationController',
    inNamespace('', 'replicationcontrollers'),
    { spec: { replicas: -1, minReadySeconds: -1, selector: {} } },
    ['spec.minReadySeconds', 'spec.selector', 'spec.replicas', 'spec.template'],
  ],
  [
    'Job',
    inNamespace('batch', 'jobs'),
    {
      spec: {
        ...{ parallelism: -1, activeDeadlineSeconds: -1, backoffLimit: -1, completionMode: 'X', manualSelector: true },
        podFailurePolicy: { rules: [{ action: 'X', onExitCodes: { operator: 'X', values: [] } }, { action: 'Y' }] },
        template: { metadata: { annotations: badLabel }, spec: { ...container, restartPolicy: 'Never' } },
      },
    },
    [
      ...['spec.parallelism', 'spec.activeDeadlineSeconds', 'spec.backoffLimit', 'spec.completionMode'],
      ...['spec.podFailurePolicy.rules[0].action', 'spec.podFailurePolicy.rules[0].onExitCodes.operator'],
      ...['spec.podFailurePolicy.rules[0].onExitCodes.values', 'spec.podFailurePolicy.rules[1].action'],
      ...[
        'spec.podFailurePolicy.rules[1]',
        'spec.template.annotations',
        'spec.selector',
        'spec.template.metadata.labels',
      ],
    ],
  ],
  [
    'PodDisruptionBudget',
    inNamespace('policy', 'poddisruptionbudgets'),
    {
      spec: {
        ...{ minAvailable: -1, maxUnavailable: '110%', unhealthyPodEvictionPolicy: 'X' },
        selector: { matchLabels: badLabel },
      },
    },
    [
      ...['spec', 'spec.minAvailable', 'spec.maxUnavailable', 'spec.selector.matchLabels'],
      'spec.unhealthyPodEvictionPolicy',
    ],
  ],
  [
    'Service that nothing outside reaches',
    inNamespace('', 'services'),
    { spec: { externalTrafficPolicy: 'X', ports: [{ port: 80 }] } },
    ['spec.externalTrafficPolicy'],
  ],
  [
    'Service',
    inNamespace('', 'services'),
    {
      spec: {
        ...{ type: 'LoadBalancer', externalTrafficPolicy: 'X', internalTrafficPolicy: 'Y', sessionAffinity: 'Z' },
        ...{ loadBalancerClass: 'a b', selector: badLabel },
        ports: [
          { port: 10250, protocol: 'X', appProtocol: 'a b' },
          { port: 0, name: 'A' },
        ],
      },
    },
    [
      ...['spec.ports[0]', 'spec.ports[0].name', 'spec.ports[0].protocol', 'spec.ports[0].appProtocol'],
      ...['spec.ports[1].name', 'spec.ports[1].port', 'spec.ports[1].targetPort', 'spec.selector'],
      ...['spec.sessionAffinity', 'spec.loadBalancerClass', 'spec.externalTrafficPolicy', 'spec.internalTrafficPolicy'],
    ],
  ],
  [
    'NetworkPolicy',
    inNamespace('networking.platform.io', 'networkpolicies'),
    {
      spec: {
        podSelector: { matchLabels: badLabel },
        policyTypes: ['X'],
        egress: [{ ports: [{ protocol: 'X', port: 0 }], to: [{}] }],
        ingress: [{ from: [{}] }, { ports: [{ protocol: 'X', endPort: 1 }] }],
      },
    },
    [
      ...['spec.podSelector.matchLabels', 'spec.ingress[0].from[0]', 'spec.ingress[1].ports[0].protocol'],
      ...['spec.ingress[1].ports[0].endPort', 'spec.egress[0].ports[0].protocol', 'spec.egress[0].ports[0].port'],
      ...['spec.egress[0].to[0]', 'spec.policyTypes[0]'],
    ],
  ],
  [
    'IngressClass',
    ofCluster('networking', 'ingressclasses'),
    { spec: { controller: 'a b', parameters: { apiGroup: 'A_', kind: 'a/b', name: '', scope: 'X' } } },
    [
      ...['spec.controller', 'spec.parameters.apiGroup', 'spec.parameters.kind', 'spec.parameters.name'],
      'spec.parameters.scope',
    ],
  ],
  [
    'CSIStorageCapacity',
    inNamespace('storage.platform.io', 'csistoragecapacities'),
    { storageClassName: 'A_', capacity: '-1', nodeTopology: { matchLabels: badLabel } },
    ['nodeTopology.matchLabels', 'storageClassName', 'capacity'],
  ],
  [
    'Endpoints',
    inNamespace('', 'endpoints'),
    { subsets: [{}, { addresses: [{ ip: '1.1.1.1', nodeName: 'B_' }], ports: [{ port: 0, protocol: 'X' }] }] },
    ['subsets[0]', 'subsets[1].addresses[0].nodeName', 'subsets[1].ports[0].port', 'subsets[1].ports[0].protocol'],
  ],
  [
    'EndpointSlice',
    inNamespace('discovery.platform.io', 'endpointslices'),
    {
      addressType: 'IPv4',
      endpoints: [{ addresses: [], nodeName: 'B_' }],
      ports: [{ name: 'A_', protocol: 'X', appProtocol: 'a b' }],
    },
    [
      ...['endpoints[0].addresses', 'endpoints[0].nodeName', 'ports[0].name', 'ports[0].protocol'],
      'ports[0].appProtocol',
    ],
  ],
  [
    'PriorityLevelConfiguration',
    '/apis/flowcontrol.platform.io/v1beta3/prioritylevelconfigurations',
    {
      spec: {
        type: 'Limited',
        limited: {
          ...{ nominalConcurrencyShares: -1, lendablePercent: 200, borrowingLimitPercent: -1 },
          limitResponse: { type: 'Queue', queuing: { queues: -1, handSize: 9, queueLengthLimit: -1 } },
        },
      },
    },
    [
      'spec.limited.nominalConcurrencyShares',
      ...['queueLengthLimit', 'queues', 'handSize'].map((name) => `spec.limited.limitResponse.queuing.${name}`),
      ...['spec.limited.lendablePercent', 'spec.limited.borrowingLimitPercent'],
    ],
  ],
  [
    'ResourceClaimTemplate',
    '/apis/resource.platform.io/v1alpha2/namespaces/default/resourceclaimtemplates',
    {
      spec: {
        metadata: { labels: badLabel },
        spec: { resourceClassName: 'A_', parametersRef: { kind: '', name: 'n' } },
      },
    },
    ['spec.metadata.labels', 'spec.spec.resourceClassName', 'spec.spec.parametersRef.kind'],
  ],
  [
    'ResourceClass',
    '/apis/resource.platform.io/v1alpha2/resourceclasses',
    { driverName: 'A_', parametersRef: { kind: '', name: 'n' }, suitableNodes: { nodeSelectorTerms: [] } },
    ['driverName', 'parametersRef.kind', 'suitableNodes.nodeSelectorTerms'],
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
])('%s', async (_kind, path, object, fields) =>
  expect(await refusedFields('POST', path, { metadata: { name: 'a' }, ...object })).toEqual(fields),
);

describe('the controller that reports an event', () => {
  const event = {
    eventTime: '2022-01-01T00:00:00.000000Z',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
  };

  it('has the name in the version that the writer uses', async () => {
    const core = await refusedFields('POST', inNamespace('', 'events'), {
      ...event,
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
    });
    expect(new Set(core)).toEqual(new Set(['reportingComponent']));
    const newer = await refusedFields('POST', inNamespace('events.platform.io', 'events'), {
      ...event,
      metadata: { name: 'e' },
      regarding: { namespace: 'default' },
    });
    expect(new Set(newer)).toEqual(new Set(['reportingController']));
  });
});

describe('an update of a PriorityClass', () => {
  it('reports fields that cannot be changed, and nothing else', async () => {
    const path = ofCluster('scheduling', 'priorityclasses');
    await refusedFields('POST', path, { metadata: { name: 'p' }, value: 1 });
    const changed = { value: 2_000_000_000, preemptionPolicy: 'X' };
    expect(await refusedFields('PATCH', `${path}/p`, changed)).toEqual(['value', 'preemptionPolicy']);
  });
});

describe('a refused change of an object with other mistakes', () => {
  it.each<[kind: string, path: string, object: JsonObject, change: JsonObject, fields: readonly string[]]>([
    [
      'Service: the change first',
      inNamespace('', 'services'),
      { spec: { ports: [{ port: 80 }] } },
      { spec: { clusterIP: '10.0.0.200', clusterIPs: ['10.0.0.200'], sessionAffinity: 'X', ports: [{ port: 0 }] } },
      ['spec.clusterIPs[0]', 'spec.ports[0].port', 'spec.ports[0].targetPort', 'spec.sessionAffinity'],
    ],
    [
      'Secret: the change first',
      inNamespace('', 'secrets'),
      { immutable: true, data: { a: 'YQ==' } },
      { data: { a: 'Yg==', 'b c': 'Yg==' } },
      ['data', 'data[b c]'],
    ],
    [
      'Ingress: the metadata four times, as two checks of the whole look at it',
      inNamespace('networking.platform.io', 'ingresses'),
      { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      {
        metadata: { labels: badLabel },
        spec: { rules: [{ host: '_', http: { paths: [{ path: 'a', pathType: 'X', backend: {} }] } }] },
      },
      [
        ...['metadata.labels', 'metadata.labels', 'metadata.labels', 'metadata.labels', 'spec.rules[0].host'],
        ...['spec.rules[0].http.paths[0].pathType', 'spec.rules[0].http.paths[0].backend'],
      ],
    ],
    [
      'StorageClass: several changes',
      ofCluster('storage', 'storageclasses'),
      { provisioner: 'a/b' },
      {
        ...{ provisioner: 'c/d', parameters: { a: 'b' }, reclaimPolicy: 'Retain' },
        ...{ volumeBindingMode: 'WaitForFirstConsumer' },
      },
      ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
    ],
    [
      'RuntimeClass: the change last',
      ofCluster('node', 'runtimeclasses'),
      { handler: 'h' },
      { handler: 'i', scheduling: { nodeSelector: badLabel } },
      ['scheduling.nodeSelector', 'handler'],
    ],
  ])('%s', async (_kind, path, object, change, fields) => {
    const metadata = { name: 'changed' };
    const created = await api.send('POST', path, { metadata, ...object });
    expect(created.code, created.text).toBe(201);
    expect(await refusedFields('PATCH', `${path}/changed`, change)).toEqual(fields);
  });
});

describe('an update of a pod', () => {
  const path = inNamespace('', 'pods');
  const patch = (body: JsonObject, subresource = '') => refusedFields('PATCH', `${path}/p${subresource}`, body);

  it('reports mistakes in the pod, and fields that may change once more', async () => {
    const toleration = { key: 'a', operator: 'Exists' };
    const created = await refusedFields('POST', path, {
      metadata: { name: 'p' },
      spec: { ...container, tolerations: [toleration], activeDeadlineSeconds: 10 },
    });
    expect(created).toEqual([]);
    expect(await patch({ spec: { containers: [{ name: 'c', image: ' i' }], hostname: 'A_' } })).toEqual([
      ...['spec.hostname', 'spec.containers[0].image', 'spec.containers[0].image', 'spec'],
    ]);
    expect(await patch({ spec: { tolerations: [toleration, { key: 'b c', operator: 'Exists' }] } })).toEqual([
      ...['spec.tolerations[1].key', 'spec.tolerations[1].key'],
    ]);
    expect(await patch({ spec: { activeDeadlineSeconds: null, dnsPolicy: 'Default' } })).toEqual([
      ...['spec.activeDeadlineSeconds', 'spec'],
    ]);
    expect(await patch({ spec: { activeDeadlineSeconds: 20, dnsPolicy: 'Default' } })).toEqual([
      'spec.activeDeadlineSeconds',
    ]);
  });

  it("reports conditions of its status at the reference's place", async () => {
    const conditions = [
      { type: 'a b', status: 'True' },
      { type: 'Ready', status: 'True' },
    ];
    expect(await patch({ status: { conditions, nominatedNodeName: 'A_' } }, '/status')).toEqual([
      ...['metadata.conditions[0].Type', 'status.nominatedNodeName'],
    ]);
  });
});

describe('an invalid status', () => {
  it.each<[kind: string, path: string, object: JsonObject, status: JsonObject, fields: readonly string[]]>([
    [
      'FlowSchema',
      '/apis/flowcontrol.platform.io/v1beta3/flowschemas',
      { spec: { priorityLevelConfiguration: { name: 'a' } } },
      { conditions: [{ type: '' }, { type: 'A' }, { type: 'A' }] },
      ['status.conditions[0].type', 'status.conditions[2].type'],
    ],
    ['Namespace', '/api/v1/namespaces', {}, { phase: 'X' }, ['status.Phase']],
    [
      'DaemonSet',
      inNamespace('apps', 'daemonsets'),
      {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: container },
        },
      },
      { numberReady: -1, collisionCount: -1 },
      ['status.numberReady', 'status.collisionCount', 'status.collisionCount'],
    ],
    [
      'PodDisruptionBudget',
      inNamespace('policy', 'poddisruptionbudgets'),
      { spec: {} },
      { disruptionsAllowed: -1, conditions: [{ type: 'a b', status: 'X', observedGeneration: -1, message: '' }] },
      [
        ...['type', 'status', 'observedGeneration', 'lastTransitionTime', 'reason'].map(
          (name) => `status.conditions[0].${name}`,
        ),
        'status.disruptionsAllowed',
      ],
    ],
  ])('%s', async (_kind, path, object, status, fields) => {
    await refusedFields('POST', path, { metadata: { name: 'state' }, ...object });
    expect(await refusedFields('PATCH', `${path}/state/status`, { status })).toEqual(fields);
  });
});

describe('new objects get', () => {
  const dry = async (path: string, body: JsonObject) =>
    api.send('POST', `${path}?dryRun=All`, { metadata: { name: 'a' }, ...body });

  it('a Job: the mark that its pods are counted, and without labels its pods’ labels with the generated ones', async () => {
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
    // The object's own labels stay, even if they are the same.
    expect((await of({ app: 'a' }, { app: 'a' })).labels).toEqual({ app: 'a' });
  });

  it('a volume in Azure: null for an absent namespace', async () => {
    const { text } = await dry('/api/v1/persistentvolumes', {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        azureFile: { secretName: 's', shareName: 'f' },
      },
    });
    expect(text).toContain('"secretNamespace":null');
  });

  it('a PodTemplate: a generation that counts changes of its template', async () => {
    const path = inNamespace('', 'podtemplates');
    const created = await api.send('POST', path, { metadata: { name: 'p' }, template: { spec: container } });
    expect(objectAt(created.body, 'metadata')?.generation).toBe(1);
    const patch = async (body: JsonObject) =>
      objectAt((await api.send('PATCH', `${path}/p`, body)).body, 'metadata')?.generation;
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
