/** Markers that stand where they mean nothing, as built-in types of Go have some. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { getOwn } from '../../runtime/objects/guards.js';

const ONLY_FOR: Readonly<Record<string, string>> = {
  'x-kubernetes-list-type': 'array',
  'x-kubernetes-list-map-keys': 'array',
  'x-kubernetes-patch-merge-key': 'array',
  'x-kubernetes-map-type': 'object',
};

/** Whether a marker fits a node of this schema; beside a reference that is not looked into. */
export function markerFits(key: string, source: JsonObject): boolean {
  const only = getOwn(ONLY_FOR, key);
  if (only === undefined || source.$ref !== undefined || source.type === undefined) return true;
  // Bytes are a list to servers written in Go.
  return source.type === only || (key === 'x-kubernetes-list-type' && source.format === 'byte');
}
