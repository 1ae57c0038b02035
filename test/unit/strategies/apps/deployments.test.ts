import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineDeployments } from '../../../../strategies/apps/deployments.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { changeErrorsOf, errorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineDeployments(servingOf(platformNaming));
const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };

const deployment = (spec: JsonObject = {}, status: JsonObject = {}, name = 'd'): ApiObject =>
  storedLike(handlers, { spec, status }, { name });

it.each<[JsonObject, JsonObject]>([
  [{ type: 'RollingUpdate' }, rolling],
  [
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 3 } },
  ],
  [{ type: 'Recreate' }, { type: 'Recreate' }],
])('completes %j', (given, expected) => {
  const object = deployment({ strategy: { ...given } });
  handlers.canonicalize?.(object);
  expect(object.spec).toMatchObject({ strategy: expected });
  expect(object.spec).toHaveProperty('strategy', expected);
});

const rollingPath = 'spec.strategy.rollingUpdate';
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

describe('rules of a Deployment', () => {
  it('report only the selector if it is malformed', () => {
    const selector = { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'b', operator: 'Near' }] };
    const problems = errorsOf(handlers, deployment({ selector, template: { spec: {} } }));
    expect(problems.map((problem) => problem.replace(/v1\.LabelSelector\{.*\}:/, '…:'))).toEqual([
      'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
      'spec.selector: Invalid value: …: invalid label selector',
    ]);
  });

  it.each<[JsonObject, readonly string[]]>([
    [
      { selector: { matchLabels: { app: 'b' } } },
      [
        'spec.template.metadata.labels: Invalid value: map[string]string{"app":"a"}: `selector` does not match template `labels`',
      ],
    ],
    [
      { selector: {} },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment',
      ],
    ],
    [
      { template: podTemplate({ restartPolicy: 'Never' }) },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      { template: podTemplate({ activeDeadlineSeconds: 5 }) },
      ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'],
    ],
    [
      { strategy: { ...rolling, type: 'Recreate' } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } },
      [
        `${rollingPath}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"0%"}: ` +
          'may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '101%', maxSurge: 'many' } } },
      [
        `${rollingPath}.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"many"}: ${percent}`,
        `${rollingPath}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`,
      ],
    ],
    [
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '2', maxSurge: 0 } } },
      [`${rollingPath}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"2"}: ${percent}`],
    ],
    [
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: -1, maxSurge: 1 } } },
      [`${rollingPath}.maxUnavailable: Invalid value: -1: must be greater than or equal to 0`],
    ],
    [
      { minReadySeconds: 600 },
      ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
    ],
    [{ minReadySeconds: 599, strategy: { type: 'Recreate' } }, []],
  ])('%j', (spec, expected) => expect(errorsOf(handlers, deployment(spec))).toEqual(expected));

  it('allow several pods to read a disk, or one to write it', () => {
    const template = podTemplate({ volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'p' } }] });
    const field = 'spec.template.spec.volumes[0].gcePersistentDisk.readOnly';
    expect(errorsOf(handlers, deployment({ template, replicas: 1 })).join()).not.toContain(field);
    expect(errorsOf(handlers, deployment({ template })).join()).toContain(field);
  });
});

describe('the status of a Deployment', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 1 }, []],
    [
      { replicas: 1, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 2 },
      [
        'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
      ],
    ],
    [
      { unavailableReplicas: -1, terminatingReplicas: -2 },
      [
        'status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0',
        'status.terminatingReplicas: Invalid value: -2: must be greater than or equal to 0',
      ],
    ],
  ])('%j', (status, expected) =>
    expect(errorsOf(handlers, deployment({ selector: {} }, status), 'status')).toEqual(expected),
  );

  it('never decreases collisions, and does not change labels', () => {
    const old = deployment({}, { collisionCount: 2 });
    const object = deployment({}, { collisionCount: 1 });
    expect(changeErrorsOf(handlers, object, old, 'status')).toEqual([
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ]);
    object.metadata.labels = { a: 'b' };
    handlers.prepareForUpdate?.(object, old, contextOf({ subresource: 'status' }));
    expect(object.metadata.labels).toBeUndefined();
  });
});

it('keeps its selector', () => {
  const changed = deployment({ selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] } });
  expect(changeErrorsOf(handlers, changed, deployment())).toEqual([
    'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), ' +
      'MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"app", Operator:"In", ' +
      'Values:[]string{"a"}}}}: field is immutable',
  ]);
});

it('warns about a name that is not a host name when it is created', () => {
  const object = deployment({}, {}, 'a.b');
  expect(handlers.warn?.(object, undefined).join()).toContain('a DNS label is recommended');
  expect(handlers.warn?.(object, object)).toEqual([]);
});

it.each([
  ['Ready', '1/2'],
  ['Up-to-date', 2],
  ['Available', 0],
  ['Containers', 'c'],
  ['Images', 'i'],
  ['Selector', 'app=a'],
  ['Age', undefined],
])('shows %s as %j', (column, expected) =>
  expect(handlers.columns?.[column]?.(deployment({}, { readyReplicas: 1, updatedReplicas: 2 }), 0)).toBe(expected),
);
