/** Finalizers: names that keep a deleted object until their controllers have cleaned up. */
import { isNotFound } from './errors.js';
import { type Placeable, placed } from './requests.js';
import type { WriteOptions } from './resource/options.js';
import type { JsonPatchOperation } from './resource/patch-types.js';
import type { ApiObjectLike } from './types.js';

/** The part of a client that changes finalizers. */
export interface FinalizerWriter<T> {
  jsonPatch(name: string, operations: readonly JsonPatchOperation[], options?: WriteOptions): Promise<T>;
}

/**
 * Adds a finalizer, unless the object has it or is being deleted: then the server refuses new finalizers. Resolves to
 * the object as it is now. Rejects with a conflict if another client has changed the object.
 */
export async function ensureFinalizer<T extends ApiObjectLike>(
  client: Placeable<FinalizerWriter<T>>,
  object: T,
  finalizer: string,
  options?: WriteOptions,
): Promise<T> {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined || finalizers.includes(finalizer)) return object;
  return setFinalizers(client, object, [...finalizers, finalizer], options);
}

/**
 * Removes a finalizer, if the object has it. The server removes a deleted object with its last finalizer. Rejects with
 * a conflict if another client has changed the object. Has no effect if the object is gone.
 */
export async function removeFinalizer<T extends ApiObjectLike>(
  client: Placeable<FinalizerWriter<T>>,
  object: T,
  finalizer: string,
  options?: WriteOptions,
): Promise<void> {
  const { finalizers = [] } = object.metadata;
  if (!finalizers.includes(finalizer)) return;
  const left = finalizers.filter((one) => one !== finalizer);
  await setFinalizers(client, object, left, options).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function setFinalizers<T extends ApiObjectLike>(
  client: Placeable<FinalizerWriter<T>>,
  object: T,
  finalizers: readonly string[],
  options?: WriteOptions,
): Promise<T> {
  const { name = '', resourceVersion } = object.metadata;
  const operations: JsonPatchOperation[] = [
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/metadata/finalizers', value: finalizers },
  ];
  return placed(client, object).jsonPatch(name, operations, options);
}
