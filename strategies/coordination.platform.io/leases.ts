/** Lease: its columns. The definition has everything else. */
import { defineLeaseHandlers } from '../../generated/coordination.platform.io/v1/leases/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';

export const defineLeases = (): KindHandlers =>
  defineLeaseHandlers({
    metadataChecks: 'any finalizers',
    columns: { Holder: ({ spec }) => spec?.holderIdentity ?? '' },
  });
