/** The status of a PersistentVolumeClaim: its size, and how far it has grown. */
import type { PersistentVolumeClaim } from '../../generated/core/v1/persistentvolumeclaims/types.js';
import type { PersistentVolumeClaimStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { nativeResources } from '../../runtime/objects/names/names.js';
import { formatQuantity, type Quantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { checkOneOf, type FieldErrors } from '../shared/field-checks.js';
import { amountsOf } from '../shared/resources.js';
import type { Serving } from '../shared/serving.js';

/** Returns whether the status reports growth. */
export const hasGrowthStatus = ({ status }: DraftObject<PersistentVolumeClaim>): boolean =>
  [status?.allocatedResources, status?.resizeStatus, status?.allocatedResourceStatuses].some(
    (part) => part !== undefined,
  );

/** Checks a status. Without `growth`, what it reports about growth is left alone. */
export function* checkClaimStatus(
  { spec, status = {} }: DraftObject<PersistentVolumeClaim>,
  growth: Serving | undefined,
): FieldErrors {
  if (!spec?.accessModes?.length) yield required('Spec.accessModes');
  for (const [name, amount] of amountsOf(status.capacity)) yield* checkPositive(amount, `status.capacity[${name}]`);
  if (growth) yield* checkGrowth(status, growth);
}

const resizeStatuses = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
];

/** Returns what a claim can report about growth, sorted as in errors. */
const growthStatuses = (failure: 'Failed' | 'Infeasible'): readonly string[] =>
  ['Controller', 'Node']
    .flatMap((where) => [`${where}ResizeInProgress`, `${where}Resize${failure}`])
    .concat('NodeResizePending')
    .sort();

/** Of the platform's own resources, only storage grows. */
function* checkGrowth(status: Draft<PersistentVolumeClaimStatus>, context: Serving): FieldErrors {
  const { resizeStatus, allocatedResources, allocatedResourceStatuses: statuses = {} } = status;
  yield* checkOneOf(resizeStatus, 'status.resizeStatus', resizeStatuses);
  const known = growthStatuses(context.release.does('resizesInfeasible') ? 'Infeasible' : 'Failed');
  for (const [name, reached] of Object.entries(statuses)) {
    // As in the reference, the path has no key, and an unknown status is reported by the resource.
    const path = 'status.allocatedResourceStatus';
    yield* growingErrors(name, path, context);
    if (!known.includes(reached)) yield notSupported(path, name, known);
  }
  for (const [name, amount] of amountsOf(allocatedResources)) {
    const errors = growingErrors(name, 'status.allocatedResources', context);
    if (errors.length > 0) yield* errors;
    else yield* checkPositive(amount, `status.allocatedResources[${name}]`);
  }
}

/** Checks the name of a resource that grows. */
function growingErrors(name: string, path: string, { names, release }: Serving): readonly FieldError[] {
  const byResource = release.does('growthByResource');
  const problems = byResource ? qualifiedNameCheck(name) : [];
  if (problems.length > 0) return problems.map((problem) => invalidValue(path, name, problem));
  if (name === 'storage' || (byResource && !nativeResources(names)(name))) return [];
  return [notSupported(path, name, ['storage'])];
}

/** An amount is not negative. */
function* checkPositive(amount: Quantity, path: string): FieldErrors {
  if (amount.digits >= 0n) return;
  const whole = quantityInUnits(amount);
  if (whole < 0n) yield invalidValue(path, whole, 'must be a valid resource quantity');
  else yield invalidValue(path, formatQuantity(amount), 'must be greater than or equal to 0');
}
