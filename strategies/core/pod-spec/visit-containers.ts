/** Visits all containers of a pod, of whatever kind. */
import type { Container, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';

/** The lists of containers of a spec, in the order in which they are visited. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A container and its path. */
export interface VisitedContainer {
  readonly container: Draft<Container>;
  readonly path: string;
}

/** Every container of the spec at a path. */
export function* visitContainers(spec: Draft<PodSpec>, path: string): Iterable<VisitedContainer> {
  for (const list of lists) {
    for (const [i, container] of (spec[list] ?? []).entries()) yield { container, path: `${path}.${list}[${i}]` };
  }
}
