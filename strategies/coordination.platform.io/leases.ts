/** Lease: how tables show it. Everything else is in the definition. */
import type { Strategy } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

export function defineLeaseStrategy(): Strategy {
  return {
    kind: 'coordination.platform.io/Lease',
    cell: (object, column) => (column === 'Holder' ? stringAt(objectAt(object, 'spec'), 'holderIdentity') : undefined),
  };
}
