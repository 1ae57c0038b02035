/**
 * Has annotations that keep fields of other versions survive a replacement by a client that knows nothing of them.
 */
import type { ApiObject } from '../contract/index.js';
import { getOwn } from '../objects/guards.js';
import type { ServedResource } from '../resource/served-resource.js';

/** Takes over the annotations that the next object leaves out, in place. Whoever wants one gone says so by a patch. */
export function keepAnnotations({ keptAnnotations }: ServedResource, next: ApiObject, current: ApiObject): void {
  const { annotations: before = {} } = current.metadata;
  for (const key of keptAnnotations) {
    const kept = getOwn(before, key);
    if (kept === undefined || getOwn(next.metadata.annotations ?? {}, key) !== undefined) continue;
    next.metadata.annotations = { ...next.metadata.annotations, [key]: kept };
  }
}
