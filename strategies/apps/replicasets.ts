/** ReplicaSet: the rules for its pods, and its columns. */
import { defineReplicaSetHandlers } from '../../generated/apps/v1/replicasets/handlers.js';
import type { ReplicaSetSpec, ReplicaSetStatus } from '../../generated/types/apps/v1/types.js';
import type { ReplicationControllerStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { notNegativeFields, replicaErrors } from '../shared/counts.js';
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

/** The status of a ReplicationController has fewer fields. */
type ReplicaStatus =
  | Draft<ReplicaSetStatus>
  | (Draft<ReplicationControllerStatus> & { terminatingReplicas?: undefined });

const countedStates = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

/** Checks a written status. */
export const replicaStatusErrors = (status: ReplicaStatus | undefined): readonly FieldError[] => [
  ...notNegativeFields(status, ['replicas', ...countedStates, 'observedGeneration', 'terminatingReplicas'], 'status'),
  ...replicaErrors(status, countedStates, 'status'),
];

interface Replicated {
  readonly spec?: { readonly replicas?: number | undefined } | undefined;
  readonly status?: ReplicaStatus | undefined;
}

/** Columns with the desired, current and ready pods. */
export const replicaColumns = {
  Desired: ({ spec }: Replicated) => spec?.replicas ?? 0,
  Current: ({ status }: Replicated) => status?.replicas ?? 0,
  Ready: ({ status }: Replicated) => status?.readyReplicas ?? 0,
};

export const defineReplicaSets = (serving: Serving): KindHandlers =>
  defineReplicaSetHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'fields', 'field changes'],
    canonicalize: ({ spec }) => canonicalizePodTemplate(spec?.template, serving),
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? replicaStatusErrors(status) : specErrors(spec, serving),
    validateUpdate: (set, old, { subresource }) =>
      subresource === 'status' ? [] : selectorChangeErrors(set.spec, old.spec),
    warn: (set, old) => [...podNameWarnings(set, old), ...templateWarnings(set, old, serving)],
    columns: {
      ...replicaColumns,
      Selector: ({ spec }) => selectorText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

function specErrors(spec: Draft<ReplicaSetSpec> = {}, serving: Serving): readonly FieldError[] {
  const several = (spec.replicas ?? 0) > 1;
  return [
    // As in the reference, selector errors of replica sets also say `deployment`.
    ...validateWorkloadSelector(spec, 'deployment'),
    ...selectedTemplateErrors(spec, 'invalid label selector', (template) =>
      validateRunningTemplate(template, { ...serving, kind: 'ReplicaSet', several }),
    ),
  ];
}
