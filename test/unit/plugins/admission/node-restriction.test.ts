import { describe, expect, it } from 'vitest';
import { defineNodeRestriction } from '../../../../plugins/index.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  JsonObject,
  Operation,
  UserInfo,
} from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextOf, object, write } from './attributes.js';

const nodes = moduleOf('', 'nodes', 'Node', { scope: 'Cluster' });
const pods = moduleOf('', 'pods', 'Pod');
const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
const accounts = moduleOf('', 'serviceaccounts', 'ServiceAccount');
const leases = moduleOf('coordination.k8s.io', 'leases', 'Lease');
const drivers = moduleOf('storage.k8s.io', 'csinodes', 'CSINode', { scope: 'Cluster' });

const plugin = defineNodeRestriction(kubernetesNaming);
const nodeUser = (node: string): UserInfo => ({
  name: `system:node:${node}`,
  uid: '',
  groups: ['system:nodes'],
  extra: {},
});
const byNode = (more: Partial<AdmissionAttributes>) => write({ user: nodeUser('one'), ...more });
const podOn = (nodeName: string, more: Partial<ApiObject['metadata']> = {}) =>
  object({ metadata: { name: 'p', uid: `pod-on-${nodeName}`, ...more }, spec: { nodeName } });

const context: AdmissionContext = contextOf({
  '/nodes//one': object({ metadata: { name: 'one', uid: 'uid-of-one' } }),
  '/pods/team/mine': podOn('one'),
  '/pods/team/theirs': podOn('two'),
});

const run = (attributes: AdmissionAttributes, by = plugin): Promise<Failure | undefined> =>
  runPlugin(by, attributes, context);

/** Returns the message after `is forbidden: `, or an empty text if the write passes. */
async function whyNot(attributes: AdmissionAttributes, by = plugin): Promise<string | undefined> {
  const failure = await run(attributes, by);
  if (failure) expect(failure.reason).toBe('Forbidden');
  return failure?.message.replace(/^.*? is forbidden: /, '');
}

const nodeWrite = (now: Partial<ApiObject>, old?: Partial<ApiObject>, more: Partial<AdmissionAttributes> = {}) =>
  byNode({
    operation: old ? 'UPDATE' : 'CREATE',
    resource: nodes,
    namespace: '',
    name: 'one',
    object: object(now),
    ...(old ? { oldObject: object(old) } : {}),
    ...more,
  });
const labelled = (labels: Record<string, string>) => ({ metadata: { name: 'one', labels } });

testAdmissionPlugin({
  plugin,
  admitted: nodeWrite(labelled({ plain: 'x' })),
  refused: nodeWrite(labelled({ 'kubernetes.io/role': 'x' })),
  context,
  words: ['taints', 'configSource', 'nodeName'],
});

describe('its subjects', () => {
  it('exclude users that are not nodes, whatever their name', async () => {
    const foreign = nodeWrite({}, undefined, { name: 'two' });
    for (const user of [
      { ...nodeUser('one'), groups: [] },
      { ...nodeUser('one'), name: 'kubelet' },
    ]) {
      expect(await run({ ...foreign, user })).toBeUndefined();
    }
    expect(await whyNot(foreign)).toBe('node "one" is not allowed to modify node "two"');
  });

  it('include a node without a name, which may write nothing', async () => {
    expect(await whyNot(byNode({ resource: configMaps, user: nodeUser('') }))).toBe(
      'could not determine node from user "system:node:"',
    );
    expect(await run(byNode({ resource: configMaps }))).toBeUndefined();
  });
});

describe('its own node', () => {
  it.each([
    'plain',
    'example.com/x',
    'notkubernetes.io/x',
    'node-restriction.example.com/x',
    'kubernetes.io/hostname',
    'kubernetes.io/os',
    'kubernetes.io/arch',
    'beta.kubernetes.io/os',
    'beta.kubernetes.io/instance-type',
    'topology.kubernetes.io/zone',
    'failure-domain.beta.kubernetes.io/region',
    'node.kubernetes.io/any',
    'kubelet.kubernetes.io/any',
    'my.kubelet.kubernetes.io/any',
  ])('may have the label %s', async (label) => {
    expect(await run(nodeWrite(labelled({ [label]: 'x' })))).toBeUndefined();
    expect(await run(nodeWrite(labelled({ [label]: 'x' }), {}))).toBeUndefined();
  });

  it.each([
    'kubernetes.io/role',
    'node-role.kubernetes.io/worker',
    'node-restriction.kubernetes.io/team',
    'deep.node-restriction.kubernetes.io/team',
    'k8s.io/x',
    'any.k8s.io/x',
    'node.k8s.io/x',
  ])('may not have the label %s, nor change it, nor lose it', async (label) => {
    const x = labelled({ [label]: 'x' });
    expect(await whyNot(nodeWrite(x))).toBe(`node "one" is not allowed to set the following labels: ${label}`);
    for (const [now, old] of [
      [x, {}],
      [labelled({ [label]: 'y' }), x],
      [{}, x],
    ] as const) {
      expect(await whyNot(nodeWrite(now, old))).toBe(`is not allowed to modify labels: ${label}`);
    }
    expect(await run(nodeWrite(x, x))).toBeUndefined();
  });

  it('gets all forbidden labels in one message, in order', async () => {
    const labels = { 'node-role.kubernetes.io/x': '', 'foo.k8s.io/bar': 'x', 'example.com/own': 'x' };
    expect(await whyNot(nodeWrite(labelled(labels)))).toBe(
      'node "one" is not allowed to set the following labels: foo.k8s.io/bar, node-role.kubernetes.io/x',
    );
  });

  it("has these labels under the platform's naming", async () => {
    const platform = defineNodeRestriction(platformNaming);
    expect(
      await run(nodeWrite(labelled({ 'platform.io/hostname': 'x', 'kubelet.platform.io/a': '' })), platform),
    ).toBeUndefined();
    expect(await whyNot(nodeWrite(labelled({ 'platform.io/role': 'x' })), platform)).toContain('platform.io/role');
    expect(await run(nodeWrite(labelled({ 'kubernetes.io/role': 'x' })), platform)).toBeUndefined();
  });

  it('sets its first taints, and cannot change them later', async () => {
    const tainted = { spec: { taints: [{ key: 'mine', effect: 'NoSchedule' }] } };
    expect(await run(nodeWrite(tainted))).toBeUndefined();
    expect(await run(nodeWrite(tainted, tainted))).toBeUndefined();
    expect(await run(nodeWrite({ spec: { taints: [] } }, {}))).toBeUndefined();
    expect(await whyNot(nodeWrite({ spec: {} }, tainted))).toBe('node "one" is not allowed to modify taints');
    expect(await whyNot(nodeWrite(tainted, {}, { subresource: 'status' }))).toBe(
      'node "one" is not allowed to modify taints',
    );
  });

  it('may not choose a source of configuration', async () => {
    const source = { spec: { configSource: { configMap: { name: 'c' } } } };
    expect(await whyNot(nodeWrite(source))).toBe(
      'node "one" is not allowed to create pods with a non-nil configSource',
    );
    expect(await whyNot(nodeWrite(source, {}))).toBe(
      'node "one" is not allowed to update configSource to a new non-nil configSource',
    );
    expect(await run(nodeWrite({}, source))).toBeUndefined();
    expect(await run(nodeWrite(source, source))).toBeUndefined();
  });

  it('is the only one that it deletes', async () => {
    const deletion = { operation: 'DELETE', resource: nodes, namespace: '', oldObject: object() } as const;
    expect(await run(byNode({ ...deletion, name: 'one' }))).toBeUndefined();
    expect(await run(byNode({ ...deletion, name: '' }))).toMatchObject({
      message: 'nodes "Unknown" is forbidden: node "one" is not allowed to modify node ""',
    });
  });
});

describe('mirror pods', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'one', uid: 'uid-of-one', controller: true };
  const annotations = { 'kubernetes.io/config.mirror': '' };
  const mirror = (metadata: Partial<ApiObject['metadata']> = {}, spec: JsonObject = {}, node = 'one') =>
    byNode({
      resource: pods,
      name: 'm',
      user: nodeUser(node),
      object: object({
        metadata: { name: 'm', annotations, ownerReferences: [owner], ...metadata },
        spec: { nodeName: 'one', ...spec },
      }),
    });

  it('may mirror a static pod of the node', async () => expect(await run(mirror())).toBeUndefined());

  it.each<[string, AdmissionAttributes]>([
    [
      'pod does not have "kubernetes.io/config.mirror" annotation, node "one" can only create mirror pods',
      mirror({ annotations: {} }),
    ],
    ['node "one" can only create pods with spec.nodeName set to itself', mirror({}, { nodeName: 'two' })],
    [
      'node "one" can only create pods with a single owner reference set to itself',
      mirror({ ownerReferences: [owner, owner] }),
    ],
    ['node "one" can only create pods with an owner reference set to itself', mirror({ ownerReferences: [] })],
    [
      'node "one" can only create pods with an owner reference set to itself',
      mirror({ ownerReferences: [{ ...owner, kind: 'DaemonSet' }] }),
    ],
    [
      'node "one" can only create pods with a controller owner reference set to itself',
      mirror({ ownerReferences: [{ ...owner, controller: false }] }),
    ],
    [
      'node "one" must not set blockOwnerDeletion on an owner reference',
      mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
    ],
    ['node one UID mismatch: expected other got uid-of-one', mirror({ ownerReferences: [{ ...owner, uid: 'other' }] })],
    ['node "one" can not create pods that reference a service account', mirror({}, { serviceAccountName: 'default' })],
    ['node "one" can not create pods that reference secrets', mirror({}, { imagePullSecrets: [{ name: 's' }] })],
    [
      'node "one" can not create pods that reference configmaps',
      mirror({}, { containers: [{ envFrom: [{ configMapRef: { name: 'x' } }] }] }),
    ],
    [
      'node "one" can not create pods that reference persistentvolumeclaims',
      mirror({}, { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] }),
    ],
  ])('are refused with %s', async (why, attributes) => expect(await whyNot(attributes)).toBe(why));

  it('need an existing node', async () => {
    const gone = mirror({ ownerReferences: [{ ...owner, name: 'gone' }] }, { nodeName: 'gone' }, 'gone');
    expect(await run(gone)).toMatchObject({ reason: 'NotFound', message: 'node "gone" not found' });
  });
});

describe('pods', () => {
  const podWrite = (operation: Operation, name: string, more: Partial<AdmissionAttributes> = {}) =>
    byNode({ operation, resource: pods, name, object: object(), oldObject: podOn('one'), ...more });

  it('are deleted and evicted by their own node only', async () => {
    expect(await run(podWrite('DELETE', 'mine'))).toBeUndefined();
    expect(await whyNot(podWrite('DELETE', 'theirs'))).toBe(
      'node "one" can only delete pods with spec.nodeName set to itself',
    );
    const eviction = { subresource: 'eviction' };
    expect(await run(podWrite('CREATE', 'mine', eviction))).toBeUndefined();
    expect(await whyNot(podWrite('CREATE', 'theirs', eviction))).toBe(
      'node one can only evict pods with spec.nodeName set to itself',
    );
    expect(await run(podWrite('CREATE', 'gone', eviction))).toMatchObject({
      reason: 'NotFound',
      message: 'pod "gone" not found',
    });
  });

  it('of a collection are not found, so that none is deleted', async () =>
    expect(await run(podWrite('DELETE', ''))).toMatchObject({ reason: 'NotFound' }));

  it('have a status that their node writes, except labels', async () => {
    const status = { subresource: 'status', object: podOn('one') };
    expect(await run(podWrite('UPDATE', 'mine', status))).toBeUndefined();
    expect(await whyNot(podWrite('UPDATE', 'theirs', { ...status, oldObject: podOn('two') }))).toBe(
      'node "one" can only update pod status for pods with spec.nodeName set to itself',
    );
    const labels = { ...status, object: podOn('one', { labels: { a: 'b' } }) };
    expect(await whyNot(podWrite('UPDATE', 'mine', labels))).toBe('node "one" cannot update labels through pod status');
  });

  it('cannot be changed in any other way', async () => {
    expect(await whyNot(podWrite('UPDATE', 'mine'))).toBe(
      'unexpected operation "UPDATE", node "one" can only create and delete mirror pods',
    );
    expect(await whyNot(podWrite('CREATE', 'mine', { subresource: 'binding' }))).toBe(
      "unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed",
    );
  });
});

describe('claims', () => {
  const claim = (status: JsonObject, metadata: Partial<ApiObject['metadata']> = {}) =>
    object({ metadata: { name: 'c', resourceVersion: '1', ...metadata }, status });
  const statusWrite = (now: ApiObject) =>
    byNode({
      operation: 'UPDATE',
      resource: claims,
      subresource: 'status',
      object: now,
      oldObject: claim({ phase: 'Bound' }),
    });

  it('have a capacity and conditions that nodes write', async () => {
    const grown = claim({ phase: 'Bound', capacity: { storage: '2Gi' }, conditions: [{ type: 'x' }] }, {});
    expect(await run(statusWrite({ ...grown, metadata: { name: 'c' } }))).toBeUndefined();
  });

  it.each([
    [claim({ phase: 'Lost' }), 'status'],
    [claim({ phase: 'Bound' }, { labels: { a: 'b' } }), 'metadata'],
    [{ ...claim({ phase: 'Bound' }), spec: { volumeName: 'v' } }, 'spec'],
  ])('cannot be changed otherwise (%#)', async (now, field) =>
    expect(await whyNot(statusWrite(now))).toBe(
      `node "one" is not allowed to update fields other than status.capacity and status.conditions: ${field}`,
    ),
  );

  it('report an expansion that can be undone if the gate is on', async () => {
    const attributes = statusWrite(claim({ phase: 'Bound', resizeStatus: 'x', allocatedResources: { storage: '1' } }));
    expect(await whyNot(attributes)).toContain('other than status.capacity');
    const recovering = defineNodeRestriction(kubernetesNaming);
    recovering.start?.(hostOf([]));
    expect(await run(attributes, recovering)).toBeUndefined();
  });

  it.each(['CREATE', 'UPDATE', 'DELETE'] as const)('are not written by %s', async (operation) =>
    expect(await whyNot(byNode({ operation, resource: claims, object: object() }))).toBe('may only update PVC status'),
  );
});

describe('tokens', () => {
  const ask = (boundObjectRef: JsonObject | undefined, more: Partial<AdmissionAttributes> = {}) =>
    byNode({
      resource: accounts,
      subresource: 'token',
      object: object({ spec: boundObjectRef ? { boundObjectRef } : {} }),
      ...more,
    });
  const pod = { kind: 'Pod', apiVersion: 'v1', name: 'mine', uid: 'pod-on-one' };

  it('are for pods of the node', async () => {
    expect(await run(ask(pod))).toBeUndefined();
    expect(await run(ask(undefined, { subresource: '' }))).toBeUndefined();
  });

  it.each<[JsonObject | undefined, string]>([
    [undefined, 'node requested token not bound to a pod'],
    [{ ...pod, kind: 'Secret' }, 'node requested token not bound to a pod'],
    [{ ...pod, apiVersion: 'v2' }, 'node requested token not bound to a pod'],
    [{ ...pod, name: '' }, 'node requested token not bound to a pod'],
    [{ ...pod, uid: '' }, 'node requested token with a pod binding without a uid'],
    [
      { ...pod, uid: 'other' },
      'the UID in the bound object reference (other) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      { ...pod, name: 'theirs', uid: 'pod-on-two' },
      'node requested token bound to a pod scheduled on a different node',
    ],
  ])('bound to %j are refused', async (bound, why) => expect(await whyNot(ask(bound))).toBe(why));

  describe('with limited audiences', () => {
    const limited = defineNodeRestriction(kubernetesNaming);
    limited.start?.(hostOf([]));
    const token = (audience: string) => ({ serviceAccountToken: { path: 'token', audience } });
    const pods = {
      '/pods/team/mine': object({
        metadata: { name: 'mine', namespace: 'team', uid: 'pod-on-one' },
        spec: {
          nodeName: 'one',
          volumes: [
            { name: 'a', projected: { sources: [token(''), token('projected')] } },
            { name: 'b', csi: { driver: 'inline' } },
            { name: 'c', persistentVolumeClaim: { claimName: 'claim' } },
            { name: 'd', ephemeral: {} },
          ],
        },
      }),
      '/persistentvolumeclaims/team/claim': object({ spec: { volumeName: 'bound' } }),
      '/persistentvolumeclaims/team/mine-d': object({ spec: { volumeName: 'passing' } }),
      '/persistentvolumes//bound': object({ spec: { csi: { driver: 'bound' } } }),
      '/persistentvolumes//passing': object({ spec: { csi: { driver: 'passing' } } }),
      ...Object.fromEntries(
        ['inline', 'bound', 'passing'].map((driver) => [
          `storage.k8s.io/csidrivers//${driver}`,
          object({ spec: { tokenRequests: [{ audience: `of-${driver}` }] } }),
        ]),
      ),
    };
    const refusalFor = async (audiences: readonly string[], allowed = '') => {
      const spec = { boundObjectRef: pod, audiences: [...audiences] };
      const authorize = ({ verb, resource }: { verb: string; resource: string }) =>
        verb === 'request-serviceaccounts-token-audience' && resource === allowed;
      const failure = await runPlugin(limited, ask(undefined, { object: object({ spec }) }), {
        ...contextOf(pods),
        authorize,
      });
      return failure?.message.replace(/^.*? is forbidden: /, '');
    };

    it.each([[[]], [['projected']], [['of-inline']], [['of-bound']], [['of-passing']]])(
      'may have audiences that volumes of the pod name: %j',
      async (audiences) => expect(await refusalFor(audiences)).toBeUndefined(),
    );

    it('are refused for others, unless the node has a right to them', async () => {
      expect(await refusalFor(['other'])).toBe(
        'audience "other" not found in pod spec volume, system:node:one is not authorized to request tokens for this audience',
      );
      expect(await refusalFor(['other'], 'other')).toBeUndefined();
      expect(await refusalFor(['projected', 'of-inline'])).toBe('node may only request 0 or 1 audiences');
    });
  });

  it('need an existing pod', async () =>
    expect(await run(ask({ ...pod, name: 'gone' }))).toMatchObject({ message: 'pod "gone" not found' }));
});

describe('leases and storage drivers', () => {
  it.each(['CREATE', 'UPDATE', 'DELETE'] as const)('have the name of the node, at %s', async (operation) => {
    const lease = { operation, resource: leases, namespace: 'kube-node-lease', object: object() };
    expect(await run(byNode({ ...lease, name: 'one' }))).toBeUndefined();
    expect(await whyNot(byNode({ ...lease, name: 'two' }))).toBe(
      'can only access node lease with the same name as the requesting node',
    );
    expect(await whyNot(byNode({ ...lease, name: 'one', namespace: 'team' }))).toBe(
      'can only access leases in the "kube-node-lease" system namespace',
    );
    const driver = { operation, resource: drivers, namespace: '', object: object() };
    expect(await run(byNode({ ...driver, name: 'one' }))).toBeUndefined();
    expect(await whyNot(byNode({ ...driver, name: 'two' }))).toBe(
      'can only access CSINode with the same name as the requesting node',
    );
  });
});

it('ignores connections', () => expect(plugin.handles(pods, 'CONNECT', 'exec')).toBe(false));
