/** ResourcePoolStatusRequest: the names of the pools to count, a status that is written once, and its columns. */

import { defineResourcePoolStatusRequestHandlers } from '../../generated/resource.platform.io/v1alpha3/resourcepoolstatusrequests/handlers.js';
import type { ResourcePoolStatusRequest } from '../../generated/resource.platform.io/v1alpha3/resourcepoolstatusrequests/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { conditionErrors } from '../shared/conditions.js';
import { checkBetween, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';
import { checkPoolName } from './device-names.js';

type Request = DraftObject<ResourcePoolStatusRequest>;

export const defineResourcePoolStatusRequests = (): KindHandlers =>
  defineResourcePoolStatusRequestHandlers({
    canonicalize({ spec }) {
      if (spec) spec.limit ??= 100;
    },
    prepareForCreate(request) {
      delete request.status;
    },
    validateCreate: ({ spec }) => firstErrors(checkSpec(spec)),
    validateUpdate: ({ status }, old, { subresource }) => {
      if (subresource !== 'status') return [];
      const isChanged = old.status !== undefined && !equal(status, old.status);
      return [
        ...(isChanged ? [invalidValue('status', status, 'field is immutable')] : []),
        ...conditionErrors(status?.conditions, 'status.conditions'),
      ];
    },
    columns: {
      Total: (request) => sum(request, 'totalDevices'),
      Available: (request) => sum(request, 'availableDevices'),
      Allocated: (request) => sum(request, 'allocatedDevices'),
      Unavailable: (request) => sum(request, 'unavailableDevices'),
      Errors: ({ status }) =>
        status ? String((status.pools ?? []).filter(({ validationError }) => validationError).length) : '-',
      Status: statusText,
    },
  });

function* checkSpec({ driver = '', poolName, limit }: Request['spec'] = {}): FieldErrors {
  yield* checkDriverName(driver, 'spec.driver');
  if (poolName !== undefined) yield* checkPoolName(poolName, 'spec.poolName');
  yield* checkBetween(limit, 'spec.limit', [1, 1000]);
}

type Count = 'totalDevices' | 'availableDevices' | 'allocatedDevices' | 'unavailableDevices';

const sum = ({ status }: Request, count: Count): string =>
  status ? String((status.pools ?? []).reduce((total, pool) => total + Number(pool[count] ?? 0), 0)) : '-';

function statusText({ status }: Request): string {
  const isTrue = (type: string): boolean =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
  if (isTrue('Failed')) return 'Failed';
  return isTrue('Complete') ? 'Complete' : 'Pending';
}
