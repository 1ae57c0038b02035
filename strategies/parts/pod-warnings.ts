/** Warnings about pods: fields that are deprecated, or that cannot mean what their writer thinks. */
import type { JsonObject } from '../../runtime/contract/index.js';

/** Warnings about a spec at a path; `metadata` is the pod's or the template's. */
export function podSpecWarnings(
  _spec: JsonObject,
  _path: string,
  _metadata: JsonObject | undefined,
): readonly string[] {
  return [];
}
