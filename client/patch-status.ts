/** Writes the status of objects, but only if it changes. */

import { type Placeable, placed } from './requests.js';
import type { WriteOptions } from './resource/options.js';
import type { MergePatch } from './resource/patch-types.js';
import type { ApiObjectLike } from './types.js';
import { isEqual } from './values.js';

/** The part of a client that writes the status. */
export interface StatusWriter<T> {
  subresource(name: 'status'): { patch(name: string, change: object, options?: WriteOptions): Promise<T> };
}

/** A change of the status of a kind: fields to set, and `null` for fields to remove. Lists are replaced. */
export type StatusChange<T> = T extends { readonly status?: infer S } ? MergePatch<NonNullable<S>> : never;

/**
 * Merges a change into the status of an object. Sends nothing if the status already is as wanted. Resolves to the
 * object as it is now. Rejects with a conflict if another client has changed the object.
 */
export async function patchStatus<T extends ApiObjectLike>(
  client: Placeable<StatusWriter<T>>,
  object: T,
  change: StatusChange<T>,
  options?: WriteOptions,
): Promise<T> {
  const before: unknown = 'status' in object ? object.status : undefined;
  if (!changes(before, change)) return object;
  const { name = '', resourceVersion } = object.metadata;
  const metadata = resourceVersion === undefined ? {} : { resourceVersion };
  return placed(client, object).subresource('status').patch(name, { metadata, status: change }, options);
}

/** Returns whether a merge patch (RFC 7396) would change a value. */
function changes(value: unknown, change: unknown): boolean {
  if (change === null || change === undefined) return change === null && value !== undefined;
  if (typeof change !== 'object' || Array.isArray(change)) return !isEqual(value, change);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return Object.entries(change).some(([name, wanted]) =>
    changes(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined, wanted),
  );
}
