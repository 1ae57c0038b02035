/** CSIStorageCapacity: the free space for volumes of a class, and on which nodes. */
import { defineCSIStorageCapacityHandlers } from '../../generated/storage.platform.io/v1/csistoragecapacities/handlers.js';
import type { FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { formatQuantity, parseQuantity } from '../../runtime/objects/scan/quantity.js';
import { deprecatedLabels, firstWarnings, nodeSelectorWarnings } from '../core/node-labels.js';
import { validateLabelSelector } from '../shared/selectors.js';

export const defineCSIStorageCapacities = (names: Naming): KindHandlers =>
  defineCSIStorageCapacityHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    errorOrder: ['nodeTopology', 'storageClassName', 'capacity'],
    // As in the reference, the size of the largest volume is not checked.
    validate: ({ nodeTopology, capacity }) => [
      ...validateLabelSelector(nodeTopology, 'nodeTopology'),
      ...capacityErrors(capacity),
    ],
    warn: ({ nodeTopology }) =>
      firstWarnings(nodeSelectorWarnings(nodeTopology, 'nodeTopology', deprecatedLabels(names))),
  });

/** A capacity is not negative. */
function capacityErrors(text: string | undefined): readonly FieldError[] {
  const amount = text === undefined ? undefined : parseQuantity(text);
  if (!amount?.ok || amount.value.digits >= 0n) return [];
  return [invalidValue('capacity', formatQuantity(amount.value), 'must be greater than or equal to 0')];
}
