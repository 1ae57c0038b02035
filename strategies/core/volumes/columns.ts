/** Cells that tables of volumes and of claims have in common. */
import type { PersistentVolumeClaim } from '../../../generated/core/v1/persistentvolumeclaims/types.js';
import type { PersistentVolume } from '../../../generated/core/v1/persistentvolumes/types.js';
import type { DraftObject } from '../../../runtime/contract/index.js';
import { formatQuantity } from '../../../runtime/objects/scan/quantity.js';
import { amountsOf } from '../../shared/resource-list.js';

/** A volume, or a claim of one. */
export type VolumeOrClaim = DraftObject<PersistentVolume> | DraftObject<PersistentVolumeClaim>;

/** The size in a `capacity`; `0` where none is given. */
export function sizeText(capacity: Record<string, string> | undefined): string {
  const size = amountsOf(capacity).get('storage');
  return size === undefined ? '0' : formatQuantity(size);
}

/** The phase, unless the object is being deleted. */
export const phaseText = ({ metadata, status }: VolumeOrClaim): string =>
  metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating';

/** The volume mode: a file system, or a raw device. */
export const volumeModeText = ({ spec }: VolumeOrClaim): string => spec?.volumeMode ?? '<unset>';
