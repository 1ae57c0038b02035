/** Finds the unknown fields of a body in another version than the path names, to be told before it is refused. */
import type { JsonObject } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { parseGroupVersion } from '../../objects/gvk.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { readObjectMeta } from './object-meta.js';

const head: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Paths of the fields that the version which a body is in does not know; `undefined` where its fields are not looked
 * at: those of another group or kind, and of built-in kinds those of a version that nobody knows. Of a custom resource
 * a version that its definition does not have knows no fields at all.
 */
export function unknownInItsVersion(resource: ServedResource, body: JsonObject): readonly string[] | undefined {
  const { apiVersion, kind } = body;
  const { module, sibling } = resource;
  if (typeof apiVersion !== 'string' || kind !== module.names.kind) return undefined;
  const version = sibling(apiVersion);
  const isCustom = module.decoding === 'structural';
  if (version === undefined && (!isCustom || parseGroupVersion(apiVersion)?.group !== module.group)) return undefined;
  const unknown: string[] = [];
  const report = (path: string): unknown => unknown.push(path);
  const object = clone(body);
  if (!readObjectMeta(object.metadata, report).ok) return undefined;
  if (version === undefined) {
    return [
      ...unknown,
      ...Object.keys(object)
        .filter((field) => !head.has(field))
        .sort(),
    ];
  }
  if (version.functions.normalize?.(object) !== undefined) return undefined;
  version.functions.prune(object, report);
  return unknown;
}
