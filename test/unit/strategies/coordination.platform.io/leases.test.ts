import { expect, it } from 'vitest';
import type { ApiObject } from '../../../../runtime/contract/index.js';
import { defineLeases } from '../../../../strategies/coordination.platform.io/leases.js';

const handlers = defineLeases();
const stored: ApiObject = {
  apiVersion: 'coordination.platform.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader', namespace: 'default' },
  spec: { holderIdentity: 'me' },
};

it('shows the holder, and an empty text if there is none', () => {
  expect(handlers.columns?.Holder?.(stored, 0)).toBe('me');
  expect(handlers.columns?.Holder?.({ ...stored, spec: {} }, 0)).toBe('');
});
