/** Deployment: its rollout defaults, the rules for its pods, and its columns. */
import { defineDeploymentHandlers } from '../../generated/apps/v1/deployments/handlers.js';
import type {
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from '../../generated/types/apps/v1/types.js';
import type { Draft, FieldError, KindHandlers, ObjectMeta } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import {
  collisionErrors,
  isZeroAmount,
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
  podNameWarnings,
  selectedTemplateErrors,
  selectorChangeErrors,
  selectorText,
  templateWarnings,
  validateRunningTemplate,
  validateWorkloadSelector,
} from './workloads.js';

const checkedFields = [
  ...['spec.replicas', 'spec.selector', 'spec.template', 'spec.strategy', 'spec.minReadySeconds'],
  ...['spec.revisionHistoryLimit', 'spec.progressDeadlineSeconds'],
];

export const defineDeployments = (serving: Serving): KindHandlers =>
  defineDeploymentHandlers({
    errorOrder: checkedFields,
    canonicalize({ spec }) {
      defaultRollout(spec?.strategy);
      canonicalizePodTemplate(spec?.template, serving);
    },
    prepareForUpdate(deployment, old, { subresource }) {
      // Labels distinguish revisions, so a status update must not change them.
      if (subresource === 'status') deployment.metadata.labels = old.metadata.labels;
      else if (subresource === '') countAnnotations(deployment.metadata, old.metadata);
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? statusErrors(status) : specErrors(spec, serving),
    validateUpdate: (deployment, old, { subresource }) =>
      subresource === 'status'
        ? collisionErrors(deployment.status, old.status)
        : selectorChangeErrors(deployment.spec, old.spec),
    warn: (deployment, old) => [...podNameWarnings(deployment, old), ...templateWarnings(deployment, old, serving)],
    columns: {
      Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      'Up-to-date': ({ status }) => status?.updatedReplicas ?? 0,
      Available: ({ status }) => status?.availableReplicas ?? 0,
      Selector: ({ spec }) => selectorText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

/** Counts a change of annotations as a new generation, because replica sets get a copy of them. */
function countAnnotations(metadata: ObjectMeta, { annotations = {}, generation = 0 }: ObjectMeta): void {
  if (!equal(metadata.annotations ?? {}, annotations)) metadata.generation = generation + 1;
}

/** By default, a quarter of the pods is replaced at a time. */
function defaultRollout(strategy: Draft<DeploymentStrategy> | undefined): void {
  if (strategy?.type !== 'RollingUpdate') return;
  strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
}

function specErrors(spec: Draft<DeploymentSpec> = {}, serving: Serving): readonly FieldError[] {
  const several = (spec.replicas ?? 0) > 1;
  return [
    ...validateWorkloadSelector(spec, 'deployment'),
    ...selectedTemplateErrors(spec, 'invalid label selector', (template) =>
      validateRunningTemplate(template, { ...serving, kind: 'ReplicaSet', several }),
    ),
    ...strategyErrors(spec.strategy),
    ...deadlineErrors(spec),
  ];
}

function strategyErrors({ type, rollingUpdate }: Draft<DeploymentStrategy> = {}): readonly FieldError[] {
  if (type === 'RollingUpdate') return rollingErrors(rollingUpdate);
  const problem = "may not be specified when strategy `type` is 'Recreate'";
  return type === 'Recreate' && rollingUpdate ? [forbidden('spec.strategy.rollingUpdate', problem)] : [];
}

function rollingErrors({ maxUnavailable, maxSurge }: Draft<RollingUpdateDeployment> = {}): readonly FieldError[] {
  const path = 'spec.strategy.rollingUpdate';
  const isStuck = isZeroAmount(maxUnavailable) && isZeroAmount(maxSurge);
  const stuck = 'may not be 0 when `maxSurge` is 0';
  return [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...(isStuck ? [invalidValue(`${path}.maxUnavailable`, printedIntOrString(maxUnavailable), stuck)] : []),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
  ];
}

/** The progress deadline must be longer than the time that pods need to become available. */
function deadlineErrors({
  progressDeadlineSeconds: deadline,
  minReadySeconds = 0,
}: Draft<DeploymentSpec>): readonly FieldError[] {
  if (deadline === undefined || deadline > minReadySeconds) return [];
  return [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')];
}

const countedStates = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;
const counts = [
  ...(['observedGeneration', 'replicas', ...countedStates] as const),
  ...(['unavailableReplicas', 'terminatingReplicas', 'collisionCount'] as const),
] as const;

const statusErrors = (status: Draft<DeploymentStatus> | undefined): readonly FieldError[] => [
  ...notNegativeFields(status, counts, 'status'),
  ...replicaErrors(status, countedStates, 'status'),
];
