/** Finds the few objects with owners or dependents among all others, by their JSON. */
import type { ApiObjectLike, ResourceDescriptor } from '../../client/index.js';

/** Keys and finalizers of objects that matter, as in compact JSON. */
const marks = ['"ownerReferences":', '"orphan"', '"foregroundDeletion"'];

/**
 * Returns whether JSON of objects may contain one that matters: with owners, waiting for dependents, or known. Only
 * searches the text: every write of every object passes here, and few matter.
 */
export const mayConcern =
  (known: { readonly size: number; has(uid: string): boolean }) =>
  (json: string): boolean =>
    marks.some((mark) => json.includes(mark)) || (known.size > 0 && namesOneOf(json, known));

const uidKey = '"uid":"';

function namesOneOf(json: string, known: { has(uid: string): boolean }): boolean {
  for (let at = json.indexOf(uidKey); at >= 0; at = json.indexOf(uidKey, at)) {
    at += uidKey.length;
    if (known.has(json.slice(at, json.indexOf('"', at)))) return true;
  }
  return false;
}

/** Returns the part of an object that the collector keeps. Its kind replaces PartialObjectMetadata. */
export function relevantPart(
  { metadata }: ApiObjectLike,
  { group, version, kind }: Pick<ResourceDescriptor, 'group' | 'version' | 'kind'>,
): ApiObjectLike {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences } = metadata;
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  };
}
