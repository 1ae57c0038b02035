/** Lease: its columns. Everything else is in the definition. */
import { defineLeaseHandlers } from '../../generated/coordination.platform.io/v1/leases/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';

export const defineLeases = (): KindHandlers =>
  defineLeaseHandlers({
    columns: { Holder: ({ spec }) => spec?.holderIdentity ?? '' },
  });
