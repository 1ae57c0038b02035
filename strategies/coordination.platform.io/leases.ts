/** Lease: its columns. Everything else is in the definition. */
import type { Lease } from '../../generated/coordination.platform.io/v1/leases/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';

export const defineLeaseStrategy = (): Strategy =>
  defineStrategy<Lease>('coordination.platform.io/Lease', {
    cell: ({ spec }, column) => (column === 'Holder' ? (spec?.holderIdentity ?? '') : undefined),
  });
