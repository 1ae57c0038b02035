/** Puts a finalizer on what is not being deleted, and takes it off what is, once that is out of use. */
import type { ApiObjectLike, JsonPatchOperation, ResourceClient } from '../client/index.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';

export interface Protection {
  readonly finalizer: string;
  /** Asked about objects that are being deleted. */
  readonly isInUse: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** A conflict is thrown: the object is another by now, and its change has it looked at again. */
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
