/** All containers of a pod, whatever they are for. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectsAt } from '../../shared/reading.js';

/** Where a spec has containers, in the order in which they are looked at. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A container and its path. */
export interface VisitedContainer {
  readonly container: JsonObject;
  readonly path: string;
}

/** Every container of the spec at a path. */
export function* visitContainers(spec: JsonObject, path: string): Iterable<VisitedContainer> {
  for (const list of lists) {
    for (const [i, container] of objectsAt(spec, list).entries()) yield { container, path: `${path}.${list}[${i}]` };
  }
}
