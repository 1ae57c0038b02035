/** The status of a claim: what has been reached of what it asks for. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { formatQuantity, type Quantity, quantityInUnits } from '../../../runtime/objects/quantity.js';
import { checkChoice, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, textsAt } from '../../shared/reading.js';
import { amountsAt } from '../../shared/resource-list.js';

const resizeStatuses = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
] as const;

/** Whether a claim says how far it has come in growing. */
export function tellsGrowth(claim: ApiObject): boolean {
  const status = objectAt(claim, 'status');
  return status !== undefined && (hasAt(status, 'allocatedResources') || hasAt(status, 'resizeStatus'));
}

/** Errors of a status; `grows` says whether it may tell how far the claim has come in growing. */
export function* checkClaimStatus(claim: ApiObject, grows: boolean): FieldErrors {
  const status = objectAt(claim, 'status') ?? {};
  if (textsAt(objectAt(claim, 'spec'), 'accessModes').length === 0) yield required('Spec.accessModes');
  for (const [name, amount] of amountsAt(status, 'capacity')) {
    yield* checkPositive(amount, `status.capacity[${name}]`);
  }
  if (grows) yield* checkGrowth(status);
}

function* checkGrowth(status: JsonObject): FieldErrors {
  yield* checkChoice(status, 'resizeStatus', 'status', resizeStatuses);
  for (const [name, amount] of amountsAt(status, 'allocatedResources')) {
    if (name !== 'storage') yield notSupported('status.allocatedResources', name, ['storage']);
    else yield* checkPositive(amount, `status.allocatedResources[${name}]`);
  }
}

function* checkPositive(amount: Quantity, path: string): FieldErrors {
  if (amount.digits >= 0n) return;
  const whole = quantityInUnits(amount);
  if (whole < 0n) yield invalidValue(path, whole, 'must be a valid resource quantity');
  else yield invalidValue(path, formatQuantity(amount), 'must be greater than or equal to 0');
}
