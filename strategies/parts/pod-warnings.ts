/** Warnings about pods: fields that are deprecated, or that cannot mean what their writer thinks. */
import type { JsonObject } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** What warnings depend on besides the spec. */
export interface PodWarningContext {
  readonly names: Naming;
  /** Of the pod or the template. */
  readonly metadata: JsonObject | undefined;
}

/** Warnings about a spec at a path. */
export function podSpecWarnings(_spec: JsonObject, _path: string, _context: PodWarningContext): readonly string[] {
  return [];
}
