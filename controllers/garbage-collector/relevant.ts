/** Tells the few objects that have to do with owners from all others, by their JSON. */
import type { ApiObjectLike, ResourceDescriptor } from '../../client/index.js';

/** Keys and finalizers that have an object matter by itself, as compact JSON has them. */
const marks = ['"ownerReferences":', '"orphan"', '"foregroundDeletion"'];

/**
 * Whether JSON of objects may have one that matters: it has owners, or waits for its dependents, or is known. Only a search
 * in the text, as most objects of a server have nothing of it, and each write of each of them is told.
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

/** The part of an object that the collector keeps, under the kind of the object and not that of its form. */
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
