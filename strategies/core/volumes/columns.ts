/** Cells that tables of volumes and of claims have in common. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { formatQuantity } from '../../../runtime/objects/quantity.js';
import { amountsAt } from '../../shared/resource-list.js';

/** The size at a `capacity`; `0` where none is given. */
export function sizeText(object: JsonObject | undefined): string {
  const size = amountsAt(object, 'capacity').get('storage');
  return size === undefined ? '0' : formatQuantity(size);
}

/** The phase, unless the object is on its way out. */
export function phaseText(object: ApiObject): string {
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return stringAt(objectAt(object, 'status'), 'phase');
}

/** How the volume is handed over. */
export function volumeModeText(object: ApiObject): string {
  const mode = objectAt(object, 'spec')?.volumeMode;
  return typeof mode === 'string' ? mode : '<unset>';
}
