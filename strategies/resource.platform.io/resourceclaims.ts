/** ResourceClaim: what its status may become, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { objectsAt } from '../shared/reading.js';

export function defineResourceClaimStrategy(): Strategy {
  return {
    kind: 'resource.platform.io/ResourceClaim',
    validateUpdate: (object, old, { subresource }) => (subresource === 'status' ? statusErrors(object, old) : []),
    cell: (object, column) => (column === 'State' ? stateOf(object) : undefined),
  };
}

const statusOf = (claim: ApiObject): JsonObject => objectAt(claim, 'status') ?? {};
const allocationOf = (claim: ApiObject): JsonObject | undefined => objectAt(statusOf(claim), 'allocation');
const usersOf = (claim: ApiObject): readonly JsonObject[] => objectsAt(statusOf(claim), 'reservedFor');
const isGivenBack = (claim: ApiObject): boolean => statusOf(claim).deallocationRequested === true;

function statusErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  const allocation = allocationOf(claim);
  const before = allocationOf(old);
  const nameless = allocation !== undefined && stringAt(statusOf(claim), 'driverName') === '';
  return [
    ...(nameless ? [required('status.driverName', 'must be specified when `allocation` is set')] : []),
    ...userErrors(claim, old, allocation),
    ...(allocation && before && !equal(allocation, before)
      ? [invalidValue('status.allocation', allocation, 'field is immutable')]
      : []),
    ...deallocationErrors(claim, old, allocation),
  ];
}

function userErrors(claim: ApiObject, old: ApiObject, allocation: JsonObject | undefined): readonly FieldError[] {
  const field = 'status.reservedFor';
  const users = usersOf(claim);
  if (users.length === 0) return [];
  if (allocation === undefined) return [forbidden(field, 'may not be specified when `allocated` is not set')];
  const crowded = allocation.shareable !== true && users.length > 1;
  const before = usersOf(old);
  const ends = claim.metadata.deletionTimestamp !== undefined || isGivenBack(claim);
  const added = ends && users.some((user) => !before.some((known) => equal(user, known)));
  const late = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [
    ...(crowded ? [forbidden(field, 'may not be reserved more than once')] : []),
    ...(added ? [forbidden(field, late)] : []),
  ];
}

/** Who asks for a claim to be given back cannot take that back, and nobody may use it then. */
function deallocationErrors(
  claim: ApiObject,
  old: ApiObject,
  allocation: JsonObject | undefined,
): readonly FieldError[] {
  const field = 'status.deallocationRequested';
  const [now, before] = [isGivenBack(claim), isGivenBack(old)];
  const inUse = now && !before && usersOf(claim).length > 0;
  return [
    ...(inUse ? [forbidden(field, 'deallocation cannot be requested while `reservedFor` is set')] : []),
    ...(now && allocation === undefined
      ? [forbidden('status', '`allocation` must be set when `deallocationRequested` is set')]
      : []),
    ...(before && !now && allocation ? [forbidden(field, 'may not be cleared when `allocation` is set')] : []),
  ];
}

/** As in `allocated,reserved`. */
function stateOf(claim: ApiObject): string {
  const deleted = claim.metadata.deletionTimestamp !== undefined;
  const states = deleted ? ['deleted'] : [];
  if (allocationOf(claim) === undefined) {
    if (!deleted) states.push('pending');
    return states.join(',');
  }
  states.push('allocated');
  if (isGivenBack(claim)) states.push('deallocation-requested');
  else if (usersOf(claim).length > 0) states.push('reserved');
  return states.join(',');
}
