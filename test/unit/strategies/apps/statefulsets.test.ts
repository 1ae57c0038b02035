import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineStatefulSets } from '../../../../strategies/apps/statefulsets.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { changeErrorsOf, errorsOf } from '../../../support/field-errors.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineStatefulSets(servingOf(platformNaming));

const set = (spec: JsonObject = {}, status: JsonObject = {}): ApiObject => storedLike(handlers, { spec, status });

it.each<[JsonObject, JsonObject]>([
  [{}, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
  [{ rollingUpdate: { partition: 3 } }, { type: 'RollingUpdate', rollingUpdate: { partition: 3 } }],
  [{ type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
  [{ type: 'OnDelete' }, { type: 'OnDelete' }],
])('completes the strategy %j', (given, expected) => {
  const object = set({ updateStrategy: { ...given } });
  handlers.canonicalize?.(object);
  expect(objectAt(object, 'spec')?.updateStrategy).toEqual(expected);
});

it('fills in the kind and the defaults of its claims', () => {
  const object = set({ volumeClaimTemplates: [{ kind: 'Other', metadata: { name: 'v' }, spec: {} }] });
  handlers.canonicalize?.(object);
  expect(objectAt(object, 'spec')?.volumeClaimTemplates).toEqual([
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'v' },
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  ]);
});

describe('rules of a StatefulSet', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ ordinals: { start: -1 } }, ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0']],
    [
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1, maxUnavailable: 0 } } },
      [
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: ' +
          'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: cannot be 0',
      ],
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: 'Delete' } },
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
      ],
    ],
    [
      { template: podTemplate({ restartPolicy: 'OnFailure', activeDeadlineSeconds: 1 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
      ],
    ],
    [
      {
        template: {
          ...podTemplate(),
          metadata: { labels: { app: 'a' }, annotations: { 'controller.platform.io/pod-deletion-cost': 'high' } },
        },
      },
      [
        'spec.template.annotations[controller.platform.io/pod-deletion-cost]: Invalid value: "high": must be a 32bit integer',
      ],
    ],
    // Pods are checked when they are created.
    [{ template: podTemplate({ containers: [] }) }, []],
  ])('%j', (spec, expected) => expect(errorsOf(handlers, set(spec))).toEqual(expected));

  it('refuse details of another strategy', () => {
    const found = errorsOf(handlers, set({ updateStrategy: { type: 'OnDelete', rollingUpdate: {} } }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain("only allowed for updateStrategy 'RollingUpdate'");
  });
});

describe('changes of a StatefulSet', () => {
  it.each([
    ['replicas', 5],
    ['ordinals', { start: 1 }],
    ['template', podTemplate({ hostNetwork: true })],
    ['updateStrategy', { type: 'OnDelete' }],
    ['minReadySeconds', 3],
    ['persistentVolumeClaimRetentionPolicy', { whenDeleted: 'Delete', whenScaled: 'Retain' }],
  ])('%s may change', (field, value) => expect(changeErrorsOf(handlers, set({ [field]: value }), set())).toEqual([]));

  it.each(['serviceName', 'podManagementPolicy', 'revisionHistoryLimit', 'selector', 'volumeClaimTemplates'])(
    '%s may not',
    (field) =>
      expect(changeErrorsOf(handlers, set({ [field]: 'other' }), set())).toEqual([
        "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
          "'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ]),
  );
});

it('checks only the status in a status update', () => {
  const status = { replicas: 1, readyReplicas: 1, currentReplicas: 2 };
  expect(errorsOf(handlers, set({ selector: {} }, status), 'status')).toEqual([
    'status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas',
  ]);
  expect(handlers.columns?.Ready?.(set({}, status), 0)).toBe('1/2');
});
