import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineJobs } from '../../../../strategies/batch/jobs.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { changeErrorsOf, errorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineJobs(servingOf(platformNaming));

const uidLabel = 'batch.platform.io/controller-uid';
const generated = { 'controller-uid': 'u', 'job-name': 'j', [uidLabel]: 'u', 'batch.platform.io/job-name': 'j' };
const template = (spec: JsonObject = {}, labels: JsonObject = {}): JsonObject =>
  podTemplate({ restartPolicy: 'Never', ...spec }, { ...generated, ...labels });

const job = (spec: JsonObject = {}, status: JsonObject = {}): ApiObject => storedLike(handlers, { spec, status });

it.each<[JsonObject, JsonObject]>([
  [{}, { completions: 1, parallelism: 1 }],
  [{ parallelism: 3 }, { parallelism: 3 }],
  [{ completions: 3 }, { completions: 3, parallelism: 1 }],
])('completes %j', (spec, expected) => {
  const object: ApiObject = { ...job(), metadata: { name: 'j' }, spec: { ...spec, template: podTemplate() } };
  handlers.canonicalize?.(object);
  const { template: _template, ...rest } = objectAt(object, 'spec') ?? {};
  expect(rest).toEqual({ backoffLimit: 6, completionMode: 'NonIndexed', suspend: false, ...expected });
  expect(object.metadata.labels).toEqual({ app: 'a' });
});

describe('labels of a Job', () => {
  it('are given to its pods', () => {
    const object: ApiObject = { ...job(), spec: { template: podTemplate() } };
    handlers.prepareForCreate?.(object, contextOf());
    const spec = objectAt(object, 'spec');
    expect(objectAt(objectAt(spec, 'template'), 'metadata')?.labels).toEqual({ app: 'a', ...generated });
    expect(spec?.selector).toEqual({ matchLabels: { [uidLabel]: 'u' } });
    expect(errorsOf(handlers, { ...object, spec: { ...spec, template: template({}, { app: 'a' }) } })).toEqual([]);
  });

  it.each([[undefined], [{}]])(
    'equal the labels of a job with %j, so that writing it once more changes nothing',
    (labels) => {
      const object: ApiObject = {
        ...job(),
        metadata: { name: 'j', uid: 'u', ...(labels && { labels }) },
        spec: { template: { spec: {} } },
      };
      handlers.canonicalize?.(object);
      handlers.prepareForCreate?.(object, contextOf());
      expect(object.metadata.labels).toEqual(generated);
      const again: ApiObject = { ...object, metadata: { name: 'j', uid: 'u' } };
      handlers.canonicalize?.(again);
      expect(again.metadata.labels).toEqual(object.metadata.labels);
    },
  );

  it('follow the served naming', () => {
    const object: ApiObject = { ...job(), spec: { template: podTemplate() } };
    defineJobs(servingOf(kubernetesNaming)).prepareForCreate?.(object, contextOf());
    expect(objectAt(object, 'spec')?.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } });
  });

  it("are the writer's own if the selector is manual", () => {
    const own = {
      manualSelector: true,
      template: podTemplate({ restartPolicy: 'Never' }),
      selector: { matchLabels: { app: 'a' } },
    };
    const object: ApiObject = { ...job(), spec: own };
    handlers.prepareForCreate?.(object, contextOf());
    expect(object.spec).toEqual(own);
    expect(errorsOf(handlers, object)).toEqual([]);
  });

  it('cannot be other ones', () => {
    expect(errorsOf(handlers, job({ template: template({}, { 'job-name': 'other' }) }))).toEqual([
      'spec.template.metadata.labels[job-name]: Invalid value: "other": must be \'j\'',
    ]);
    expect(errorsOf(handlers, job({ selector: { matchLabels: { app: 'a' } } })).join()).toContain(
      '`selector` not auto-generated',
    );
  });
});

describe('rules of a Job', () => {
  const policyPath = 'spec.podFailurePolicy.rules[0]';
  const policy = (rule: JsonObject): JsonObject => ({ podFailurePolicy: { rules: [{ action: 'Count', ...rule }] } });
  const codes = (values: number[], operator = 'In'): JsonObject => policy({ onExitCodes: { operator, values } });

  it.each<[JsonObject, readonly string[]]>([
    [
      { template: template({ restartPolicy: 'Always' }) },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      { template: template({ restartPolicy: 'Sometimes' }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
        'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"',
      ],
    ],
    [
      { completionMode: 'Indexed', completions: undefined, parallelism: 100_001 },
      [
        'spec.completions: Required value: when completion mode is Indexed',
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
    [codes([1, 2]), []],
    [codes([0], 'NotIn'), []],
    [codes([]), [`${policyPath}.onExitCodes.values: Invalid value: []int32{}: at least one value is required`]],
    [
      codes([0, 3, 3, 1]),
      [
        `${policyPath}.onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator`,
        `${policyPath}.onExitCodes.values[2]: Duplicate value: 3`,
        `${policyPath}.onExitCodes.values: Invalid value: []int32{0, 3, 3, 1}: must be ordered`,
      ],
    ],
    [policy({}), [`${policyPath}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`]],
    [
      policy({ onPodConditions: [{ type: 'A', status: 'Maybe' }] }),
      [
        `${policyPath}.onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"`,
      ],
    ],
    [
      policy({ onExitCodes: { operator: 'In', values: [1], containerName: 'x' } }),
      [
        `${policyPath}.onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template`,
      ],
    ],
    [
      {
        ...policy({ onPodConditions: [{ type: 'A', status: 'True' }] }),
        template: template({ restartPolicy: 'OnFailure' }),
      },
      [
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
    ],
  ])('%j', (spec, expected) => expect(errorsOf(handlers, job(spec))).toEqual(expected));

  it('require a name that its hosts can have', () => {
    const object = job({ completionMode: 'Indexed', completions: 1000 });
    expect(errorsOf(handlers, object)).toEqual([]);
    const named: ApiObject = { ...object, metadata: { ...object.metadata, name: 'j.k' } };
    expect(errorsOf(handlers, named).join()).toContain('will not able to create pod with invalid DNS label: j.k-999');
  });
});

describe('changes of a Job', () => {
  it.each<[JsonObject, JsonObject, readonly string[]]>([
    [{}, { parallelism: 4 }, []],
    [{}, { completions: 4 }, ['spec.completions']],
    [{ completionMode: 'Indexed' }, { completionMode: 'Indexed', completions: 4, parallelism: 4 }, []],
    [{ completionMode: 'Indexed' }, { completionMode: 'Indexed', completions: 4 }, ['spec.completions']],
    [{}, { completionMode: 'Indexed' }, ['spec.completionMode']],
    [{}, { selector: {} }, ['spec.selector']],
    [{}, { template: template({ nodeSelector: { a: 'b' } }) }, ['spec.template']],
    [{ suspend: true }, { template: template({ nodeSelector: { a: 'b' } }, { more: 'labels' }) }, []],
    [{ suspend: true }, { template: template({ affinity: { nodeAffinity: {} } }) }, []],
    [{ suspend: true }, { template: template({ affinity: { podAffinity: {} } }) }, ['spec.template']],
    [{ suspend: true }, { template: template({ hostPID: true }) }, ['spec.template']],
  ])('from %j to %j', (before, after, fields) => {
    const found = changeErrorsOf(handlers, job(after), job(before));
    expect(found.map((problem) => problem.split(':', 1)[0])).toEqual(fields);
  });

  it('are restricted once it has begun', () => {
    const begun = job({ suspend: true }, { startTime: '2024-05-06T07:08:09Z' });
    expect(changeErrorsOf(handlers, job({ template: template({ nodeSelector: { a: 'b' } }) }), begun)).toHaveLength(1);
  });
});

it('lists each uncounted pod once', () => {
  const uncountedTerminatedPods = { succeeded: ['a', ''], failed: ['a', 'b'] };
  expect(errorsOf(handlers, job({}, { uncountedTerminatedPods, active: -1 }), 'status')).toEqual([
    'status.active: Invalid value: -1: must be greater than or equal to 0',
    'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
    'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
  ]);
});

it.each<[JsonObject, JsonObject, string, string]>([
  [{ completions: 3 }, { succeeded: 1 }, 'Completions', '1/3'],
  [{ completions: undefined, parallelism: 2 }, {}, 'Completions', '0/1 of 2'],
  [{ completions: undefined }, {}, 'Completions', '0/1'],
  [{}, {}, 'Duration', ''],
  [{}, { startTime: '2024-05-06T07:00:00Z' }, 'Duration', '90s'],
  [{}, { startTime: '2024-05-06T07:00:00Z', completionTime: '2024-05-06T07:00:05Z' }, 'Duration', '5s'],
  [{}, {}, 'Status', 'Running'],
  [{}, { conditions: [{ type: 'Suspended', status: 'True' }] }, 'Status', 'Suspended'],
  [{}, { conditions: [{ type: 'Suspended', status: 'False' }] }, 'Status', 'Running'],
  [{}, { conditions: ['FailureTarget', 'Failed'].map((type) => ({ type, status: 'True' })) }, 'Status', 'Failed'],
])('%j, %j: %s is %j', (spec, status, column, expected) =>
  expect(handlers.columns?.[column]?.(job(spec, status), Date.parse('2024-05-06T07:01:30Z'))).toBe(expected),
);

it('is selected by the number of pods that succeeded', () => {
  const selected = (status: JsonObject) => handlers.selectableFields?.['status.successful']?.(job({}, status));
  expect([selected({}), selected({ succeeded: 3 })]).toEqual(['0', '3']);
  expect(handlers.selectableFields?.['status.failed']?.(job())).toBeUndefined();
});
