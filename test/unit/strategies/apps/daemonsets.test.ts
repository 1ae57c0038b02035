import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineDaemonSets } from '../../../../strategies/apps/daemonsets.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { errorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineDaemonSets(servingOf(platformNaming));
const counter = 'deprecated.daemonset.template.generation';

const daemons = (spec: JsonObject = {}, count = '1', status: JsonObject = {}): ApiObject =>
  storedLike(handlers, { spec, status }, { annotations: { [counter]: count } });

it('replaces the pod of one node at a time by default', () => {
  const object = daemons({ updateStrategy: { type: 'RollingUpdate' } });
  handlers.canonicalize?.(object);
  expect(objectAt(object, 'spec')?.updateStrategy).toEqual({
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
  });
});

describe('the count of templates', () => {
  const countOf = ({ metadata }: ApiObject): string | undefined => metadata.annotations?.[counter];

  it.each([
    ['', '1'],
    ['0', '1'],
    ['7', '7'],
    ['x', '1'],
  ])('begins with %j at %s', (given, expected) => {
    const object = daemons({}, given);
    handlers.canonicalize?.(object);
    handlers.prepareForCreate?.(object, contextOf());
    expect(countOf(object)).toBe(expected);
  });

  it('increases with each change of the template, whatever the writer sends', () => {
    const same = daemons({ minReadySeconds: 4 }, '9');
    handlers.prepareForUpdate?.(same, daemons({}, '3'), contextOf());
    expect(countOf(same)).toBe('3');
    const changed = daemons({ template: podTemplate({ hostPID: true }) }, '9');
    handlers.prepareForUpdate?.(changed, daemons({}, '3'), contextOf());
    expect(countOf(changed)).toBe('4');
  });
});

describe('rules of a DaemonSet', () => {
  const path = 'spec.updateStrategy.rollingUpdate';
  it.each<[JsonValue, JsonValue, readonly string[]]>([
    [1, 0, []],
    [0, '10%', []],
    [0, '0%', [`${path}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`]],
    [
      1,
      1,
      [
        `${path}.maxSurge: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero`,
      ],
    ],
    [
      '200%',
      0,
      [
        `${path}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"200%"}: must not be greater than 100%`,
      ],
    ],
  ])('check %j unavailable and %j more pods', (maxUnavailable, maxSurge, expected) => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } };
    expect(errorsOf(handlers, daemons({ updateStrategy }))).toEqual(expected);
  });

  it('require a selector that selects something', () =>
    expect(errorsOf(handlers, daemons({ selector: {} })).join()).toContain('empty selector is invalid for daemonset'));

  it('refuse counts below zero', () =>
    expect(errorsOf(handlers, daemons({}, '1', { numberReady: -1 }), 'status')).toEqual([
      'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
    ]));
});

it.each([
  ['Desired', 3],
  ['Current', 0],
  ['Node Selector', 'a=1,b=2'],
  ['Selector', 'app=a'],
])('shows %s as %j', (column, expected) => {
  const template = podTemplate({ nodeSelector: { b: '2', a: '1' } });
  expect(handlers.columns?.[column]?.(daemons({ template }, '1', { desiredNumberScheduled: 3 }), 0)).toBe(expected);
});
