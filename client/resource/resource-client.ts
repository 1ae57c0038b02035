/** The requests for objects of one resource, typed by their kind. */

import type { ListOf, ObjectEvent, Status, WatchEvent } from '../types.js';
import type { NewObject } from './new-object.js';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  TableOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import type { CheckedOperation, JsonPatchOperation, MergePatch } from './patch-types.js';
import type { SubresourceOf } from './subresource-client.js';
import type { PartialObject, Table } from './subresource-types.js';
import type { WriteObserver } from './writes.js';

/**
 * Requests that select objects, or carry one that says itself where it belongs. All of them throw `ApiError` when the
 * server refuses, and `ConnectionError` when it does not answer.
 */
export interface CollectionClient<T, A> {
  /** Makes an object; a namespaced one where the client is bound, or where its metadata says. */
  create(object: NewObject<T>, options?: WriteOptions): Promise<T>;
  /** Replaces an object; with a resourceVersion in it only if nobody changed it since. */
  update(object: T, options?: WriteOptions): Promise<T>;
  /** States what the caller wants of an object and lets the server merge it (server-side apply). */
  apply(configuration: NewObject<A>, options: ApplyOptions): Promise<T>;
  /** The part of an object that a manager has applied, to be changed and applied again; sends no request. */
  extract(object: T, manager: string): A;
  /** One list; a chunk of it where `limit` is given. */
  list(options?: ListOptions): Promise<ListOf<T>>;
  /**
   * Chunk after chunk of a consistent list, of 500 objects where `limit` does not say otherwise. One that is read more
   * slowly than the server keeps its history throws an error for which `isGone` is true.
   */
  pages(options?: ListOptions): AsyncGenerator<ListOf<T>, void, undefined>;
  /** Object after object of a consistent list that is read in chunks. */
  each(options?: ListOptions): AsyncGenerator<T, void, undefined>;
  /** Changes as they happen, until the server or the caller ends it. The request is sent when the first is asked for. */
  watch(options?: WatchOptions & { readonly allowWatchBookmarks?: false }): EventsOf<ObjectEvent<T>>;
  /** The same with bookmarks, if they are asked for. */
  watch(options: WatchOptions): EventsOf<WatchEvent<T>>;
  /** The list as the server prints it for people, in rows and columns. */
  table(options?: TableOptions): Promise<Table>;
  /** Lists and watches that send nothing of the objects but their metadata. */
  metadataOnly(): Pick<CollectionClient<PartialObject, unknown>, 'list' | 'pages' | 'each' | 'watch' | 'onWrite'>;
  /**
   * Calls an observer with each write to the resource that is made through this client, or another of the same
   * `createClient`; the write resolves after the observer does. The answer ends that.
   */
  onWrite(observer: WriteObserver): () => void;
}

/** Events in order; to leave the loop over them ends the watch. */
export type EventsOf<Event> = AsyncGenerator<Event, void, undefined>;

/** All requests about the objects of a resource, in one place: the cluster, or one namespace. */
export interface ResourceClient<T, A, S extends string, TStatus = unknown> extends CollectionClient<T, A> {
  /** Reads an object. */
  get(name: string, options?: GetOptions): Promise<T>;
  /** Merges a change into an object (RFC 7396). */
  patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T>;
  /** Changes an object by operations (RFC 6902), all or none. Paths and values that are written out are checked. */
  jsonPatch<Path extends string, Operation extends JsonPatchOperation<Path>>(
    name: string,
    operations: readonly (Operation & CheckedOperation<T, Operation>)[],
    options?: WriteOptions,
  ): Promise<T>;
  /** Deletes an object; resolves to it, or to a Status, as the kind has it. */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  /** Deletes what a list with the same selectors shows. */
  deleteCollection(options?: ListOptions & DeleteOptions): Promise<Status>;
  /** Requests about a part of the object with rights of its own. */
  subresource<Name extends S>(name: Name): SubresourceOf<T, A, TStatus, Name>;
}

/** A resource whose objects live in namespaces: `in` says which; without it lists and watches go across all. */
export interface NamespacedClient<T, A, S extends string, TStatus = unknown> extends CollectionClient<T, A> {
  /** The requests of one namespace. */
  in(namespace: string): ResourceClient<T, A, S, TStatus>;
}

/** A resource of which only at run time is known whether its objects live in namespaces. */
export interface DynamicClient<T, A, S extends string, TStatus = unknown> extends ResourceClient<T, A, S, TStatus> {
  /** Changes nothing for resources of the cluster. */
  in(namespace: string): ResourceClient<T, A, S, TStatus>;
}
