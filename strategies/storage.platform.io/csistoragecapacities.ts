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
    errorOrder: ['nodeTopology', 'storageClassName', 'capacity', 'maximumVolumeSize'],
    validate: ({ nodeTopology, capacity, maximumVolumeSize }) => [
      ...validateLabelSelector(nodeTopology, 'nodeTopology'),
      ...amountErrors(capacity, 'capacity'),
      ...amountErrors(maximumVolumeSize, 'maximumVolumeSize'),
    ],
    warn: ({ nodeTopology }) =>
      firstWarnings(nodeSelectorWarnings(nodeTopology, 'nodeTopology', deprecatedLabels(names))),
  });

/** An amount is not negative. */
function amountErrors(text: string | undefined, path: string): readonly FieldError[] {
  const amount = text === undefined ? undefined : parseQuantity(text);
  if (!amount?.ok || amount.value.digits >= 0n) return [];
  return [invalidValue(path, formatQuantity(amount.value), 'must be greater than or equal to 0')];
}
