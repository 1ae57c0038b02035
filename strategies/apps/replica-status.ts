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

/** The numbers of pods that are wanted, there and ready; undefined for other columns. */
export function replicasCell(
  { spec, status }: { spec?: { replicas?: number | undefined } | undefined; status?: ReplicaStatus | undefined },
  column: string,
): number | undefined {
  switch (column) {
    case 'Desired':
      return spec?.replicas ?? 0;
    case 'Current':
      return status?.replicas ?? 0;
    case 'Ready':
      return status?.readyReplicas ?? 0;
    default:
      return undefined;
  }
}
