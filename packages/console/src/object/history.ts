/** Reads earlier revisions of an object, as far as the server keeps them. */
import { ApiError, type DynamicObject, isGone, type ListOf, type ListOptions } from 'kindforge/client';

/** The part of a client that is needed. */
interface Lister {
  list(options: ListOptions): Promise<ListOf<DynamicObject>>;
}

export interface History {
  /** The newest first; the object itself is the first. */
  readonly revisions: readonly DynamicObject[];
  /**
   * The reason why the list ends: the object was created then, the server keeps no older revisions, or the limit was
   * reached.
   */
  readonly end: 'created' | 'forgotten' | 'limit';
}

/**
 * Reads earlier revisions of an object with lists at exact revisions: the state just before the newest change, then the
 * state just before that, and so on. `client` is for the object's namespace. Only subtracts one from numbers of
 * revisions: these servers number revisions upwards. Throws an `ApiError` if the server cannot list by name.
 */
export async function readHistory(
  client: Lister,
  object: DynamicObject,
  { limit = 20, signal }: { readonly limit?: number; readonly signal?: AbortSignal } = {},
): Promise<History> {
  const revisions = [object];
  for (let before = previousOf(object); revisions.length < limit; ) {
    if (before === undefined) return { revisions, end: 'forgotten' };
    const found = await readRevision(client, object, before, signal);
    if (typeof found === 'string') return { revisions, end: found };
    revisions.push(found);
    before = previousOf(found);
  }
  return { revisions, end: 'limit' };
}

/**
 * Resolves to the object at a revision, or to the reason why there is none: it was created later, or the server has
 * forgotten this revision. Throws an `ApiError` if the server cannot list by name.
 */
export async function readRevision(
  client: Lister,
  { metadata: { name = '', uid } }: DynamicObject,
  resourceVersion: string,
  signal?: AbortSignal,
): Promise<DynamicObject | 'created' | 'forgotten'> {
  const place = { fieldSelector: nameSelector(name), resourceVersion, resourceVersionMatch: 'Exact' } as const;
  try {
    const [found] = (await client.list({ ...place, ...(signal ? { signal } : {}) })).items;
    // A deleted object may have had the same name: it is another object.
    return found?.metadata.uid === uid && found !== undefined ? found : 'created';
  } catch (error) {
    if (isGone(error) || (error instanceof ApiError && error.code === 504)) return 'forgotten';
    throw error;
  }
}

/**
 * Resolves to whether the server still has the state before the last change of the object, or knows that there was
 * none.
 */
export const hasHistory = (client: Lister, object: DynamicObject, signal?: AbortSignal): Promise<boolean> =>
  readHistory(client, object, { limit: 2, ...(signal ? { signal } : {}) }).then(
    ({ end }) => end !== 'forgotten',
    () => false,
  );

/**
 * Returns an object with the content of an earlier revision, to save over its present state. Restores labels,
 * annotations and all fields outside the metadata. `keepsStatus` is for kinds with a status subresource.
 */
export function restored(revision: DynamicObject, present: DynamicObject, keepsStatus: boolean): DynamicObject {
  const { labels: _labels, annotations: _annotations, ...metadata } = present.metadata;
  const { labels, annotations } = revision.metadata;
  const { status: _status, ...content } = revision;
  const status = (keepsStatus ? present : revision).status;
  return {
    ...content,
    metadata: { ...metadata, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns the field selector that finds an object by its name. */
export const nameSelector = (name: string): string => `metadata.name=${name.replaceAll(/[\\,=]/g, '\\$&')}`;

/** Returns the revision just before an object's own one, or `undefined` if revisions of the server are not numbers. */
function previousOf({ metadata: { resourceVersion = '' } }: DynamicObject): string | undefined {
  return /^[1-9]\d{0,30}$/.test(resourceVersion) && resourceVersion !== '1'
    ? String(BigInt(resourceVersion) - 1n)
    : undefined;
}
