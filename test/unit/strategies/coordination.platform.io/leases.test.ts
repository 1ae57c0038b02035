/** Lease: cells. */
import { expect, it } from 'vitest';
import type { ApiObject } from '../../../../runtime/contract/index.js';
import { defineLeaseStrategy } from '../../../../strategies/coordination.platform.io/leases.js';
import { testStrategy } from '../../../support/strategy-suite.js';

const strategy = defineLeaseStrategy();
const stored: ApiObject = {
  apiVersion: 'coordination.platform.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader', namespace: 'default' },
  spec: { holderIdentity: 'me' },
};

testStrategy({ strategy, stored, columns: ['Holder'] });

it('shows the holder, and an empty text where there is none', () => {
  expect(strategy.cell?.(stored, 'Holder', 0)).toBe('me');
  expect(strategy.cell?.({ ...stored, spec: {} }, 'Holder', 0)).toBe('');
});
