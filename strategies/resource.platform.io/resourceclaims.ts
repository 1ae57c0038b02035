/** ResourceClaim: its requests, the changes that its status allows, and its columns. */

import { defineResourceClaimHandlers } from '../../generated/resource.platform.io/v1/resourceclaims/handlers.js';
import type { ResourceClaim } from '../../generated/resource.platform.io/v1/resourceclaims/types.js';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
} from '../../generated/types/resource/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { dns1123Label } from '../../runtime/objects/names/name-checks.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { conditionErrors } from '../shared/conditions.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';
import { checkNodeSelector } from '../shared/selectors.js';
import {
  checkDeviceClaim,
  checkReference,
  defaultRequests,
  type RequestNames,
  requestNamesOf,
} from './device-claims.js';
import { checkConfiguration, checkData, checkPoolName } from './device-names.js';

type Claim = DraftObject<ResourceClaim>;
type Status = NonNullable<Claim['status']>;

export const defineResourceClaims = (release: Release = emulate()): KindHandlers =>
  defineResourceClaimHandlers({
    canonicalize: ({ spec }) => defaultRequests(spec?.devices),
    prepareForCreate(claim) {
      claim.status = {};
    },
    validateCreate: ({ spec }) => firstErrors(checkDeviceClaim(spec?.devices, 'spec.devices', release)),
    validateUpdate: (claim, old, { subresource }) =>
      subresource === 'status' ? firstErrors(checkStatus(claim, old)) : [],
    columns: { State: stateOf },
  });

/** Checks a new status: users, what drivers report, and a new allocation. */
function* checkStatus(claim: Claim, old: Claim): FieldErrors {
  const { status = {} } = claim;
  yield* checkReports(status);
  yield* checkUsers(claim, old.status ?? {});
  const { allocation } = status;
  if (!allocation) return;
  const before = old.status?.allocation;
  if (!before) yield* checkAllocation(allocation, requestNamesOf(claim.spec?.devices));
  else if (!equal(allocation, before)) yield invalidValue('status.allocation', allocation, 'field is immutable');
}

/** Only an allocated claim has users, and a claim that is being deleted gets no new ones. */
function* checkUsers({ status = {}, metadata }: Claim, old: Status): FieldErrors {
  const field = 'status.reservedFor';
  const { allocation, reservedFor: users = [] } = status;
  if (users.length === 0) return;
  if (!allocation) {
    yield forbidden(field, 'may not be specified when `allocated` is not set');
    return;
  }
  const known = old.reservedFor ?? [];
  if (metadata.deletionTimestamp === undefined || users.every((user) => known.some((one) => equal(user, one)))) return;
  yield forbidden(field, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set');
}

type DeviceId = Pick<Draft<AllocatedDeviceStatus>, 'driver' | 'pool' | 'device' | 'shareID'>;

/** Prints a device as in `driver/pool/device`, with the share if there is one. */
const deviceId = ({ driver = '', pool = '', device = '', shareID }: DeviceId): string =>
  [driver, pool, device, ...(shareID === undefined ? [] : [shareID])].join('/');

/** Drivers report about allocated devices only, once about each. */
function* checkReports({ devices = [], allocation }: Status): FieldErrors {
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceId));
  const seen = new Set<string>();
  for (const [i, report] of devices.entries()) {
    const path = `status.devices[${i}]`;
    const id = deviceId(report);
    if (seen.has(id)) yield duplicate(path, id);
    seen.add(id);
    yield* checkDevice(report, path);
    if (!allocated.has(id)) yield invalidValue(path, id, 'must be an allocated device in the claim');
    yield* conditionErrors(report.conditions, `${path}.conditions`);
    if (report.data !== undefined) yield* checkData(report.data, `${path}.data`);
  }
}

function* checkDevice({ driver = '', pool = '', device = '' }: DeviceId, path: string): FieldErrors {
  yield* checkDriverName(driver, `${path}.driver`);
  yield* checkPoolName(pool, `${path}.pool`);
  yield* checkText(`${path}.device`, device, dns1123Label);
}

function* checkAllocation({ devices = {}, nodeSelector }: Draft<AllocationResult>, names: RequestNames): FieldErrors {
  const path = 'status.allocation';
  for (const [i, result] of (devices.results ?? []).entries()) {
    yield* checkResult(result, `${path}.devices.results[${i}]`, names);
  }
  for (const [i, { requests = [], opaque }] of (devices.config ?? []).entries()) {
    const at = `${path}.devices.config[${i}]`;
    for (const [j, request] of requests.entries()) yield* checkReference(request, `${at}.requests[${j}]`, names);
    yield* checkConfiguration(opaque, at);
  }
  if (nodeSelector) yield* checkNodeSelector(nodeSelector, `${path}.nodeSelector`);
}

const uid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A result names a request of the claim and a device. */
function* checkResult(
  result: Draft<DeviceRequestAllocationResult>,
  path: string,
  names: RequestNames,
): Generator<FieldError> {
  yield* checkReference(result.request ?? '', `${path}.request`, names);
  yield* checkDevice(result, path);
  const { shareID } = result;
  if (shareID === undefined || uid.test(shareID)) return;
  const form =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  yield invalidValue(`${path}.shareID`, shareID, form);
}

/** Prints the state as in `allocated,reserved`. */
function stateOf({ metadata, status = {} }: Claim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  if (!status.allocation) return isDeleted ? 'deleted' : 'pending';
  return [...(isDeleted ? ['deleted'] : []), 'allocated', ...(status.reservedFor?.length ? ['reserved'] : [])].join(
    ',',
  );
}
