/** The storage class of a volume or claim: a field, or the annotation that came before it. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';

/** The annotation that names a class. */
export const classAnnotation = ({ rename }: Naming): string => rename('volume.beta.platform.io/storage-class');

/** The class that counts: the annotation's where there is one. */
export function classOf(object: ApiObject, names: Naming): string {
  const key = classAnnotation(names);
  const { annotations } = object.metadata;
  if (annotations && Object.hasOwn(annotations, key)) return annotations[key] ?? '';
  return stringAt(objectAt(object, 'spec'), 'storageClassName');
}
