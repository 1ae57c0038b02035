import { expect, it } from 'vitest';
import { defineLeases } from '../../../../strategies/coordination.platform.io/leases.js';
import { objectOf } from '../../../support/field-errors.js';

const handlers = defineLeases();
const stored = objectOf(handlers, { spec: { holderIdentity: 'me' } });

it('shows the holder, and an empty text if there is none', () => {
  expect(handlers.columns?.Holder?.(stored, 0)).toBe('me');
  expect(handlers.columns?.Holder?.({ ...stored, spec: {} }, 0)).toBe('');
});
