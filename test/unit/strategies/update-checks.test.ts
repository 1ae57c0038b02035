/** How often and in which order updates of each kind report errors. The reference checks some parts more than once. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { fieldsOf, suiteKinds } from '../../support/kind-api.js';

const api = await suiteKinds(kubernetesNaming);

/** The fields of errors, with short names for a wrong label and a finalizer without a domain. */
const shortNames: Readonly<Record<string, string>> = { 'metadata.labels': 'L', 'metadata.finalizers[0]': 'F' };

const shortened = (field: unknown): string => shortNames[String(field)] ?? String(field);

const wrongMetadata = { labels: { '-': 'x' }, finalizers: ['loose'] };

interface Row {
  readonly path: string;
  /** The object as it is created, without name. */
  readonly object: JsonObject;
  /** A change besides the one of metadata. */
  readonly change?: JsonObject;
  /** The fields of the errors in their order. */
  readonly errors: string;
  /** The subresource through which the object is written. */
  readonly through?: string;
  /** The name of the object, if its kind has a rule for names. */
  readonly name?: string;
}

const core = (plural: string): string => `/api/v1/namespaces/default/${plural}`;
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const hook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://a.example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const pods = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selected = { selector: { matchLabels: { a: 'b' } }, template: pods };
const eventTime = '2024-05-06T07:08:09.000000Z';
const event = { reportingController: 'c', reportingInstance: 'i', action: 'A', reason: 'R', type: 'Normal', eventTime };

const rows: readonly Row[] = [
  {
    path: '/api/v1/persistentvolumes',
    object: { spec: volume },
    change: { spec: { accessModes: [] } },
    errors: 'L L L F spec.accessModes L F spec.accessModes',
  },
  {
    path: core('persistentvolumeclaims'),
    object: { spec: claim },
    change: { spec: { accessModes: [] } },
    errors: 'L L L F spec.accessModes L F L F spec.accessModes spec',
  },
  {
    path: core('secrets'),
    object: { type: 'a' },
    change: { type: 'b', data: { '/': '' } },
    errors: 'L L L F type L F data[/]',
  },
  {
    path: core('configmaps'),
    object: { immutable: true },
    change: { data: { '/': '' } },
    errors: 'L L L F data L F data[/]',
  },
  { path: core('serviceaccounts'), object: {}, errors: 'L L L F L F' },
  {
    path: core('resourcequotas'),
    object: { spec: { hard: { pods: '1' } } },
    change: { spec: { hard: { pods: '-1' } } },
    errors: 'L L L F spec.hard[pods]',
  },
  {
    path: core('limitranges'),
    object: { spec: { limits: [] } },
    change: { spec: { limits: [{ type: 'x' }] } },
    errors: 'L L L F spec.limits[0].type',
  },
  { path: core('endpoints'), object: {}, change: { subsets: [{}] }, errors: 'L L L F L F subsets[0]' },
  {
    path: core('events'),
    object: { involvedObject: { namespace: 'default' } },
    change: { involvedObject: { namespace: 'x' } },
    errors: 'L L involvedObject.namespace',
  },
  {
    path: '/apis/events.k8s.io/v1/namespaces/default/events',
    object: { ...event, regarding: { namespace: 'default' } },
    change: { reason: '' },
    errors: 'L L reason L F reason reason',
  },
  {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    object: { addressType: 'IPv4', endpoints: [] },
    change: { addressType: 'IPv6', endpoints: [{ addresses: [] }] },
    errors: 'L L L F endpoints[0].addresses addressType',
  },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    object: { spec: {} },
    change: { spec: { leaseDurationSeconds: 0 } },
    errors: 'L L L spec.leaseDurationSeconds',
  },
  {
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: { spec: {} },
    change: { spec: { minAvailable: -1 } },
    errors: 'L L spec.minAvailable',
  },
  {
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: { spec: {} },
    through: 'status',
    change: { status: { expectedPods: -1 } },
    errors: 'L L status.expectedPods',
  },
  {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { value: 1 },
    change: { value: 2 },
    errors: 'L L L F value',
  },
  {
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    object: { handler: 'a' },
    change: { handler: '-' },
    errors: 'L L L handler L handler',
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    object: { rules: [rule] },
    change: { rules: [{ ...rule, verbs: [] }] },
    errors: 'L L L F rules[0].verbs L F rules[0].verbs L F',
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: { rules: [rule] },
    change: { rules: [{ ...rule, verbs: [] }] },
    errors: 'L L L F rules[0].verbs L F rules[0].verbs L F',
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    object: { roleRef: { kind: 'Role', name: 'a' } },
    change: { roleRef: { kind: 'X' } },
    errors: 'L L L F roleRef.kind L F roleRef.kind L F roleRef',
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    object: { roleRef: { kind: 'ClusterRole', name: 'a' } },
    change: { roleRef: { kind: 'X' } },
    errors: 'L L L F roleRef.kind L F roleRef.kind L F roleRef',
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    object: { webhooks: [hook] },
    change: { webhooks: [{ ...hook, name: '' }] },
    errors: 'L L L webhooks[0].name',
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    object: { webhooks: [hook] },
    change: { webhooks: [{ ...hook, name: '' }] },
    errors: 'L L L webhooks[0].name',
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicybindings',
    object: { spec: { policyName: 'a', validationActions: ['Deny'] } },
    change: { spec: { policyName: '' } },
    errors: 'L L L spec.policyName',
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas',
    object: { spec: { matchingPrecedence: 5, priorityLevelConfiguration: { name: 'a' } } },
    change: { spec: { matchingPrecedence: -5 } },
    errors: 'L L L F spec.matchingPrecedence',
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations',
    object: { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } } },
    change: { spec: { limited: { nominalConcurrencyShares: -1 } } },
    errors: 'L L L F spec.limited.nominalConcurrencyShares',
  },
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    object: { provisioner: 'a' },
    change: { provisioner: '-' },
    errors: 'L L L F provisioner L F provisioner',
  },
  {
    path: '/apis/storage.k8s.io/v1/csidrivers',
    object: { spec: { tokenRequests: [] } },
    change: { spec: { fsGroupPolicy: 'None', tokenRequests: [{ audience: '' }, { audience: '' }] } },
    errors: 'L L L F spec.tokenRequests[1].audience spec.fsGroupPolicy spec.tokenRequests[1].audience',
  },
  {
    path: '/apis/storage.k8s.io/v1/csinodes',
    object: { spec: { drivers: [{ name: 'a', nodeID: 'n' }] } },
    change: { spec: { drivers: [{ name: 'a', nodeID: '' }] } },
    errors: 'L L L F spec.drivers[0].nodeID L F spec.drivers[0].nodeID CSINodeDriver',
  },
  {
    path: '/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities',
    object: { storageClassName: 'a' },
    change: { storageClassName: 'b', capacity: '-1' },
    errors: 'L L L F capacity L F storageClassName',
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattachments',
    object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    change: { spec: { nodeName: '-' } },
    errors: 'L L L F spec.nodeName L F spec.nodeName spec',
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattachments',
    object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    through: 'status',
    change: { status: { attached: true, attachError: { message: 'm'.repeat(1025) } } },
    errors: 'status.attachError.message status.attachError.message',
  },
  {
    path: '/apis/resource.k8s.io/v1alpha2/namespaces/default/resourceclaims',
    object: { spec: { resourceClassName: 'a' } },
    change: { spec: { resourceClassName: '-' } },
    errors: 'L L L F spec.resourceClassName L F spec L F spec.resourceClassName',
  },
  {
    path: '/apis/resource.k8s.io/v1alpha2/namespaces/default/resourceclaimtemplates',
    object: { spec: { spec: { resourceClassName: 'a' } } },
    change: { spec: { spec: { resourceClassName: '-' } } },
    errors: 'L L L F spec.spec.resourceClassName L F spec L F spec.spec.resourceClassName',
  },
  {
    path: '/apis/resource.k8s.io/v1alpha2/resourceclasses',
    object: { driverName: 'a' },
    change: { driverName: '-' },
    errors: 'L L L F driverName L F L F driverName',
  },
  {
    path: '/apis/resource.k8s.io/v1alpha2/namespaces/default/podschedulingcontexts',
    object: { spec: {} },
    change: { spec: { potentialNodes: ['-'] } },
    errors: 'L L L F spec.potentialNodes[0] L F L F spec.potentialNodes[0]',
  },
  {
    path: '/apis/networking.k8s.io/v1alpha1/clustercidrs',
    object: { spec: { ipv4: '10.0.0.0/16', perNodeHostBits: 8 } },
    change: { spec: { perNodeHostBits: 1 } },
    errors: 'L L L F spec.perNodeHostBits L F spec.perNodeHostBits',
  },
  {
    path: '/apis/networking.k8s.io/v1alpha1/ipaddresses',
    name: '192.0.2.1',
    object: { spec: { parentRef: { resource: 'services', name: 'a' } } },
    change: { spec: { parentRef: { name: '' } } },
    errors: 'L L L F spec.parentRef.name L F spec.parentRef',
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    object: { spec: {} },
    change: { spec: { policyTypes: ['x'] } },
    errors: 'L L L F spec.policyTypes[0] L F spec.policyTypes[0]',
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    object: { spec: { defaultBackend: { resource: { kind: 'K', name: 'n' } } } },
    change: { spec: { defaultBackend: { resource: { name: '' } } } },
    errors: 'L L L F L F spec.defaultBackend.resource.name',
  },
  {
    path: '/apis/networking.k8s.io/v1/ingressclasses',
    object: { spec: { controller: 'a.example.com/a' } },
    change: { spec: { controller: 'b' } },
    errors: 'L L L F spec.controller L F spec.controller',
  },
  {
    path: '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions',
    name: 'a.b',
    object: { spec: {} },
    errors: 'L L',
  },
  {
    path: '/apis/apps/v1/namespaces/default/controllerrevisions',
    object: { data: {}, revision: 1 },
    change: { revision: -1, data: { a: 1 } },
    errors: 'L L L F L F revision data',
  },
  {
    path: '/apis/apps/v1/namespaces/default/replicasets',
    object: { spec: selected },
    change: { spec: { replicas: -1 } },
    errors: 'L L L F spec.replicas L F spec.replicas',
  },
  {
    path: '/apis/apps/v1/namespaces/default/daemonsets',
    object: { spec: selected },
    change: { spec: { minReadySeconds: -1 } },
    errors: 'L L L F spec.minReadySeconds L F spec.minReadySeconds',
  },
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: { spec: selected },
    change: { spec: { replicas: -1 } },
    errors: 'L L L F spec.replicas',
  },
  {
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    object: { spec: { ...selected, serviceName: 's' } },
    change: { spec: { replicas: -1 } },
    errors: 'L L L F spec.replicas',
  },
  {
    path: core('replicationcontrollers'),
    object: { spec: { template: pods } },
    change: { spec: { replicas: -1 } },
    errors: 'L L L F spec.replicas L F spec.replicas',
  },
  { path: '/api/v1/namespaces', object: {}, errors: 'L L L F L F' },
];

describe('an update with wrong metadata and fields', () => {
  it.each(rows)('reports errors as often and in the order of the reference at $path', async (row) => {
    const { path, object, change = {}, errors, through, name = `a${rows.indexOf(row)}` } = row;
    const made = await api.send('POST', path, { ...object, metadata: { name } });
    expect([made.code, made.code === 201 ? '' : made.text]).toEqual([201, '']);
    const at = `${path}/${name}${through === undefined ? '' : `/${through}`}`;
    const reply = await api.send('PATCH', at, { metadata: wrongMetadata, ...change });
    expect([reply.code, fieldsOf(reply).map(shortened).join(' ')]).toEqual([422, errors]);
  });
});
