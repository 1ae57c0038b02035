/** Has a server write one object again, if it is stored in another version than the one that stores now. */
import { ApiError, type ApiObjectLike, type DynamicClient, isConflict, isNotFound, sleep } from '../../client/index.js';

/** The client of the resource that an object belongs to. */
export type ResourceOfAny = Pick<DynamicClient<ApiObjectLike, unknown, string>, 'in' | 'metadataOnly'>;

/** `kept`: it was stored in the present version already, or is gone. */
export type Rewriting = 'written' | 'kept' | { readonly problem: string };

/** How often a request is repeated that another write got ahead of, or that the server had no luck with. */
const attempts = 5;

/** The pause before the first repetition after an error of the server, milliseconds; doubled each time. */
const firstPauseMs = 100;

/**
 * Asks for a change of nothing. A server makes no write of that, unless the object was stored in another version. The
 * change builds on the object as it is when it arrives, so nothing that others write in the meantime is lost. Asked again,
 * it does no harm, so it is repeated whatever became of it. Rejects where the server cannot be reached.
 */
export async function rewrite(
  resource: ResourceOfAny,
  { metadata }: ApiObjectLike,
  signal?: AbortSignal,
): Promise<Rewriting> {
  const { name = '', namespace = '', resourceVersion } = metadata;
  for (let attempt = 1; ; attempt++) {
    try {
      const after = await resource.in(namespace).patch(name, {}, signal ? { signal } : {});
      return after.metadata.resourceVersion === resourceVersion ? 'kept' : 'written';
    } catch (error) {
      if (isNotFound(error)) return 'kept';
      if (!(error instanceof ApiError)) throw error;
      const isBroken = error.code >= 500;
      if (attempt === attempts || !(isBroken || isConflict(error))) return { problem: error.message };
      if (isBroken) await sleep(firstPauseMs * 2 ** attempt, signal);
    }
  }
}
