/** Makes an object that can be created again from a deleted one. */
import type { DynamicObject } from 'kindforge/client';

/** Returns a copy without the fields that only the server sets. */
export function withoutServerFields({ status: _, ...object }: DynamicObject): DynamicObject {
  const {
    uid: _uid,
    resourceVersion: _version,
    generation: _generation,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    managedFields: _fields,
    selfLink: _link,
    ...metadata
  } = object.metadata as DynamicObject['metadata'] & Readonly<Record<string, unknown>>;
  return { ...object, metadata };
}
