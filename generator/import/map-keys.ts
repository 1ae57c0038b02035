/** Says of the keys of lists of type map how an item without them counts, which documents leave open. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, list, type Raw, string, strings } from '../../runtime/schema/read.js';
import { childNodes } from '../model/references.js';

/**
 * Marks key properties that are neither required nor have a default: an absent key is the same as its zero. Changes
 * the nodes; `typeNamed` finds the shared type that a `$ref` names.
 */
export function markMapKeys(node: Raw, typeNamed: (reference: string) => Raw): void {
  if (!isObject(node)) return;
  if (node['x-kubernetes-list-type'] === 'map') {
    const reference = string(get(node.items, '$ref'));
    const items = reference === undefined ? node.items : typeNamed(reference);
    for (const key of strings(node['x-kubernetes-list-map-keys'])) markKey(items, key);
  }
  for (const child of childNodes(node)) markMapKeys(child.node, typeNamed);
}

function markKey(items: Raw, key: string): void {
  const property = get(get(items, 'properties'), key);
  if (!isObject(property) || list(get(items, 'required')).includes(key) || property.default !== undefined) return;
  const presence: keyof JsonObject = 'x-kindforge-presence';
  property[presence] ??= 'implicit';
}
