/** StatefulSet: its rollout and claims, the rules for them, the fields that may change, and its columns. */
import { defineStatefulSetHandlers } from '../../generated/apps/v1/statefulsets/handlers.js';
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from '../../generated/types/apps/v1/types.js';
import type { PersistentVolumeClaim } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import { firstWarnings } from '../core/node-labels.js';
import {
  canonicalizePodTemplate,
  type PodTemplate,
  templateAnnotationErrors,
  templateMetadataErrors,
} from '../core/pod-spec/pod-template.js';
import { claimAmountWarnings } from '../core/pod-spec/pod-warnings.js';
import {
  collisionErrors,
  isZeroAmount,
  notNegative,
  notNegativeFields,
  replicaErrors,
  validateAtMostAll,
  validateIntOrPercent,
} from '../shared/counts.js';
import { printedIntOrString } from '../shared/printed-values.js';
import type { Serving } from '../shared/serving.js';
import {
  containersText,
  imagesText,
  selectedTemplateErrors,
  templateWarnings,
  validateRunning,
  validateWorkloadSelector,
} from './workloads.js';

const checkedFields = [
  ...['spec.podManagementPolicy', 'spec.updateStrategy', 'spec.persistentVolumeClaimRetentionPolicy', 'spec.replicas'],
  ...['spec.minReadySeconds', 'spec.ordinals', 'spec.selector', 'spec.template'],
];

export const defineStatefulSets = (serving: Serving): KindHandlers =>
  defineStatefulSetHandlers({
    errorOrder: checkedFields,
    canonicalize({ spec }) {
      defaultRollout(spec?.updateStrategy);
      spec?.volumeClaimTemplates?.forEach(completeClaim);
      canonicalizePodTemplate(spec?.template, serving);
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? statusErrors(status) : specErrors(spec, serving),
    validateUpdate: (set, old, { subresource }) =>
      subresource === 'status' ? collisionErrors(set.status, old.status) : changeErrors(set.spec, old.spec),
    warn: (set, old) => [...templateWarnings(set, old, serving), ...claimWarnings(set.spec, old ? '.Spec' : '')],
    columns: {
      Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

/** By default all pods are replaced, from the last to the first. Details of another strategy stay. */
function defaultRollout(strategy: Draft<StatefulSetUpdateStrategy> | undefined): void {
  if (!strategy) return;
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.rollingUpdate && strategy.type === 'RollingUpdate') strategy.rollingUpdate.partition ??= 0;
}

/** Fills in the kind of a claim template and the defaults of a new claim. */
function completeClaim(claim: Draft<PersistentVolumeClaim>): void {
  claim.apiVersion = 'v1';
  claim.kind = 'PersistentVolumeClaim';
  if (claim.spec) claim.spec.volumeMode ??= 'Filesystem';
  claim.status ??= {};
  claim.status.phase ||= 'Pending';
}

/** Warns about the claims of a set at each write. As in the reference, only warnings about updates have `within`. */
const claimWarnings = ({ volumeClaimTemplates = [] }: Draft<StatefulSetSpec> = {}, within: string): readonly string[] =>
  volumeClaimTemplates.flatMap(({ spec }, i) =>
    firstWarnings(claimAmountWarnings(spec?.resources, `spec.volumeClaimTemplates[${i}]${within}.resources`)),
  );

function specErrors(spec: Draft<StatefulSetSpec> = {}, serving: Serving): readonly FieldError[] {
  return [
    ...strategyErrors(spec.updateStrategy),
    ...retentionErrors(spec.persistentVolumeClaimRetentionPolicy),
    ...notNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...validateWorkloadSelector(spec, 'statefulset'),
    // The pods are checked when they are created, because their volumes may be claims of the set.
    ...selectedTemplateErrors(spec, '', (template) => templateErrors(template, serving)),
    ...validateRunning(spec.template, 'StatefulSet'),
  ];
}

const templateErrors = (template: PodTemplate | undefined, serving: Serving): readonly FieldError[] => [
  ...templateMetadataErrors(template, 'spec.template'),
  ...templateAnnotationErrors(template, 'spec.template', serving),
];

function strategyErrors({ type, rollingUpdate }: Draft<StatefulSetUpdateStrategy> = {}): readonly FieldError[] {
  if (!rollingUpdate) return [];
  if (type === 'RollingUpdate') return rollingErrors(rollingUpdate);
  const problem = "only allowed for updateStrategy 'RollingUpdate'";
  return type === 'OnDelete' ? [invalidValue('spec.updateStrategy.rollingUpdate', rollingUpdate, problem)] : [];
}

function rollingErrors({ partition, maxUnavailable }: Draft<RollingUpdateStatefulSetStrategy>): readonly FieldError[] {
  const path = 'spec.updateStrategy.rollingUpdate';
  const errors = notNegative(partition, `${path}.partition`);
  if (maxUnavailable === undefined) return errors;
  const field = `${path}.maxUnavailable`;
  return [
    ...errors,
    ...validateIntOrPercent(maxUnavailable, field),
    ...(isZeroAmount(maxUnavailable) ? [invalidValue(field, printedIntOrString(maxUnavailable), 'cannot be 0')] : []),
    ...validateAtMostAll(maxUnavailable, field),
  ];
}

function retentionErrors(
  policy: Draft<StatefulSetPersistentVolumeClaimRetentionPolicy> | undefined,
): readonly FieldError[] {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const path = `spec.persistentVolumeClaimRetentionPolicy.${field}`;
    const value = policy[field];
    return value === 'Retain' || value === 'Delete' ? [] : [notSupported(path, value ?? '', ['Retain', 'Delete'])];
  });
}

/** The fields of the spec that may change, in the order of the message. */
const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function changeErrors(
  spec: Draft<StatefulSetSpec> | undefined,
  old: Draft<StatefulSetSpec> | undefined,
): readonly FieldError[] {
  if (equal(fixedPart(spec), fixedPart(old))) return [];
  const quoted = mutableFields.map((field) => `'${field}'`);
  const list = `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

function fixedPart(spec: Draft<StatefulSetSpec> | undefined): Draft<StatefulSetSpec> {
  const fixed = { ...spec };
  for (const field of mutableFields) delete fixed[field];
  return fixed;
}

const countedStates = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
const counts = ['replicas', ...countedStates, 'observedGeneration', 'collisionCount'] as const;

const statusErrors = (status: Draft<StatefulSetStatus> | undefined): readonly FieldError[] => [
  ...notNegativeFields(status, counts, 'status'),
  ...replicaErrors(status, countedStates, 'status'),
];
