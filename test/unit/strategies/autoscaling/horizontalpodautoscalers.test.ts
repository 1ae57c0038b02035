import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineHorizontalPodAutoscalers } from '../../../../strategies/autoscaling/horizontalpodautoscalers.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { errorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedLike } from '../../../support/stored-objects.js';

const handlers = defineHorizontalPodAutoscalers(servingOf(platformNaming));
const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } };

const autoscaler = (spec: JsonObject = {}, status: JsonObject = {}): ApiObject =>
  storedLike(handlers, { spec, status });

describe('defaults of an autoscaler', () => {
  const completed = (spec: JsonObject) => {
    const object = autoscaler(spec);
    handlers.canonicalize?.(object);
    return objectAt(object, 'spec');
  };

  it('are one metric for the processor time', () =>
    expect(completed({ metrics: undefined })?.metrics).toEqual([{ type: 'Resource', resource: cpu }]));

  it('are rules for both directions, if there is a behavior', () => {
    expect(completed({})).not.toHaveProperty('behavior');
    expect(completed({ behavior: { scaleDown: { selectPolicy: 'Disabled' } } })?.behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: { selectPolicy: 'Disabled', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
    });
  });
});

const metric = (target: JsonObject): JsonObject => ({ metric: { name: 'm' }, target: { type: 'Value', ...target } });

describe('rules of an autoscaler', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ minReplicas: 4 }, ['spec.maxReplicas']],
    [{ scaleTargetRef: { kind: 'A/B', name: '' } }, ['spec.scaleTargetRef.kind', 'spec.scaleTargetRef.name']],
    [{ metrics: [{ type: 'Resource' }] }, ['spec.metrics[0].resource']],
    [{ metrics: [{ type: 'Resource', resource: cpu, pods: metric({ averageValue: '1' }) }] }, ['spec.metrics[0].pods']],
    [{ metrics: [{ type: 'External', external: metric({ value: '1' }) }] }, []],
    [{ metrics: [{ type: 'External', external: metric({}) }] }, ['spec.metrics[0].external.target.averageValue']],
    [
      { metrics: [{ type: 'External', external: metric({ value: '1', averageValue: '-1' }) }] },
      ['spec.metrics[0].external.target.averageValue', 'spec.metrics[0].external.target.value'],
    ],
    [{ metrics: [{ type: 'Pods', pods: metric({ averageValue: '10m' }) }] }, []],
    [{ metrics: [{ type: 'Pods', pods: metric({ value: '1' }) }] }, ['spec.metrics[0].pods.target.averageValue']],
    [
      { metrics: [{ type: 'Object', object: { ...metric({ value: '1' }), describedObject: { kind: 'K' } } }] },
      ['spec.metrics[0].object.describedObject.name'],
    ],
    [
      { metrics: [{ type: 'ContainerResource', containerResource: cpu }] },
      ['spec.metrics[0].containerResource.container'],
    ],
    [
      { metrics: [{ type: 'Resource', resource: { name: '', target: { type: 'Some', averageUtilization: 0 } } }] },
      [
        'spec.metrics[0].resource.name',
        'spec.metrics[0].resource.target.type',
        'spec.metrics[0].resource.target.averageUtilization',
      ],
    ],
    [{ behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1800 }] } } }, []],
    [
      { behavior: { scaleUp: { stabilizationWindowSeconds: 3601, selectPolicy: 'Any', policies: [] } } },
      ['stabilizationWindowSeconds', 'selectPolicy', 'policies'].map((field) => `spec.behavior.scaleUp.${field}`),
    ],
    [
      { behavior: { scaleDown: { policies: [{ type: 'All', value: 0, periodSeconds: 1801 }] } } },
      ['type', 'value', 'periodSeconds'].map((field) => `spec.behavior.scaleDown.policies[0].${field}`),
    ],
  ])('%j', (spec, fields) =>
    expect(errorsOf(handlers, autoscaler(spec)).map((problem) => problem.split(':', 1)[0])).toEqual(fields),
  );

  it('allow zero replicas only behind a gate, or if they were allowed before', () => {
    const off = contextOf({ featureEnabled: () => false });
    const external = [{ type: 'External', external: metric({ value: '1' }) }];
    const object = autoscaler({ minReplicas: 0, metrics: external });
    expect(errorsOf(handlers, autoscaler({ minReplicas: 0 }))).toHaveLength(1);
    expect(errorsOf(handlers, object)).toEqual([]);
    expect(handlers.validateCreate?.(object, off)).toHaveLength(1);
    expect(handlers.validateCreate?.(object, contextOf())).toEqual([]);
    expect(handlers.validateUpdate?.(object, autoscaler(), off)).toHaveLength(1);
    expect(handlers.validateUpdate?.(object, object, off)).toEqual([]);
  });
});

describe('cells of an autoscaler', () => {
  const targets = (spec: JsonObject, status: JsonObject = {}) =>
    handlers.columns?.Targets?.(autoscaler(spec, status), 0);
  const external = (target: JsonObject): JsonObject => ({ type: 'External', external: metric(target) });
  const current = (value: JsonObject): JsonObject => ({ type: 'External', external: { current: value } });

  it.each<[JsonObject, JsonObject, string]>([
    [{}, {}, '<unknown>/80%'],
    [{}, { currentMetrics: [{ resource: { current: { averageUtilization: 7 } } }] }, '7%/80%'],
    [{ metrics: [] }, {}, '<none>'],
    [{ metrics: [external({ value: '2k' })] }, { currentMetrics: [current({ value: '5' })] }, '5/2k'],
    [{ metrics: [external({ averageValue: '2k' })] }, {}, '<unknown>/2k (avg)'],
    [
      { metrics: [1, 2, 3, 4].map((value) => external({ value: String(value) })) },
      {},
      '<unknown>/1, <unknown>/2 + 2 more...',
    ],
  ])('%j, %j: %s', (spec, status, text) => expect(targets(spec, status)).toBe(text));

  it.each([
    ['Reference', 'Deployment/d'],
    ['MinPods', '1'],
    ['MaxPods', 3],
    ['Replicas', 0],
  ])('show %s as %j', (column, expected) => expect(handlers.columns?.[column]?.(autoscaler(), 0)).toBe(expected));
});
