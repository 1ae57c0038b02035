/** The hash by which discovery tells that objects of a resource are stored in another version than before. */
import { createHash } from 'node:crypto';
import type { ServedResource } from '../resource/served-resource.js';

/** Enough that no two kinds of a cluster are likely to share one. */
const bytes = 8;

/** In base64, the same in all versions of a resource: it is made of the one that stores. */
export function storageVersionHash({ stored: { module } }: ServedResource): string {
  const { group, version, names } = module;
  const digest = createHash('sha256').update(`${group}/${version}/${names.kind}`).digest();
  return digest.subarray(0, bytes).toString('base64');
}
