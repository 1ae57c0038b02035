/** ResourceClaim: the changes that its status allows, and its columns. */
import { defineResourceClaimHandlers } from '../../generated/resource.platform.io/v1alpha2/resourceclaims/handlers.js';
import type { ResourceClaim } from '../../generated/resource.platform.io/v1alpha2/resourceclaims/types.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';
import { checkNodeSelector } from '../shared/selectors.js';

type Claim = DraftObject<ResourceClaim>;

const handles = 'status.allocation.resourceHandles';
const checkedFields = [
  ...['status.driverName', `${handles}[].driverName`, `${handles}[].data`, `${handles}.`],
  ...['status.allocation.availableOnNodes', 'status.reservedFor'],
];

export const defineResourceClaimsV1alpha2 = (): KindHandlers =>
  defineResourceClaimHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes', 'metadata', 'fields'],
    errorOrder: checkedFields,
    validateUpdate: (claim, old, { subresource }) => (subresource === 'status' ? statusErrors(claim, old) : []),
    columns: { State: (claim) => stateOf(claim) },
  });

const isGivenBack = ({ status }: Claim): boolean => status?.deallocationRequested ?? false;
const isDeleted = ({ metadata }: Claim): boolean => metadata.deletionTimestamp !== undefined;

function statusErrors(claim: Claim, old: Claim): readonly FieldError[] {
  return [
    ...firstErrors(checkAllocation(claim)),
    ...userErrors(claim, old),
    ...changeErrors(claim, old),
    ...returnErrors(claim, old),
  ];
}

/** An allocation names its driver, and each of its parts names a driver. */
function* checkAllocation({ status: { driverName, allocation } = {} }: Claim): FieldErrors {
  if (driverName) yield* checkDriverName(driverName, 'status.driverName');
  else if (allocation) yield required('status.driverName', 'must be specified when `allocation` is set');
  for (const [i, handle] of (allocation?.resourceHandles ?? []).entries()) {
    yield* checkDriverName(handle.driverName ?? '', `${handles}[${i}].driverName`);
  }
  const nodes = allocation?.availableOnNodes;
  if (nodes) yield* checkNodeSelector(nodes, 'status.allocation.availableOnNodes');
}

/** An allocated claim has users: one, or several if it can be shared. A claim that is ending gets no new ones. */
function userErrors(claim: Claim, old: Claim): readonly FieldError[] {
  const field = 'status.reservedFor';
  const { allocation, reservedFor: users = [] } = claim.status ?? {};
  if (users.length === 0) return [];
  if (!allocation) return [forbidden(field, 'may not be specified when `allocated` is not set')];
  const crowded = !allocation.shareable && users.length > 1;
  const before = old.status?.reservedFor ?? [];
  const ends = isDeleted(claim) || isGivenBack(claim);
  const added = ends && users.some((user) => !before.some((known) => equal(user, known)));
  const tooLate = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [
    ...(crowded ? [forbidden(field, 'may not be reserved more than once')] : []),
    ...(added ? [forbidden(field, tooLate)] : []),
  ];
}

/** An allocation cannot be changed. */
function changeErrors({ status }: Claim, old: Claim): readonly FieldError[] {
  const [allocation, before] = [status?.allocation, old.status?.allocation];
  if (!allocation || !before || equal(allocation, before)) return [];
  return [invalidValue('status.allocation', allocation, 'field is immutable')];
}

/** A request to deallocate a claim cannot be withdrawn, and such a claim has no users. */
function returnErrors(claim: Claim, old: Claim): readonly FieldError[] {
  const field = 'status.deallocationRequested';
  const { allocation, reservedFor } = claim.status ?? {};
  const [now, before] = [isGivenBack(claim), isGivenBack(old)];
  const inUse = now && !before && reservedFor?.length;
  return [
    ...(inUse ? [forbidden(field, 'deallocation cannot be requested while `reservedFor` is set')] : []),
    ...(now && !allocation
      ? [forbidden('status', '`allocation` must be set when `deallocationRequested` is set')]
      : []),
    ...(before && !now && allocation ? [forbidden(field, 'may not be cleared when `allocation` is set')] : []),
  ];
}

/** Prints the state as in `allocated,reserved`. */
function stateOf(claim: Claim): string {
  const { allocation, reservedFor } = claim.status ?? {};
  const states = isDeleted(claim) ? ['deleted'] : [];
  if (!allocation) return isDeleted(claim) ? 'deleted' : 'pending';
  states.push('allocated');
  if (isGivenBack(claim)) states.push('deallocation-requested');
  else if (reservedFor?.length) states.push('reserved');
  return states.join(',');
}
