import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineResourceClaimsV1alpha2 } from '../../../../strategies/resource.platform.io/resourceclaims-v1alpha2.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineResourceClaimsV1alpha2();
const claim = (status: JsonObject, deletionTimestamp?: string): ApiObject =>
  objectOf(
    handlers,
    { spec: { resourceClassName: 'gpu', allocationMode: 'Immediate' }, status },
    { name: 'c', namespace: 'default', ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
  );
const pod = (uid: string): JsonObject => ({ resource: 'pods', name: uid, uid });
const allocated = { driverName: 'example.com', allocation: { shareable: true } };

const deleted = '2024-01-01T00:00:00Z';
it.each([
  [claim({ allocation: {} }), claim({}), ['status.driverName']],
  [claim({ driverName: 'a_b' }), claim({}), ['status.driverName']],
  [claim({ driverName: `${'d'.repeat(60)}.com` }), claim({}), ['status.driverName']],
  [
    claim({ ...allocated, allocation: { resourceHandles: [{ data: 'x' }, { driverName: 'GPU.example.com' }] } }),
    claim({}),
    ['status.allocation.resourceHandles[0].driverName', 'status.allocation.resourceHandles[0].driverName'],
  ],
  [
    claim({ ...allocated, allocation: { availableOnNodes: { nodeSelectorTerms: [] } } }),
    claim({}),
    ['status.allocation.availableOnNodes.nodeSelectorTerms'],
  ],
  [claim({ reservedFor: [pod('1')] }), claim({}), ['status.reservedFor']],
  [claim({ ...allocated, allocation: {}, reservedFor: [pod('1'), pod('2')] }), claim({}), ['status.reservedFor']],
  [claim({ ...allocated, reservedFor: [pod('1')] }, deleted), claim(allocated, deleted), ['status.reservedFor']],
  [claim({ ...allocated, allocation: {} }), claim(allocated), ['status.allocation']],
  [
    claim({ ...allocated, deallocationRequested: true, reservedFor: [pod('1')] }),
    claim({ ...allocated, reservedFor: [pod('1')] }),
    ['status.deallocationRequested'],
  ],
  [claim({ deallocationRequested: true }), claim({}), ['status']],
  [claim(allocated), claim({ ...allocated, deallocationRequested: true }), ['status.deallocationRequested']],
  [claim({ driverName: 'example.com' }), claim({ ...allocated, deallocationRequested: true }), []],
])('case %#', (object, old, expected) => {
  const found = handlers.validateUpdate?.(object, old, contextOf({ subresource: 'status' })) ?? [];
  expect(found.map(({ field }) => field)).toEqual(expected);
});

it.each([
  [claim({}), 'pending'],
  [claim(allocated), 'allocated'],
  [claim({ ...allocated, reservedFor: [pod('1')] }), 'allocated,reserved'],
  [claim({ ...allocated, deallocationRequested: true }, deleted), 'deleted,allocated,deallocation-requested'],
  [claim({}, deleted), 'deleted'],
])('shows its state, case %#', (object, state) => expect(handlers.columns?.State?.(object, 0)).toBe(state));
