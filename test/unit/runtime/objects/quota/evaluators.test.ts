/** How quotas count objects: each row has an object and its use. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { defineEvaluators } from '../../../../../runtime/objects/quota/evaluators.js';
import { formatQuantity } from '../../../../../runtime/objects/scan/quantity.js';

const now = Date.parse('2026-01-01T00:00:00Z');
const evaluators = defineEvaluators(kubernetesNaming);

function evaluatorOf(plural: string, group = '', find = evaluators) {
  const evaluator = find(group, plural);
  if (!evaluator) throw new Error(`${plural} are not counted`);
  return evaluator;
}

function usage(plural: string, object: JsonObject, find = evaluators): object {
  const used = evaluatorOf(plural, '', find).usage(object, now);
  return Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
}

const container = (requests: JsonObject, limits: JsonObject = {}, name = 'c'): JsonObject => ({
  name,
  resources: { requests, limits },
});

describe('objects of any kind', () => {
  it('count by resource and group', () => {
    expect(usage('podtemplates', {})).toEqual({ 'count/podtemplates': '1' });
    const deployments = evaluatorOf('deployments', 'apps');
    expect([...deployments.usage({}, now).keys()]).toEqual(['count/deployments.apps']);
    expect([...evaluatorOf('widgets', 'shop.example.com').usage({}, now).keys()]).toEqual([
      'count/widgets.shop.example.com',
    ]);
    expect(deployments.covers('count/deployments.apps')).toBe(true);
    expect(deployments.covers('count/deployments')).toBe(false);
    expect(deployments.chargesUpdates).toBe(false);
  });

  it.each(['secrets', 'configmaps', 'replicationcontrollers', 'resourcequotas'])('count as %s too', (plural) => {
    expect(usage(plural, {})).toEqual({ [`count/${plural}`]: '1', [plural]: '1' });
    expect(evaluatorOf(plural, 'example.com').covers(plural)).toBe(false);
  });

  it('do not count if their number is unlimited, or if they are never stored', () => {
    expect(evaluators('', 'events')).toBeUndefined();
    expect(evaluators('events.k8s.io', 'events')).toBeUndefined();
    expect(evaluators('', 'bindings')).toBeUndefined();
    expect(evaluators('authorization.k8s.io', 'localsubjectaccessreviews')).toBeUndefined();
    expect(defineEvaluators(platformNaming)('events.platform.io', 'events')).toBeUndefined();
    expect(evaluators('example.com', 'events')).toBeDefined();
  });
});

describe('services', () => {
  const ports = [{ port: 1 }, { port: 2, nodePort: 30000 }];
  it.each([
    [{ ports }, '0', '0'],
    [{ type: 'ExternalName' }, '0', '0'],
    [{ type: 'NodePort', ports }, '0', '2'],
    [{ type: 'LoadBalancer', ports }, '1', '2'],
    [{ type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false }, '1', '1'],
  ])('of %j count load balancers and node ports', (spec, balancers, nodePorts) => {
    expect(usage('services', { spec })).toEqual({
      'count/services': '1',
      services: '1',
      'services.loadbalancers': balancers,
      'services.nodeports': nodePorts,
    });
  });

  it('may cost more after an update', () => expect(evaluatorOf('services').chargesUpdates).toBe(true));
});

describe('claims', () => {
  const spec = { resources: { requests: { storage: '1500m' } } };
  it('count whole bytes', () => {
    expect(usage('persistentvolumeclaims', { spec })).toEqual({
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '2',
    });
  });

  it.each([
    ['k8s.io', 'kubernetes.io', evaluators],
    ['platform.io', 'platform.io', defineEvaluators(platformNaming)],
  ])('count by storage class, under the names of %s', (domain, annotations, find) => {
    const byClass = (name: string) => ({
      [`${name}.storageclass.storage.${domain}/persistentvolumeclaims`]: '1',
      [`${name}.storageclass.storage.${domain}/requests.storage`]: '2',
    });
    const gold = { ...spec, storageClassName: 'gold' };
    expect(usage('persistentvolumeclaims', { spec: gold }, find)).toMatchObject(byClass('gold'));
    const metadata = { annotations: { [`volume.beta.${annotations}/storage-class`]: 'old' } };
    expect(usage('persistentvolumeclaims', { metadata, spec: gold }, find)).toMatchObject(byClass('old'));
    const claims = evaluatorOf('persistentvolumeclaims', '', find);
    expect(claims.covers(`any.storageclass.storage.${domain}/requests.storage`)).toBe(true);
    expect(claims.covers('any.storageclass.storage.example.com/requests.storage')).toBe(false);
  });

  it('use their allocation if they request less', () => {
    const status = { allocatedResources: { storage: '5Gi' } };
    expect(usage('persistentvolumeclaims', { spec, status })).toMatchObject({ 'requests.storage': '5Gi' });
    expect(
      usage('persistentvolumeclaims', { spec: { resources: { requests: { storage: '9Gi' } } }, status }),
    ).toMatchObject({ 'requests.storage': '9Gi' });
  });
});

describe('pods', () => {
  it('use the sum of their containers, or the largest init container, and their overhead', () => {
    const spec = {
      containers: [
        container({ cpu: '100m', memory: '1Gi', 'ephemeral-storage': '1Gi' }, { cpu: '1' }),
        container({ cpu: '200m' }, { memory: '2Gi', 'ephemeral-storage': '3Gi' }),
      ],
      initContainers: [container({ cpu: '250m', memory: '3Gi' }), container({ cpu: '300m' }, { cpu: '3' })],
      overhead: { cpu: '10m', memory: '1Mi' },
    };
    expect(usage('pods', { spec })).toEqual({
      'count/pods': '1',
      pods: '1',
      cpu: '310m',
      'requests.cpu': '310m',
      'limits.cpu': '3010m',
      memory: '3073Mi',
      'requests.memory': '3073Mi',
      'limits.memory': '2049Mi',
      'ephemeral-storage': '1Gi',
      'requests.ephemeral-storage': '1Gi',
      'limits.ephemeral-storage': '3Gi',
    });
  });

  it('have only the limits of their containers', () => {
    const spec = { containers: [container({})], overhead: { cpu: '10m' } };
    expect(usage('pods', { spec })).toEqual({ 'count/pods': '1', pods: '1', cpu: '10m', 'requests.cpu': '10m' });
  });

  it('use large pages and resources of users', () => {
    const spec = {
      containers: [container({ 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2', 'kubernetes.io/x': '1' })],
    };
    expect(usage('pods', { spec })).toEqual({
      'count/pods': '1',
      pods: '1',
      'hugepages-2Mi': '4Mi',
      'requests.hugepages-2Mi': '4Mi',
      'requests.example.com/gpu': '2',
    });
    const pods = evaluatorOf('pods');
    for (const name of ['hugepages-1Gi', 'requests.hugepages-1Gi', 'requests.example.com/gpu']) {
      expect([name, pods.covers(name)]).toEqual([name, true]);
    }
    for (const name of ['services', 'limits.example.com/gpu', 'requests.storage', 'example.com/gpu']) {
      expect([name, pods.covers(name)]).toEqual([name, false]);
    }
  });

  it.each([
    [{ phase: 'Succeeded' }, {}],
    [{ phase: 'Failed' }, {}],
    [{ phase: 'Running' }, { deletionTimestamp: '2025-12-31T23:59:00Z', deletionGracePeriodSeconds: 30 }],
  ])('that have ended, by %j and %j, count only as objects', (status, metadata) => {
    const spec = { containers: [container({ cpu: '1' })] };
    expect(usage('pods', { metadata, spec, status })).toEqual({ 'count/pods': '1' });
  });

  it('that are ending still count', () => {
    const metadata = { deletionTimestamp: '2025-12-31T23:59:50Z', deletionGracePeriodSeconds: 30 };
    expect(usage('pods', { metadata })).toEqual({ 'count/pods': '1', pods: '1' });
  });

  it('use their allocation while they shrink', () => {
    const spec = { containers: [container({ cpu: '1' })] };
    const containerStatuses = [{ name: 'c', allocatedResources: { cpu: '2' } }];
    expect(usage('pods', { spec, status: { containerStatuses } })).toMatchObject({ cpu: '2' });
    const grown = { containers: [container({ cpu: '3' })] };
    expect(usage('pods', { spec: grown, status: { containerStatuses } })).toMatchObject({ cpu: '3' });
    const infeasible = { containerStatuses, resize: 'Infeasible' };
    expect(usage('pods', { spec: grown, status: infeasible })).toMatchObject({ cpu: '2' });
  });

  it('cost more after an update if they can be resized', () => {
    expect(evaluatorOf('pods').chargesUpdates).toBe(false);
    const resizing = defineEvaluators(kubernetesNaming, { podsResize: true });
    expect(evaluatorOf('pods', '', resizing).chargesUpdates).toBe(true);
  });

  it('must have amounts of processors and memory', () => {
    const spec = { containers: [container({ cpu: '1' }, {}, 'b'), container({}, {}, 'a')], initContainers: [] };
    const unsaid = (...names: string[]) => Object.fromEntries(evaluatorOf('pods').unsaid({ spec }, names));
    expect(unsaid('requests.cpu', 'limits.memory', 'pods', 'requests.ephemeral-storage')).toEqual({
      'limits.memory': ['a', 'b'],
      'requests.cpu': ['a'],
    });
    expect(unsaid('pods', 'requests.example.com/gpu')).toEqual({});
  });
});

describe('scopes of pods', () => {
  const limited = container({}, { memory: '1' });
  const across = { labelSelector: {}, namespaceSelector: {} };
  const plain = { labelSelector: {} };
  it.each<[string, JsonObject, boolean]>([
    ['Terminating', { activeDeadlineSeconds: 0 }, true],
    ['Terminating', {}, false],
    ['NotTerminating', { activeDeadlineSeconds: 5 }, false],
    ['NotTerminating', {}, true],
    ['BestEffort', { containers: [container({})] }, true],
    ['BestEffort', { containers: [container({ cpu: '0', 'example.com/gpu': '1' })] }, true],
    ['BestEffort', { containers: [container({})], initContainers: [limited] }, false],
    ['NotBestEffort', { containers: [limited] }, true],
    ['NotBestEffort', { containers: [container({})] }, false],
    ['CrossNamespacePodAffinity', {}, false],
    [
      'CrossNamespacePodAffinity',
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [plain] } } },
      false,
    ],
    [
      'CrossNamespacePodAffinity',
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [plain, across] } } },
      true,
    ],
    [
      'CrossNamespacePodAffinity',
      {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { namespaces: ['other'] } }],
          },
        },
      },
      true,
    ],
    ['SomethingElse', {}, false],
  ])('%s of %j: %s', (scopeName, spec, expected) => {
    const condition = { scopeName, operator: 'Exists', values: [] };
    expect(evaluatorOf('pods').inScope({ spec }, condition)).toBe(expected);
  });

  it.each([
    ['In', 'high', true],
    ['In', 'low', false],
    ['In', '', false],
    ['NotIn', 'high', false],
    ['NotIn', 'low', true],
    ['NotIn', '', true],
    ['Exists', 'low', true],
    ['Exists', '', false],
    ['DoesNotExist', 'low', false],
    ['DoesNotExist', '', true],
    ['Sometimes', 'high', false],
  ])('PriorityClass %s of "%s": %s', (operator, priorityClassName, expected) => {
    const condition = { scopeName: 'PriorityClass', operator, values: ['high'] };
    expect(evaluatorOf('pods').inScope({ spec: { priorityClassName } }, condition)).toBe(expected);
  });

  it('are of pods only', () => {
    const condition = { scopeName: 'NotTerminating', operator: 'Exists', values: [] };
    expect(evaluatorOf('services').inScope({}, condition)).toBe(false);
  });
});
