/** Adds a finalizer to an object, and removes it once the object is deleted and out of use. */
import { type ApiObjectLike, ensureFinalizer, type FinalizerWriter, removeFinalizer } from '../client/index.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';

export interface Protection {
  readonly finalizer: string;
  /** Returns whether an object that is being deleted is in use. */
  readonly isInUse: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Adds or removes the finalizer. Throws a conflict if the object has changed; the change queues it again. */
export async function settleFinalizer<T extends ApiObjectLike>(
  objects: FinalizerWriter<T>,
  object: T,
  { finalizer, isInUse, signal }: Protection,
): Promise<void> {
  if (object.metadata.deletionTimestamp === undefined)
    await ensureFinalizer(objects, object, finalizer, { signal }).catch(ignoreNotFound);
  else if (object.metadata.finalizers?.includes(finalizer) && !(await isInUse()))
    await removeFinalizer(objects, object, finalizer, { signal });
}
