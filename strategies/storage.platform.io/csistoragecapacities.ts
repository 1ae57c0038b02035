/** CSIStorageCapacity: where how much room is left for volumes of a class. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isString, objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { formatQuantity, parseQuantity } from '../../runtime/objects/quantity.js';
import { deprecatedLabels, firstWarnings, nodeSelectorWarnings } from '../core/nodes/labels.js';
import { validateLabelSelector } from '../shared/label-selector.js';

export function defineCSIStorageCapacityStrategy(names: Naming): Strategy {
  return {
    kind: 'storage.platform.io/CSIStorageCapacity',
    validate: (capacity) => [
      ...validateLabelSelector(capacity.nodeTopology, 'nodeTopology'),
      ...amountErrors(capacity, 'capacity'),
      ...amountErrors(capacity, 'maximumVolumeSize'),
    ],
    warnings: (capacity) =>
      firstWarnings(nodeSelectorWarnings(objectAt(capacity, 'nodeTopology'), 'nodeTopology', deprecatedLabels(names))),
  };
}

function amountErrors(capacity: ApiObject, field: string): readonly FieldError[] {
  const text = capacity[field];
  const amount = isString(text) ? parseQuantity(text) : undefined;
  if (!amount?.ok || amount.value.digits >= 0n) return [];
  return [invalidValue(field, formatQuantity(amount.value), 'must be greater than or equal to 0')];
}
