/** The storage class of a volume or claim: a field, or the annotation that came before it. */
import type { Naming } from '../../../runtime/objects/naming.js';
import type { VolumeOrClaim } from './columns.js';

/** The annotation that names a class. */
export const classAnnotation = ({ rename }: Naming): string => rename('volume.beta.platform.io/storage-class');

/** The class that counts: the annotation's where there is one. */
export function classOf({ metadata: { annotations }, spec }: VolumeOrClaim, names: Naming): string {
  const key = classAnnotation(names);
  if (annotations && Object.hasOwn(annotations, key)) return annotations[key] ?? '';
  return spec?.storageClassName ?? '';
}
