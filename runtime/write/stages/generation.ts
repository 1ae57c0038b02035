/** Counts `metadata.generation`: changes of the desired state, not of metadata, nor of a status with its own subresource. */
import type { ApiObject } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { getOwn } from '../../objects/guards.js';
import type { ServedResource } from '../../resource/served-resource.js';

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
  const { generation, subresources } = resource.module;
  if (generation === 'none') return;
  const apart = subresources.some(({ name }) => name === 'status') ? withStatus : undesired;
  if (sameDesiredState(object, old, apart)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Fields that say nothing of what is wanted. Without a subresource of its own, the status is a field like any. */
const undesired: ReadonlySet<string> = new Set(['metadata', 'apiVersion']);
const withStatus: ReadonlySet<string> = new Set([...undesired, 'status']);

/** Looks at each field in its place: copies without the others would take longer. */
function sameDesiredState(object: ApiObject, old: ApiObject, apart: ReadonlySet<string>): boolean {
  for (const field in object) {
    if (!apart.has(field) && !equal(getOwn(object, field), getOwn(old, field))) return false;
  }
  for (const field in old) {
    if (!apart.has(field) && getOwn(object, field) === undefined && getOwn(old, field) !== undefined) return false;
  }
  return true;
}
