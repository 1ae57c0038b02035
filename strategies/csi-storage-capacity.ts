/** CSIStorageCapacity: its place, its class, and amounts that cannot be negative. */
import type { ApiObject, FieldError, Strategy } from '../runtime/contract/index.js';
import { dns1123Subdomain } from '../runtime/objects/dns-names.js';
import { invalidValue } from '../runtime/objects/field-error.js';
import { stringAt } from '../runtime/objects/guards.js';
import { formatQuantity, parseQuantity } from '../runtime/objects/quantity.js';
import { checkText } from './parts/field-checks.js';
import { hasInvalidValues, validateLabelSelector } from './parts/label-selector.js';

export function defineCSIStorageCapacityStrategy(): Strategy {
  return {
    kind: 'storage.platform.io/CSIStorageCapacity',
    validate: (object) => [
      // The place cannot be changed, so that a mistaken one can only be an old one.
      ...(object.metadata.resourceVersion && hasInvalidValues(object.nodeTopology)
        ? validateLabelSelector(object.nodeTopology, 'nodeTopology', { allowInvalidValues: true })
        : validateLabelSelector(object.nodeTopology, 'nodeTopology')),
      ...checkText('storageClassName', stringAt(object, 'storageClassName'), dns1123Subdomain),
      ...capacityErrors(object),
    ],
    cell: (object, column) => (column === 'Created At' ? object.metadata.creationTimestamp : undefined),
  };
}

function capacityErrors(object: ApiObject): FieldError[] {
  const read = parseQuantity(stringAt(object, 'capacity'));
  if (!read.ok || read.value.digits >= 0n) return [];
  return [invalidValue('capacity', formatQuantity(read.value), 'must be greater than or equal to 0')];
}
