/** Counts `metadata.generation`: changes of the desired state, not of metadata or status. */
import type { ApiObject } from '../contract/index.js';
import { equal } from '../objects/equality.js';
import type { ServedResource } from './served-resource.js';

/** Sets the first generation of a new object. */
export function startGeneration(resource: ServedResource, object: ApiObject): void {
  const rule = resource.module.generation;
  if (rule === 'counted') object.metadata.generation = 1;
  else if (rule === 'after-change') object.metadata.generation = undefined;
}

/** Counts a change of an existing object; `keepSystemFields` has already taken over the old value. */
export function countGeneration(resource: ServedResource, object: ApiObject, old: ApiObject): void {
  if (resource.module.generation === 'none' || sameDesiredState(object, old)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function sameDesiredState(object: ApiObject, old: ApiObject): boolean {
  const { metadata: _metadata, status: _status, apiVersion: _apiVersion, ...desired } = object;
  const { metadata: _oldMetadata, status: _oldStatus, apiVersion: _oldApiVersion, ...oldDesired } = old;
  return equal(desired, oldDesired);
}
