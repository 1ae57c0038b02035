/** The status that ReplicaSet and ReplicationController share: its rules, and the columns that show it. */
import type { ReplicaSetStatus } from '../../generated/types/apps/v1/types.js';
import type { ReplicationControllerStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { notNegativeFields, replicaErrors } from '../shared/counts.js';

type ReplicaStatus = Draft<ReplicaSetStatus> | Draft<ReplicationControllerStatus>;

const countedStates = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

/** Errors of a written status. */
export const replicaStatusErrors = (status: ReplicaStatus | undefined): readonly FieldError[] => [
  ...notNegativeFields(status, ['replicas', ...countedStates, 'observedGeneration'], 'status'),
  ...replicaErrors(status, countedStates, 'status'),
];

interface Replicated {
  readonly spec?: { readonly replicas?: number | undefined } | undefined;
  readonly status?: ReplicaStatus | undefined;
}

/** Columns with the numbers of pods that are wanted, there and ready. */
export const replicaColumns = {
  Desired: ({ spec }: Replicated) => spec?.replicas ?? 0,
  Current: ({ status }: Replicated) => status?.replicas ?? 0,
  Ready: ({ status }: Replicated) => status?.readyReplicas ?? 0,
};
