/** An object of each built-in kind with handlers, as it is stored: nothing about it is wrong, and it is in canonical form. */
import type { ApiObject, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { makeCertificate, makeKeys, makeRequest } from './certificates.js';
import { objectOf } from './field-errors.js';
import { podTemplate } from './workloads.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const request = base64(await makeRequest('O=devs, CN=alice'));
const certificate = base64((await makeCertificate(await makeKeys())).toString('pem'));

/** What each object has beside its version and kind, by `<group>/<version>/<kind>`. */
const parts: Readonly<Record<string, JsonObject & Pick<ApiObject, 'metadata'>>> = {
  'v1/ConfigMap': { metadata: { name: 'm' }, data: { a: '1' }, binaryData: { b: 'AAEC' }, immutable: true },
  'v1/Endpoints': {
    metadata: { name: 'a' },
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }],
  },
  'v1/Event': {
    metadata: { name: 'e', namespace: 'team' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'team' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    reportingComponent: 'example.com/controller',
    reportingInstance: 'i-1',
    action: 'Pull',
    reason: 'Pulled',
    message: 'text',
  },
  'v1/LimitRange': {
    metadata: { name: 'l', namespace: 'default' },
    spec: { limits: [{ type: 'Pod', max: { cpu: '2' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '2' } }] },
  },
  'v1/Namespace': {
    metadata: { name: 'team', labels: { 'platform.io/metadata.name': 'team', a: 'b' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  },
  'v1/Node': {
    metadata: { name: 'n1' },
    spec: {
      podCIDR: '10.0.0.0/24',
      podCIDRs: ['10.0.0.0/24', 'fd00::/64'],
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoExecute' },
      ],
    },
    status: { capacity: { cpu: '2', pods: '110' }, addresses: [{ type: 'Hostname', address: 'n1' }] },
  },
  'v1/PersistentVolume': {
    metadata: { name: 'v1' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
      local: { path: '/disk' },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] },
      },
    },
    status: { phase: 'Pending' },
  },
  'v1/PersistentVolumeClaim': {
    metadata: { name: 'c', namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeMode: 'Filesystem',
      volumeName: 'v1',
      storageClassName: 'fast',
    },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  },
  'v1/Pod': {
    metadata: { name: 'p', resourceVersion: '1' },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'image:1',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  },
  'v1/PodTemplate': {
    metadata: { name: 't' },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'image:1',
            imagePullPolicy: 'IfNotPresent',
            terminationMessagePolicy: 'File',
            resources: {},
          },
        ],
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
      },
    },
  },
  'v1/ReplicationController': {
    metadata: { name: 'r', generation: 1, labels: { app: 'a' } },
    spec: { replicas: 2, selector: { app: 'a' }, template: podTemplate() },
    status: { replicas: 1 },
  },
  'v1/ResourceQuota': {
    metadata: { name: 'q', namespace: 'default' },
    spec: { hard: { pods: '5' }, scopes: ['BestEffort'] },
    status: { hard: { pods: '5' }, used: { pods: '1' } },
  },
  'v1/Secret': { metadata: { name: 's' }, data: { a: 'MQ==' }, type: 'Opaque' },
  'v1/Service': {
    metadata: { name: 'a' },
    spec: {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      clusterIP: '10.0.0.5',
      clusterIPs: ['10.0.0.5'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
    status: { loadBalancer: {} },
  },
  'v1/ServiceAccount': { metadata: { name: 'robot', namespace: 'default' }, secrets: [{ name: 'a' }] },
  'admissionregistration.platform.io/v1/MutatingWebhookConfiguration': {
    metadata: { name: 'c' },
    webhooks: [
      {
        name: 'check.example.com',
        clientConfig: { url: 'https://example.com/check' },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        timeoutSeconds: 10,
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  'admissionregistration.platform.io/v1alpha1/ValidatingAdmissionPolicy': {
    metadata: { name: 'p.example.com' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' }],
      },
      validations: [{ expression: 'object.metadata.name != "x"' }],
    },
    status: {},
  },
  'admissionregistration.platform.io/v1alpha1/ValidatingAdmissionPolicyBinding': {
    metadata: { name: 'p.example.com' },
    spec: { policyName: 'p.example.com', validationActions: ['Deny'] },
  },
  'admissionregistration.platform.io/v1/ValidatingWebhookConfiguration': {
    metadata: { name: 'c' },
    webhooks: [
      {
        name: 'check.example.com',
        clientConfig: { url: 'https://example.com/check' },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        timeoutSeconds: 10,
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  'apiextensions.platform.io/v1/CustomResourceDefinition': {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      conversion: { strategy: 'None' },
    },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  },
  'apiregistration.platform.io/v1/APIService': {
    metadata: { name: 'v1.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: 'default', name: 'api', port: 443 },
    },
    status: { conditions: [{ type: 'Available', status: 'True' }] },
  },
  'apps/v1/ControllerRevision': {
    metadata: {
      name: 'r',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true }],
    },
    revision: 3,
    data: { a: 1 },
  },
  'apps/v1/DaemonSet': {
    metadata: { name: 'd', generation: 1, annotations: { 'deprecated.daemonset.template.generation': '1' } },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: podTemplate(),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    },
    status: {},
  },
  'apps/v1/Deployment': {
    metadata: { name: 'd', generation: 1 },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'a' } },
      template: podTemplate(),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      progressDeadlineSeconds: 600,
    },
    status: {},
  },
  'apps/v1/ReplicaSet': {
    metadata: { name: 'r', generation: 1 },
    spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template: podTemplate() },
    status: {},
  },
  'apps/v1/StatefulSet': {
    metadata: { name: 's', generation: 1 },
    spec: {
      replicas: 2,
      serviceName: 'peers',
      podManagementPolicy: 'OrderedReady',
      selector: { matchLabels: { app: 'a' } },
      template: podTemplate(),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
    status: {},
  },
  'autoscaling/v2/HorizontalPodAutoscaler': {
    metadata: { name: 'h' },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    },
    status: {},
  },
  'batch/v1/CronJob': {
    metadata: { name: 'c', generation: 1 },
    spec: {
      schedule: '0 * * * *',
      suspend: false,
      jobTemplate: { spec: { template: podTemplate({ restartPolicy: 'Never' }) } },
    },
    status: {},
  },
  'batch/v1/Job': {
    metadata: { name: 'j', uid: 'u', generation: 1, labels: { app: 'a' } },
    spec: {
      completions: 1,
      parallelism: 1,
      completionMode: 'NonIndexed',
      backoffLimit: 6,
      suspend: false,
      selector: { matchLabels: { 'batch.platform.io/controller-uid': 'u' } },
      template: podTemplate(
        { restartPolicy: 'Never' },
        {
          'controller-uid': 'u',
          'job-name': 'j',
          'batch.platform.io/controller-uid': 'u',
          'batch.platform.io/job-name': 'j',
        },
      ),
    },
    status: {},
  },
  'certificates.platform.io/v1/CertificateSigningRequest': {
    metadata: { name: 'r' },
    spec: { request: request, signerName: 'example.com/signer', usages: ['client auth'], username: 'alice' },
    status: {
      conditions: [
        {
          type: 'Approved',
          status: 'True',
          lastUpdateTime: '2024-01-01T00:00:00Z',
          lastTransitionTime: '2024-01-01T00:00:00Z',
        },
        {
          type: 'Custom',
          status: 'False',
          lastUpdateTime: '2024-01-01T00:00:00Z',
          lastTransitionTime: '2024-01-01T00:00:00Z',
        },
      ],
      certificate: certificate,
    },
  },
  'coordination.platform.io/v1/Lease': {
    metadata: { name: 'leader', namespace: 'default' },
    spec: { holderIdentity: 'me' },
  },
  'discovery.platform.io/v1/EndpointSlice': {
    metadata: { name: 'a' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: {} }],
    ports: [{ name: '', port: 80 }],
  },
  'events.platform.io/v1/Event': {
    metadata: { name: 'e', namespace: 'default' },
    eventTime: '2024-05-06T07:08:09.000000Z',
    type: 'Normal',
    reason: 'Started',
    action: 'Starting',
    note: 'It runs.',
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    reportingController: 'example.com/controller',
    reportingInstance: 'one',
  },
  'flowcontrol.apiserver.platform.io/v1beta3/FlowSchema': {
    metadata: { name: 'f' },
    spec: {
      priorityLevelConfiguration: { name: 'l' },
      matchingPrecedence: 10,
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: 'a' } }],
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }],
        },
      ],
    },
    status: {},
  },
  'flowcontrol.apiserver.platform.io/v1beta3/PriorityLevelConfiguration': {
    metadata: { name: 'l' },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 5,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    },
    status: {},
  },
  'internal.apiserver.platform.io/v1alpha1/StorageVersion': {
    metadata: { name: 'apps.deployments' },
    spec: {},
    status: {
      storageVersions: [{ apiServerID: 'a', encodingVersion: 'apps/v1', decodableVersions: ['apps/v1'] }],
      commonEncodingVersion: 'apps/v1',
    },
  },
  'networking.platform.io/v1alpha1/ClusterCIDR': {
    metadata: { name: 'a' },
    spec: { perNodeHostBits: 8, ipv4: '10.0.0.0/16' },
  },
  'networking.platform.io/v1alpha1/IPAddress': {
    metadata: { name: '192.0.2.1' },
    spec: { parentRef: { resource: 'services', name: 'web' } },
  },
  'networking.platform.io/v1/Ingress': {
    metadata: { name: 'a' },
    spec: {
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      rules: [{ host: 'a.example.com' }],
      tls: [{ hosts: ['a.example.com'] }],
    },
  },
  'networking.platform.io/v1/IngressClass': {
    metadata: { name: 'a' },
    spec: {
      controller: 'example.com/c',
      parameters: { kind: 'K', name: 'n', scope: 'Cluster', apiGroup: 'example.com' },
    },
  },
  'networking.platform.io/v1/NetworkPolicy': {
    metadata: { name: 'a' },
    spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }], policyTypes: ['Ingress'] },
  },
  'node.platform.io/v1/RuntimeClass': {
    metadata: { name: 'sandbox' },
    handler: 'sandbox',
    overhead: { podFixed: { cpu: '250m' } },
    scheduling: { nodeSelector: { a: 'b' } },
  },
  'policy/v1/PodDisruptionBudget': { metadata: { name: 'p' }, spec: { minAvailable: 1, selector: {} }, status: {} },
  'rbac.authorization.platform.io/v1/ClusterRole': {
    metadata: { name: 'r' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  },
  'rbac.authorization.platform.io/v1/ClusterRoleBinding': {
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.platform.io', name: 'ann' },
      { kind: 'User', apiGroup: 'rbac.authorization.platform.io', name: 'ben' },
      { kind: 'Group', apiGroup: 'rbac.authorization.platform.io', name: 'all' },
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
    ],
  },
  'rbac.authorization.platform.io/v1/Role': {
    metadata: { name: 'r' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  },
  'rbac.authorization.platform.io/v1/RoleBinding': {
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.platform.io', name: 'ann' },
      { kind: 'User', apiGroup: 'rbac.authorization.platform.io', name: 'ben' },
      { kind: 'Group', apiGroup: 'rbac.authorization.platform.io', name: 'all' },
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
    ],
  },
  'resource.platform.io/v1alpha2/PodSchedulingContext': {
    metadata: { name: 'pod', namespace: 'default' },
    spec: { selectedNode: 'n1' },
    status: {},
  },
  'resource.platform.io/v1alpha2/ResourceClaim': {
    metadata: { name: 'c', namespace: 'default' },
    spec: { resourceClassName: 'gpu', allocationMode: 'Immediate' },
    status: {
      driverName: 'example.com',
      allocation: { shareable: true },
      reservedFor: [{ resource: 'pods', name: '1', uid: '1' }],
    },
  },
  'resource.platform.io/v1alpha2/ResourceClaimTemplate': {
    metadata: { name: 'a' },
    spec: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { resourceClassName: 'gpu' } },
  },
  'resource.platform.io/v1alpha2/ResourceClass': {
    metadata: { name: 'a' },
    driverName: 'driver.example.com',
    suitableNodes: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }] },
  },
  'scheduling.platform.io/v1/PriorityClass': {
    metadata: { name: 'high', generation: 1 },
    preemptionPolicy: 'Never',
    value: 10,
  },
  'storage.platform.io/v1/CSIDriver': {
    metadata: { name: 'driver.example.com', generation: 3 },
    spec: { attachRequired: true, tokenRequests: [{ audience: 'a' }], volumeLifecycleModes: ['Persistent'] },
  },
  'storage.platform.io/v1/CSINode': {
    metadata: { name: 'n1' },
    spec: {
      drivers: [
        { name: 'disks.example.com', nodeID: 'n1', topologyKeys: ['example.com/zone'], allocatable: { count: 3 } },
      ],
    },
  },
  'storage.platform.io/v1/CSIStorageCapacity': {
    metadata: { name: 'c1', namespace: 'default' },
    storageClassName: 'fast',
    nodeTopology: { matchLabels: { zone: 'a' } },
    capacity: '1Gi',
    maximumVolumeSize: '0',
  },
  'storage.platform.io/v1/StorageClass': {
    metadata: { name: 'fast' },
    provisioner: 'example.com/disks',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    parameters: { type: 'ssd' },
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
  },
  'storage.platform.io/v1/VolumeAttachment': {
    metadata: { name: 'a1', resourceVersion: '1' },
    spec: { attacher: 'disks.example.com', source: { persistentVolumeName: 'v1' }, nodeName: 'n1' },
    status: { attached: false },
  },
  'storagemigration.platform.io/v1alpha1/StorageVersionMigration': {
    metadata: { name: 'deployments' },
    spec: { resource: { group: 'apps', version: 'v1', resource: 'deployments' } },
    status: {
      conditions: [{ type: 'Running', status: 'True', lastUpdateTime: '2024-01-01T00:00:00Z', reason: 'Listed' }],
      resourceVersion: '12',
    },
  },
};

/** Returns the stored object of a kind. */
export function storedObject(handlers: KindHandlers): ApiObject {
  const { apiVersion, kind } = objectOf(handlers, {});
  const found = parts[`${apiVersion}/${kind}`];
  if (found === undefined) throw new Error(`the table has no stored object of ${apiVersion}/${kind}`);
  return { apiVersion, kind, ...structuredClone(found) };
}

/** Returns the stored object of a kind with other fields in `spec` and `metadata`, and with other parts as a whole. */
export function storedLike(
  handlers: KindHandlers,
  { spec = {}, ...rest }: JsonObject & { readonly spec?: JsonObject },
  metadata: ApiObject['metadata'] = {},
): ApiObject {
  const stored = storedObject(handlers);
  return {
    ...stored,
    metadata: { ...stored.metadata, ...metadata },
    spec: { ...objectAt(stored, 'spec'), ...spec },
    ...rest,
  };
}
