/** Rules of a claim's status: how large the volume is, and how far it has grown. */
import type { PersistentVolumeClaim } from '../../../generated/core/v1/persistentvolumeclaims/types.js';
import type { PersistentVolumeClaimStatus } from '../../../generated/types/core/v1/types.js';
import type { Draft, DraftObject } from '../../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { formatQuantity, type Quantity, quantityInUnits } from '../../../runtime/objects/scan/quantity.js';
import { checkOneOf, type FieldErrors } from '../../shared/field-checks.js';
import { amountsOf } from '../../shared/resource-list.js';

const resizeStatuses = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
];

/** Whether a claim's status says how far its volume has grown. */
export const hasGrowthStatus = ({ status }: DraftObject<PersistentVolumeClaim>): boolean =>
  status?.allocatedResources !== undefined || status?.resizeStatus !== undefined;

/** Errors of a status; `grows` says whether it may report growth. */
export function* checkClaimStatus(
  { spec, status = {} }: DraftObject<PersistentVolumeClaim>,
  grows: boolean,
): FieldErrors {
  if (!spec?.accessModes?.length) yield required('Spec.accessModes');
  for (const [name, amount] of amountsOf(status.capacity)) yield* checkPositive(amount, `status.capacity[${name}]`);
  if (grows) yield* checkGrowth(status);
}

/** Only storage grows. */
function* checkGrowth({ resizeStatus, allocatedResources }: Draft<PersistentVolumeClaimStatus>): FieldErrors {
  yield* checkOneOf(resizeStatus, 'status.resizeStatus', resizeStatuses);
  for (const [name, amount] of amountsOf(allocatedResources)) {
    if (name !== 'storage') yield notSupported('status.allocatedResources', name, ['storage']);
    else yield* checkPositive(amount, `status.allocatedResources[${name}]`);
  }
}

/** An amount is not negative. */
function* checkPositive(amount: Quantity, path: string): FieldErrors {
  if (amount.digits >= 0n) return;
  const whole = quantityInUnits(amount);
  if (whole < 0n) yield invalidValue(path, whole, 'must be a valid resource quantity');
  else yield invalidValue(path, formatQuantity(amount), 'must be greater than or equal to 0');
}
