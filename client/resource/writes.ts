/** Reports each write of a client to the caches of the resource, before the write resolves. */
import type { ApiObjectLike } from '../types.js';

/** A write that the server has executed. */
export interface Write {
  readonly kind: 'write' | 'delete' | 'deletecollection';
  /** The group version of the request. */
  readonly apiVersion: string;
  /** The namespace; absent for objects of the cluster. */
  readonly namespace?: string;
  /** Of the object; absent if a collection was deleted. */
  readonly name?: string;
  /** The object as it is now. Absent if the answer does not have it, as after a delete or a write of a scale. */
  readonly object?: ApiObjectLike;
}

/**
 * Returns whether a write removed the object in its answer: the object was being deleted, and no finalizer holds it any
 * more.
 */
export const isEnd = ({ metadata }: ApiObjectLike): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  Number(metadata.deletionGracePeriodSeconds ?? 0) === 0;

/** Called with each write. The write resolves after this does. */
export type WriteObserver = (write: Write) => Promise<void> | void;

/** The observers of one client's writes, by resource. Without observers, a write costs one look-up. */
export class WriteObservers {
  readonly #observers = new Map<string, Set<WriteObserver>>();

  /** Adds an observer. `resource` is the group and the plural. The returned function removes it. */
  observe(resource: string, observer: WriteObserver): () => void {
    const observers = this.#observers.get(resource) ?? new Set();
    this.#observers.set(resource, observers.add(observer));
    return () => void observers.delete(observer);
  }

  /** Calls the observers of a resource with a write. Resolves when all of them have resolved. */
  async notify(resource: string, write: Write): Promise<void> {
    const observers = this.#observers.get(resource);
    if (observers !== undefined && observers.size > 0) await Promise.all([...observers].map((tell) => tell(write)));
  }

  /** Returns whether a resource has observers. */
  has(resource: string): boolean {
    return (this.#observers.get(resource)?.size ?? 0) > 0;
  }
}
