/** Errors of a pod's spec, in the order in which the API reports them. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** What the checks of a spec may know besides the spec. */
export interface PodSpecContext {
  readonly names: Naming;
  /** Annotations of the pod or template. */
  readonly annotations?: JsonObject | undefined;
}

/** Errors of a spec at a path. */
export function validatePodSpec(_spec: JsonObject, _path: string, _context: PodSpecContext): readonly FieldError[] {
  return [];
}
