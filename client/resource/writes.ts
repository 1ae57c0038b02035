/** Tells those who keep objects of a resource of each write of a client, before the write resolves. */
import type { ApiObjectLike } from '../types.js';

/** A write that the server has made. */
export interface Write {
  readonly kind: 'write' | 'delete' | 'deletecollection';
  /** The version of the group that the write was made in. */
  readonly apiVersion: string;
  /** Where it was made; absent for objects of the cluster. */
  readonly namespace?: string;
  /** Of the object; absent where a collection was deleted. */
  readonly name?: string;
  /** The object as it is now; absent where the answer does not say, as after a delete or a write of a scale. */
  readonly object?: ApiObjectLike;
}

/** Whether a write has brought the end of an object that was being deleted: its answer is the last of it. */
export const isEnd = ({ metadata }: ApiObjectLike): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  Number(metadata.deletionGracePeriodSeconds ?? 0) === 0;

/** Called with each write; the write resolves after it does. */
export type WriteObserver = (write: Write) => Promise<void> | void;

/** The observers of the writes of one client, by resource. Without any, a write costs a look. */
export class WriteObservers {
  readonly #observers = new Map<string, Set<WriteObserver>>();

  /** `resource` is its group and its plural; the answer ends the observing. */
  observe(resource: string, observer: WriteObserver): () => void {
    const observers = this.#observers.get(resource) ?? new Set();
    this.#observers.set(resource, observers.add(observer));
    return () => void observers.delete(observer);
  }

  /** Tells the observers of a resource of a write; resolves when all of them know. */
  async tell(resource: string, write: Write): Promise<void> {
    const observers = this.#observers.get(resource);
    if (observers !== undefined && observers.size > 0) await Promise.all([...observers].map((tell) => tell(write)));
  }

  /** Whether somebody wants to be told of writes of a resource. */
  has(resource: string): boolean {
    return (this.#observers.get(resource)?.size ?? 0) > 0;
  }
}
