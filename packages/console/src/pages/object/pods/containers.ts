/** The containers of a pod. */
import type { DynamicObject } from 'kindforge/client';
import { isMembers } from '../../../object/paths.js';

/** Returns the names of all containers: the usual ones, then init containers, then ephemeral containers. */
export function containersOf({ spec }: DynamicObject): readonly string[] {
  if (!isMembers(spec)) return [];
  return [spec.containers, spec.initContainers, spec.ephemeralContainers]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((container) => (isMembers(container) && typeof container.name === 'string' ? [container.name] : []));
}
