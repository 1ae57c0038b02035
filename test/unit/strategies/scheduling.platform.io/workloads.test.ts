import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { definePodGroups } from '../../../../strategies/scheduling.platform.io/podgroups.js';
import { defineWorkloads } from '../../../../strategies/scheduling.platform.io/workloads.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const workloads = defineWorkloads();
const gang = { gang: { minCount: 2 } };

const workload = (template: JsonObject, controllerRef?: JsonObject) =>
  objectOf(workloads, {
    spec: {
      ...(controllerRef ? { controllerRef } : {}),
      podGroupTemplates: [{ name: 'workers', schedulingPolicy: gang, ...template }],
    },
  });

describe('a workload', () => {
  it.each<[JsonObject, string[]]>([
    [{}, []],
    [{ schedulingPolicy: { basic: {} } }, []],
    [{ schedulingPolicy: {} }, ['schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`']],
    [
      { schedulingPolicy: { basic: {}, ...gang } },
      [
        'schedulingPolicy: Invalid value: {`basic`, `gang`}: exactly one of `basic`, `gang` is required, but multiple fields are set',
      ],
    ],
    [{ schedulingPolicy: { gang: { minCount: 0 } } }, ['schedulingPolicy.gang.minCount: Required value']],
    [
      { schedulingPolicy: { gang: { minCount: -1 } } },
      ['schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than zero'],
    ],
    [
      { resourceClaims: [{ name: 'gpu', resourceClaimName: 'a', resourceClaimTemplateName: 'b' }] },
      [
        'resourceClaims[0]: Invalid value: "": must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`',
      ],
    ],
  ])('has templates like %j', (template, errors) =>
    expect(errorsOf(workloads, workload(template))).toEqual(errors.map((text) => `spec.podGroupTemplates[0].${text}`)),
  );

  it('keeps its controller', () => {
    const of = (name: string) => workload({}, { apiGroup: 'batch', kind: 'Job', name });
    expect(changeErrorsOf(workloads, of('a'), workload({}))).toEqual([]);
    expect(changeErrorsOf(workloads, of('b'), of('a'))).toEqual([
      expect.stringContaining('spec.controllerRef: Invalid value'),
    ]);
    expect(changeErrorsOf(workloads, workload({}), of('a')).length).toBe(1);
  });
});

it('a group names a template of a workload', () => {
  const groups = definePodGroups();
  const group = (workload: JsonObject) =>
    errorsOf(groups, objectOf(groups, { spec: { podGroupTemplateRef: { workload }, schedulingPolicy: gang } }));
  expect(group({ workloadName: 'train', podGroupTemplateName: 'workers' })).toEqual([]);
  expect(group({ workloadName: 'train', podGroupTemplateName: 'a.b' })).toEqual([
    expect.stringContaining('spec.podGroupTemplateRef.workload.podGroupTemplateName: Invalid value: "a.b"'),
  ]);
});
