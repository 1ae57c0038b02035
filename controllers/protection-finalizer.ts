/** Adds a finalizer to an object, and removes it once the object is deleted and out of use. */
import type { ApiObjectLike, JsonPatchOperation, ResourceClient } from '../client/index.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';

export interface Protection {
  readonly finalizer: string;
  /** Returns whether an object that is being deleted is in use. */
  readonly isInUse: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Adds or removes the finalizer. Throws a conflict if the object has changed; the change queues it again. */
export async function settleFinalizer<T extends ApiObjectLike>(
  objects: Pick<ResourceClient<T, unknown, string>, 'jsonPatch'>,
  { metadata }: ApiObjectLike,
  { finalizer, isInUse, signal }: Protection,
): Promise<void> {
  const { name = '', resourceVersion, finalizers = [], deletionTimestamp } = metadata;
  const isHeld = finalizers.includes(finalizer);
  const isEnding = deletionTimestamp !== undefined;
  if (isHeld !== isEnding || (isEnding && (await isInUse()))) return;
  const wanted = isEnding ? finalizers.filter((each) => each !== finalizer) : [...finalizers, finalizer];
  const operations: JsonPatchOperation[] = [
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/metadata/finalizers', value: wanted },
  ];
  await objects.jsonPatch(name, operations, { signal }).catch(ignoreNotFound);
}
