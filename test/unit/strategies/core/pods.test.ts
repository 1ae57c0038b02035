import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { isArray, objectAt } from '../../../../runtime/objects/guards.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { definePods } from '../../../../strategies/core/pods.js';
import { changeErrorsOf, errorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { container, handlers, pod } from './pod-objects.js';

const columns = ['Ready', 'Status', 'Restarts', 'IP', 'Node', 'Nominated Node', 'Readiness Gates'];

/** Returns the spec with the strategy's defaults. */
function filledIn(spec: JsonObject): JsonObject {
  const object = pod(spec);
  handlers.canonicalize?.(object);
  return objectAt(object, 'spec') ?? {};
}

const first = (spec: JsonObject, list: string): JsonObject => {
  const items = spec[list];
  return objectAt({ first: isArray(items) ? items[0] : undefined }, 'first') ?? {};
};

describe('the generation of a pod', () => {
  it('counts changes of the spec from release 1.33 on, and not before', () => {
    const generations = (version: '1.32' | '1.33'): readonly unknown[] => {
      const { prepareForCreate, prepareForUpdate } = definePods(platformNaming, emulate(version));
      const made = pod({ containers: [container()] });
      prepareForCreate?.(made, contextOf());
      const same = structuredClone(made);
      prepareForUpdate?.(same, made, contextOf());
      const changed = structuredClone({ ...made, spec: { containers: [container({ image: 'image:2' })] } });
      prepareForUpdate?.(changed, made, contextOf());
      return [made, same, changed].map(({ metadata }) => metadata.generation);
    };
    expect(generations('1.33')).toEqual([1, 1, 2]);
    expect(generations('1.32')).toEqual([undefined, undefined, undefined]);
  });
});

describe('defaults of a pod', () => {
  it.each([
    ['image', 'Always'],
    ['image:latest', 'Always'],
    ['image:1', 'IfNotPresent'],
    ['image@sha256:0123', 'IfNotPresent'],
    ['image:latest@sha256:0123', 'Always'],
    ['example.com:5000/image', 'Always'],
    ['example.com:5000/image:1', 'IfNotPresent'],
    ['NoImage', 'IfNotPresent'],
    ['', 'IfNotPresent'],
  ])('fetch %s %s', (image, policy) => {
    const spec = filledIn({ containers: [container({ image, imagePullPolicy: undefined })] });
    expect(first(spec, 'containers').imagePullPolicy).toBe(policy);
  });

  it('request the amounts that are limited', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } };
    const spec = filledIn({ containers: [container({ resources })] });
    expect(first(spec, 'containers').resources).toEqual({
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '500m', memory: '1Gi' },
    });
  });

  it('round amounts up to a thousandth', () => {
    const spec = filledIn({ containers: [container({ resources: { requests: { cpu: '1u' } } })] });
    expect(first(spec, 'containers').resources).toEqual({ requests: { cpu: '1m' } });
  });

  it('copy ports to the node in the node network, and make volumes empty directories', () => {
    const spec = filledIn({
      hostNetwork: true,
      containers: [container({ ports: [{ containerPort: 8, protocol: 'TCP' }] })],
      volumes: [{ name: 'v' }],
      serviceAccount: 'robot',
    });
    expect(first(spec, 'containers').ports).toEqual([{ containerPort: 8, hostPort: 8, protocol: 'TCP' }]);
    expect(spec.volumes).toEqual([{ name: 'v', emptyDir: {} }]);
    expect(spec.serviceAccountName).toBe('robot');
  });
});

describe('a new pod', () => {
  const begun = (spec: JsonObject): JsonObject | undefined => {
    const object = pod(spec, { phase: 'Running', podIP: '10.0.0.1' });
    handlers.prepareForCreate?.(object, contextOf());
    return objectAt(object, 'status');
  };
  const limited = (limits: JsonObject, requests: JsonObject): JsonObject => ({
    containers: [container({ resources: { limits, requests } })],
  });

  it('gets its status from the server', () => expect(begun({})).toEqual({ phase: 'Pending', qosClass: 'BestEffort' }));

  it.each([
    [limited({ cpu: '1', memory: '1' }, { cpu: '1000m', memory: '1' }), 'Guaranteed'],
    [limited({ cpu: '1' }, { cpu: '1' }), 'Burstable'],
    [limited({ cpu: '1', memory: '2' }, { cpu: '1', memory: '1' }), 'Burstable'],
    [limited({ cpu: '1', memory: '1' }, {}), 'Burstable'],
    [limited({ 'example.com/gpu': '1' }, {}), 'BestEffort'],
    [limited({ cpu: '0' }, {}), 'BestEffort'],
  ])('gets the class of its resources: %j', (spec, qosClass) => expect(begun(spec)?.qosClass).toBe(qosClass));

  it('has a condition while gates are closed', () =>
    expect(begun({ schedulingGates: [{ name: 'a' }] })?.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
    ]));

  it('has no ephemeral containers, and no node while gates are closed', () => {
    const spec = { ephemeralContainers: [container({ name: 'e' })], nodeName: 'n', schedulingGates: [{ name: 'a' }] };
    const object = pod(spec, {}, { resourceVersion: undefined });
    expect(errorsOf(handlers, object)).toEqual([
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ]);
  });
});

/** Lists the refusals of a change: the first line of each message. */
function changeErrors(spec: JsonObject, old: JsonObject, subresource = ''): string[] {
  const errors = handlers.validateUpdate?.(pod(spec), pod(old), contextOf({ subresource })) ?? [];
  return errors.map((error) => fieldErrorText(error).split('\n')[0] ?? '');
}

const others = expect.stringMatching(/^spec: Forbidden: pod updates may not change fields other than/);
const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };

describe('a change of a pod', () => {
  it.each<readonly [what: string, spec: JsonObject, old: JsonObject]>([
    ['of an image', { containers: [container({ image: 'image:2' })] }, {}],
    ['of nothing about the deadline', { activeDeadlineSeconds: 6 }, { activeDeadlineSeconds: 6 }],
    ['of the deadline to an earlier one', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 6 }],
    [
      'that adds tolerations',
      { tolerations: [toleration, { key: 'b', operator: 'Exists' }] },
      { tolerations: [toleration] },
    ],
    [
      'of how long a toleration holds',
      { tolerations: [{ ...toleration, tolerationSeconds: 5 }] },
      { tolerations: [toleration] },
    ],
    ['that opens a gate', { schedulingGates: [{ name: 'a' }] }, { schedulingGates: [{ name: 'a' }, { name: 'b' }] }],
    ['of a time that made no sense', { terminationGracePeriodSeconds: 1 }, { terminationGracePeriodSeconds: -1 }],
    [
      'that leaves fewer nodes while it waits',
      { schedulingGates: [{ name: 'a' }], nodeSelector: { a: 'b', c: 'd' } },
      { schedulingGates: [{ name: 'a' }], nodeSelector: { a: 'b' } },
    ],
  ])('is allowed %s', (_what, spec, old) => expect(changeErrors(spec, old)).toEqual([]));

  it.each<readonly [what: string, spec: JsonObject, old: JsonObject, errors: readonly unknown[]]>([
    ['of a command', { containers: [container({ command: ['x'] })] }, {}, [others]],
    ['of a priority', { priority: 5 }, {}, [others]],
    ['of those who look into it', { ephemeralContainers: [container({ name: 'e' })] }, {}, [others]],
    [
      'of the number of containers',
      { containers: [container(), container({ name: 'd' })] },
      {},
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    [
      'of the deadline to a later one',
      { activeDeadlineSeconds: 7 },
      { activeDeadlineSeconds: 6 },
      ['spec.activeDeadlineSeconds: Invalid value: 7: must be less than or equal to previous value'],
    ],
    [
      'that takes the deadline away',
      {},
      { activeDeadlineSeconds: 6 },
      ['spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value'],
    ],
    [
      'that takes tolerations away',
      {},
      { tolerations: [toleration] },
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    [
      'that adds a gate',
      { schedulingGates: [{ name: 'a' }] },
      {},
      ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'"],
    ],
    ['of nodes once it does not wait', { nodeSelector: { a: 'b' } }, {}, [others]],
  ])('is refused %s', (_what, spec, old, errors) => expect(changeErrors(spec, old)).toEqual(errors));

  it('is reported with its path and both values', () => {
    const errors = handlers.validateUpdate?.(pod({ priority: 5 }), pod({ priority: 4 }), contextOf()) ?? [];
    expect(errors[0]?.message).toContain('\n- spec.priority: 4\n+ spec.priority: 5\n');
  });
});

describe('ephemeral containers of a pod', () => {
  const looking = (...names: string[]): JsonObject => ({
    ephemeralContainers: names.map((name) => container({ name })),
  });
  const path = 'ephemeralcontainers';

  it('come in any order, and cannot be removed or changed', () => {
    expect(changeErrors(looking('b', 'a'), looking('a'), path)).toEqual([]);
    expect(changeErrors(looking('b'), looking('a'), path)).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "a" may not be removed',
    ]);
    const changed = { ephemeralContainers: [container({ name: 'a', image: 'other:1' })] };
    expect(changeErrors(changed, looking('a'), path)).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "a" may not be changed',
    ]);
  });
});

describe('a deleted pod', () => {
  const onNode = (more: JsonObject = {}, status: JsonObject = {}): ApiObject => pod({ nodeName: 'n', ...more }, status);

  it('has its own grace period, or the request’s', () => {
    expect(handlers.gracePeriod?.(onNode(), undefined)).toBe(30);
    expect(handlers.gracePeriod?.(onNode(), 5)).toBe(5);
    expect(handlers.gracePeriod?.(onNode({ terminationGracePeriodSeconds: -5 }), undefined)).toBe(1);
  });

  it('is removed at once if no node runs it or it has ended', () => {
    expect(handlers.gracePeriod?.(pod(), 600)).toBe(0);
    expect(handlers.gracePeriod?.(onNode({}, { phase: 'Failed' }), 600)).toBe(0);
    expect(handlers.gracePeriod?.(onNode({}, { phase: 'Succeeded' }), undefined)).toBe(0);
  });

  it('is removed when its grace period is over', () => {
    expect(handlers.mayRemove?.(pod({}, {}, { deletionGracePeriodSeconds: 30 }))).toBe(false);
    expect(handlers.mayRemove?.(pod({}, {}, { deletionGracePeriodSeconds: 0 }))).toBe(true);
  });
});

const now = Date.parse('2024-01-01T01:00:00Z');
const state = (kind: string, more: JsonObject = {}, others: JsonObject = {}): JsonObject => ({
  name: 'c',
  state: { [kind]: more },
  restartCount: 0,
  ...others,
});

describe('fields that pods are selected by', () => {
  it.each([
    ['spec.host', 'n'],
    ['status.podIP', '10.0.0.1'],
    ['status.podIPs', ''],
    ['status.phase', undefined],
  ])('%s', (path, value) => {
    const object = pod({ nodeName: 'n' }, { podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] });
    expect(handlers.selectableFields?.[path]?.(object)).toBe(value);
  });
});

describe('cells of a pod', () => {
  const cell = (object: ApiObject, column: string): unknown => handlers.columns?.[column]?.(object, now);

  it.each<readonly [status: JsonObject, text: string]>([
    [{ phase: 'Pending' }, 'Pending'],
    [{ phase: 'Failed', reason: 'Evicted' }, 'Evicted'],
    [{ phase: 'Running', containerStatuses: [state('running', {}, { ready: true })] }, 'Running'],
    [{ containerStatuses: [state('waiting', { reason: 'CrashLoopBackOff' })] }, 'CrashLoopBackOff'],
    [{ containerStatuses: [state('terminated', { reason: 'Completed', exitCode: 0 })] }, 'Completed'],
    [{ containerStatuses: [state('terminated', { exitCode: 3 })] }, 'ExitCode:3'],
    [{ containerStatuses: [state('terminated', { exitCode: 3, signal: 9 })] }, 'Signal:9'],
    [
      {
        containerStatuses: [
          state('terminated', { reason: 'Completed', exitCode: 0 }),
          state('running', {}, { ready: true }),
        ],
      },
      'NotReady',
    ],
    [{ initContainerStatuses: [state('running')] }, 'Init:0/2'],
    [{ initContainerStatuses: [state('terminated', { exitCode: 0 }), state('running')] }, 'Init:1/2'],
    [{ initContainerStatuses: [state('terminated', { exitCode: 7 })] }, 'Init:ExitCode:7'],
    [{ initContainerStatuses: [state('waiting', { reason: 'ImagePullBackOff' })] }, 'Init:ImagePullBackOff'],
    [{ phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] }, 'SchedulingGated'],
  ])('show for %j the state %s', (status, text) => {
    const initContainers = [container({ name: 'i' }), container({ name: 'j' })];
    expect(cell(pod({ initContainers }, status), 'Status')).toBe(text);
  });

  it('show that it is terminating', () => {
    const metadata = { deletionTimestamp: '2024-01-01T00:00:00Z' };
    expect(cell(pod({}, {}, metadata), 'Status')).toBe('Terminating');
    expect(cell(pod({}, { reason: 'NodeLost' }, metadata), 'Status')).toBe('Unknown');
  });

  it('count containers and restarts', () => {
    const lastState = { terminated: { finishedAt: '2024-01-01T00:55:00Z' } };
    const statuses = [state('running', {}, { ready: true, restartCount: 2, lastState }), state('waiting')];
    const object = pod({ containers: [container(), container({ name: 'd' })] }, { containerStatuses: statuses });
    expect(cell(object, 'Ready')).toBe('1/2');
    expect(cell(object, 'Restarts')).toBe('2 (5m ago)');
    expect(cell(pod(), 'Restarts')).toBe('0');
  });

  it('show addresses, nodes and gates', () => {
    const object = pod(
      { nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
      { podIP: '10.0.0.1', nominatedNodeName: 'm', conditions: [{ type: 'a', status: 'True' }] },
    );
    expect(columns.slice(3).map((column) => cell(object, column))).toEqual(['10.0.0.1', 'n', 'm', '1/2']);
    expect(columns.slice(3).map((column) => cell(pod(), column))).toEqual(['<none>', '<none>', '<none>', '<none>']);
  });
});

describe('warnings about a pod', () => {
  const kubernetes = definePods(kubernetesNaming);

  it.each<readonly [spec: JsonObject, warnings: readonly string[]]>([
    [
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [{ volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }, ['spec.volumes[0].gitRepo: deprecated in v1.11']],
    [
      { containers: [container({ resources: { limits: { memory: '1500m' } } })] },
      ['spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer'],
    ],
    [
      { imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] },
      ['spec.imagePullSecrets[1].name: duplicate name "a"', 'spec.imagePullSecrets[2].name: invalid empty name ""'],
    ],
    [{ topologySpreadConstraints: [{ topologyKey: 'a' }] }, []],
  ])('are about %j', (spec, warnings) => {
    expect(kubernetes.warn?.(pod(spec), undefined)).toEqual(warnings);
    expect(kubernetes.warn?.(pod(spec), pod(spec))).toEqual([]);
  });

  it('are limited', () => {
    const imagePullSecrets = Array.from({ length: 1000 }, () => ({}));
    expect(kubernetes.warn?.(pod({ imagePullSecrets }), undefined)).toHaveLength(100);
  });
});

describe('annotations of a pod', () => {
  const annotated = (annotations: JsonObject): ApiObject => pod({}, {}, { annotations });
  const key = 'platform.io/config.mirror';

  it('have rules', () => {
    const errors = handlers.validate?.(
      annotated({
        [key]: 'x',
        'controller.platform.io/pod-deletion-cost': '01',
        'container.apparmor.security.beta.platform.io/d': 'unknown',
      }),
      contextOf(),
    );
    expect(errors?.map(fieldErrorText)).toEqual([
      `metadata.annotations[${key}]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set`,
      'metadata.annotations[controller.platform.io/pod-deletion-cost]: Invalid value: "01": must be a 32bit integer',
      'metadata.annotations[container.apparmor.security.beta.platform.io/d]: Invalid value: "d": container not found',
      'metadata.annotations[container.apparmor.security.beta.platform.io/d]: Invalid value: "unknown": invalid AppArmor profile name: "unknown"',
    ]);
  });

  it.each([
    ['-07', true],
    ['-2147483648', true],
    ['-2147483649', false],
    ['+7', false],
    ['-', false],
    ['', false],
  ])('may set the cost %j: %s', (cost, isAllowed) => {
    const found = handlers.validate?.(annotated({ 'controller.platform.io/pod-deletion-cost': cost }), contextOf());
    expect(found?.length).toBe(isAllowed ? 0 : 1);
  });

  it('from before there were fields are checked like these fields', () => {
    const tolerations = 'scheduler.alpha.platform.io/tolerations';
    const seccomp = 'seccomp.security.alpha.platform.io/pod';
    const fields = (annotations: JsonObject) =>
      handlers.validate?.(annotated(annotations), contextOf()).map(({ field }) => field);
    expect(fields({ [tolerations]: 'x' })).toEqual(['metadata.annotations']);
    expect(fields({ [tolerations]: '[{"key":"a b","operator":"Exists"}]' })).toEqual([
      `metadata.annotations.${tolerations}[0].key`,
    ]);
    expect(fields({ [tolerations]: '[{"operator":"Exists","tolerationSeconds":1,"effect":"NoExecute"}]' })).toEqual([]);
    expect(fields({ [seccomp]: 'x', 'container.seccomp.security.alpha.platform.io/c': 'localhost//x' })).toEqual([
      `metadata.annotations.${seccomp}`,
      'metadata.annotations.container.seccomp.security.alpha.platform.io/c',
    ]);
  });

  it('cannot change if they are permanent for the pod', () => {
    const change = (now: JsonObject, before: JsonObject): readonly string[] =>
      changeErrorsOf(handlers, annotated(now), annotated(before));
    expect(change({ a: 'b' }, {})).toEqual([]);
    expect(change({ [key]: 'x' }, {})).toEqual([
      `metadata.annotations[${key}]: Forbidden: may not add mirror pod annotation`,
      `metadata.annotations[${key}]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set`,
    ]);
    expect(change({}, { [key]: 'x' })).toEqual([
      `metadata.annotations[${key}]: Forbidden: may not remove or update mirror pod annotation`,
    ]);
  });
});
