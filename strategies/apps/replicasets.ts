/** ReplicaSet: the rules for its pods, and its columns. */
import { defineReplicaSetHandlers } from '../../generated/apps/v1/replicasets/handlers.js';
import type { ReplicaSetSpec, ReplicaSetStatus } from '../../generated/types/apps/v1/types.js';
import type { ReplicationControllerStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { notNegativeFields, replicaErrors } from '../shared/counts.js';
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

type ReplicaStatus = Draft<ReplicaSetStatus> | Draft<ReplicationControllerStatus>;

const countedStates = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

/** Checks a written status. */
export const replicaStatusErrors = (status: ReplicaStatus | undefined): readonly FieldError[] => [
  ...notNegativeFields(status, ['replicas', ...countedStates, 'observedGeneration'], 'status'),
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

export const defineReplicaSets = (names: Naming): KindHandlers =>
  defineReplicaSetHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'fields', 'field changes'],
    canonicalize: ({ spec }) => canonicalizePodTemplate(spec?.template, names),
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? replicaStatusErrors(status) : specErrors(spec, names),
    validateUpdate: (set, old, { subresource }) =>
      subresource === 'status' ? [] : selectorChangeErrors(set.spec, old.spec),
    warn: (set, old) => [...podNameWarnings(set, old), ...templateWarnings(set, old, names)],
    columns: {
      ...replicaColumns,
      Selector: ({ spec }) => selectorText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

function specErrors(spec: Draft<ReplicaSetSpec> = {}, names: Naming): readonly FieldError[] {
  const several = (spec.replicas ?? 0) > 1;
  return [
    // As in the reference, selector errors of replica sets also say `deployment`.
    ...validateWorkloadSelector(spec, 'deployment'),
    ...selectedTemplateErrors(spec, 'invalid label selector', (template) =>
      validateRunningTemplate(template, { names, kind: 'ReplicaSet', several }),
    ),
  ];
}
