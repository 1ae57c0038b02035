/** StatefulSet: how it rolls out, its claims, which of its fields may change, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { isArray, isObject, isStringMap, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { validateAnnotations, validateLabels } from '../../runtime/objects/metadata-rules.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { collisionErrors, countAt, notNegative, notNegativeFields, replicaCountErrors } from '../shared/counts.js';
import { isZeroAmount, validateAtMostAll, validateIntOrPercent } from '../shared/int-or-percent.js';
import { printedIntOrString } from '../shared/printed-values.js';
import { validateRunning } from './running-template.js';
import { containerCell } from './workload-cells.js';
import { selectedTemplateErrors, validateWorkloadSelector } from './workload-selector.js';
import { templateWarnings } from './workload-warnings.js';

export function defineStatefulSetStrategy(names: Naming): Strategy {
  return {
    kind: 'apps/StatefulSet',
    canonicalize,
    validate: (object, { subresource }) => (subresource === 'status' ? statusErrors(object) : specErrors(object)),
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status'
        ? collisionErrors(objectAt(object, 'status'), objectAt(old, 'status'))
        : changeErrors(object, old),
    warnings: (object, old) => templateWarnings(object, old, { template: templateOf, path: 'spec.template', names }),
    cell: statefulSetCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(specOf(object), 'template');

function canonicalize(object: ApiObject): void {
  const spec = specOf(object);
  const strategy = objectAt(spec, 'updateStrategy');
  if (strategy) completeStrategy(strategy);
  const claims = spec?.volumeClaimTemplates;
  if (isArray(claims)) claims.filter(isObject).forEach(completeClaim);
  canonicalizePodTemplate(templateOf(object));
}

/** All pods are replaced, from the last to the first. Details of another strategy are the writer's own. */
function completeStrategy(strategy: JsonObject): void {
  if (stringAt(strategy, 'type') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  const rolling = objectAt(strategy, 'rollingUpdate');
  if (rolling && strategy.type === 'RollingUpdate') rolling.partition ??= 0;
}

/** Claims in a set say what they are, and are as new ones are. */
function completeClaim(claim: JsonObject): void {
  claim.apiVersion = 'v1';
  claim.kind = 'PersistentVolumeClaim';
  const spec = objectAt(claim, 'spec');
  if (spec) spec.volumeMode ??= 'Filesystem';
  const status = objectAt(claim, 'status') ?? {};
  if (stringAt(status, 'phase') === '') status.phase = 'Pending';
  claim.status = status;
}

function specErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...strategyErrors(objectAt(spec, 'updateStrategy')),
    ...retentionErrors(objectAt(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...notNegative(objectAt(spec, 'ordinals')?.start, 'spec.ordinals.start'),
    ...validateWorkloadSelector(spec, 'statefulset'),
    ...selectedTemplateErrors(spec, '', templateErrors),
    ...validateRunning(templateOf(object), 'spec.template', 'StatefulSet'),
  ];
}

function strategyErrors(strategy: JsonObject | undefined): readonly FieldError[] {
  const type = stringAt(strategy, 'type');
  const rolling = objectAt(strategy, 'rollingUpdate');
  if (type === 'RollingUpdate') return rolling ? rollingErrors(rolling) : [];
  const problem = "only allowed for updateStrategy 'RollingUpdate'";
  return type === 'OnDelete' && rolling ? [invalidValue('spec.updateStrategy.rollingUpdate', rolling, problem)] : [];
}

function rollingErrors(rolling: JsonObject): readonly FieldError[] {
  const path = 'spec.updateStrategy.rollingUpdate';
  const unavailable: JsonValue | undefined = rolling.maxUnavailable;
  const partition = notNegative(rolling.partition, `${path}.partition`);
  if (unavailable === undefined) return partition;
  const field = `${path}.maxUnavailable`;
  return [
    ...partition,
    ...validateIntOrPercent(unavailable, field),
    ...(isZeroAmount(unavailable) ? [invalidValue(field, printedIntOrString(unavailable), 'cannot be 0')] : []),
    ...validateAtMostAll(unavailable, field),
  ];
}

function retentionErrors(policy: JsonObject | undefined): readonly FieldError[] {
  if (policy === undefined) return [];
  return ['whenDeleted', 'whenScaled'].flatMap((field) => {
    const path = `spec.persistentVolumeClaimRetentionPolicy.${field}`;
    const value = stringAt(policy, field);
    if (value === '') return [required(path)];
    return value === 'Retain' || value === 'Delete' ? [] : [invalidValue(path, value, "must be 'Retain' or 'Delete'")];
  });
}

/** What the pods are is found out when they are made, since their volumes may be claims of the set. */
function templateErrors(template: JsonObject | undefined): readonly FieldError[] {
  const metadata = objectAt(template, 'metadata');
  const labels = objectAt(metadata, 'labels');
  const annotations = objectAt(metadata, 'annotations');
  return [
    ...(isStringMap(labels) ? validateLabels(labels, 'spec.template.labels') : []),
    ...(isStringMap(annotations) ? validateAnnotations(annotations, 'spec.template.annotations') : []),
  ];
}

/** Fields of the spec that may change, in the order in which messages name them. */
const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function changeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  if (equal(fixedPart(object), fixedPart(old))) return [];
  const quoted = mutableFields.map((field) => `'${field}'`);
  const list = `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

function fixedPart(object: ApiObject): JsonObject {
  const fixed: JsonObject = { ...specOf(object) };
  for (const field of mutableFields) delete fixed[field];
  return fixed;
}

const countedStates = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = objectAt(object, 'status');
  return [
    ...notNegativeFields(status, ['replicas', ...countedStates, 'observedGeneration', 'collisionCount'], 'status'),
    ...replicaCountErrors(status, countedStates, 'status'),
  ];
}

const statefulSetCell: Strategy['cell'] = (object, column) => {
  if (column !== 'Ready') return containerCell(templateOf(object), column);
  return `${countAt(objectAt(object, 'status'), 'readyReplicas')}/${countAt(specOf(object), 'replicas')}`;
};
