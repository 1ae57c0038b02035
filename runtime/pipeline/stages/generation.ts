/** Counts `metadata.generation`: changes of the desired state, not of metadata or status. */
import type { ApiObject } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { getOwn } from '../../objects/guards.js';
import type { ServedResource } from '../served-resource.js';

/** The part of an attempt that it looks at. */
interface Counted {
  readonly write: { readonly resource: Pick<ServedResource, 'module'> };
  readonly object: ApiObject;
}

/** Sets the first generation of a new object. */
export function startGeneration({ write: { resource }, object }: Counted): void {
  const rule = resource.module.generation;
  if (rule === 'counted') object.metadata.generation = 1;
  else if (rule === 'after-change') object.metadata.generation = undefined;
}

/** Counts a change of an existing object; `keepSystemFields` has already taken over the old value. */
export function countGeneration({ write: { resource }, object, old }: Counted & { readonly old: ApiObject }): void {
  if (resource.module.generation === 'none' || sameDesiredState(object, old)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Fields that say nothing of what is wanted. */
const undesired: ReadonlySet<string> = new Set(['metadata', 'status', 'apiVersion']);

/** Looks at each field in its place: copies without the others would take longer. */
function sameDesiredState(object: ApiObject, old: ApiObject): boolean {
  for (const field in object) {
    if (!undesired.has(field) && !equal(getOwn(object, field), getOwn(old, field))) return false;
  }
  for (const field in old) {
    if (!undesired.has(field) && getOwn(object, field) === undefined && getOwn(old, field) !== undefined) return false;
  }
  return true;
}
