/** The requests for objects of one resource, typed by their kind. */

import type { ListOf, ObjectEvent, Status, WatchEvent } from '../types.js';
import type { NewObject } from './new-object.js';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PageOptions,
  TableOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import type { CheckedOperation, JsonPatchOperation, MergePatch } from './patch-types.js';
import type { SubresourceOf } from './subresource-client.js';
import type { PartialObject, Table } from './subresource-types.js';
import type { WriteObserver } from './writes.js';

/**
 * Requests that select objects, or send one with its namespace and name. All of them throw an `ApiError` when the
 * server refuses, and a `ConnectionError` when it does not answer.
 */
export interface CollectionClient<T, A> {
  /** Creates an object, in the namespace of the client or of its metadata. */
  create(object: NewObject<T>, options?: WriteOptions): Promise<T>;
  /** Replaces an object. With a resourceVersion in it, only if nobody has changed it since. */
  update(object: T, options?: WriteOptions): Promise<T>;
  /** Applies the fields that the caller wants; the server merges them (server-side apply). */
  apply(configuration: NewObject<A>, options: ApplyOptions): Promise<T>;
  /** Returns the part of an object that a manager has applied, to change and apply again. Sends no request. */
  extract(object: T, manager: string): A;
  /** Reads one list, or a chunk of it if `limit` is given. */
  list(options?: ListOptions): Promise<ListOf<T>>;
  /**
   * Yields the chunks of a consistent list, of 500 objects or `limit`. If the reader is slower than the server's
   * history, throws an error for which `isGone` is true, or does what `whenExpired` says.
   */
  pages(options?: PageOptions): AsyncGenerator<ListOf<T>, void, undefined>;
  /** Yields the objects of a consistent list, chunk by chunk. */
  each(options?: PageOptions): AsyncGenerator<T, void, undefined>;
  /**
   * Yields changes as they happen, until the server or the caller ends it. Sends the request when the first change is
   * read.
   */
  watch(options?: WatchOptions & { readonly allowWatchBookmarks?: false }): EventsOf<ObjectEvent<T>>;
  /** Yields changes and, if requested, bookmarks. */
  watch(options: WatchOptions): EventsOf<WatchEvent<T>>;
  /** Reads the list as the server shows it to people, in rows and columns. */
  table(options?: TableOptions): Promise<Table>;
  /** Returns a client for lists and watches that only have the metadata of the objects. */
  metadataOnly(): Pick<
    CollectionClient<PartialObject, unknown>,
    'list' | 'pages' | 'each' | 'watch' | 'onWrite' | 'streamsLists'
  >;
  /**
   * Calls an observer with each write to the resource through this client, or another client with the same
   * `createClient`. The write resolves after the observer does. The returned function removes the observer.
   */
  onWrite(observer: WriteObserver): () => void;
  /**
   * Resolves to whether the server sends the state of a collection in a watch (`sendInitialEvents`). Asks the server
   * once.
   */
  streamsLists(): Promise<boolean>;
}

/** Events in order. Leaving the loop over them ends the watch. */
export type EventsOf<Event> = AsyncGenerator<Event, void, undefined>;

/** All requests about objects of a resource, in the cluster or in one namespace. */
export interface ResourceClient<T, A, S extends string, TStatus = unknown> extends CollectionClient<T, A> {
  /** Returns the object. Throws an error for which `isNotFound` is true if it does not exist. */
  get(name: string, options?: GetOptions): Promise<T>;
  /** Merges a change into an object (RFC 7396). */
  patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T>;
  /** Changes an object by operations (RFC 6902), all or none. Literal paths and values are type-checked. */
  jsonPatch<Path extends string, Operation extends JsonPatchOperation<Path>>(
    name: string,
    operations: readonly (Operation & CheckedOperation<T, Operation>)[],
    options?: WriteOptions,
  ): Promise<T>;
  /** Deletes an object. Resolves to it, or to a Status, as the kind answers. */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  /** Deletes the objects that a list with the same selectors shows. */
  deleteCollection(options?: ListOptions & DeleteOptions): Promise<Status>;
  /** Returns the requests about a subresource. */
  subresource<Name extends S>(name: Name): SubresourceOf<T, A, TStatus, Name>;
}

/** A namespaced resource. `in` selects one namespace. Without it, lists and watches cover all. */
export interface NamespacedClient<T, A, S extends string, TStatus = unknown> extends CollectionClient<T, A> {
  /** Returns the requests of one namespace. */
  in(namespace: string): ResourceClient<T, A, S, TStatus>;
}

/** A resource that may or may not be namespaced, which is only known at run time. */
export interface DynamicClient<T, A, S extends string, TStatus = unknown> extends ResourceClient<T, A, S, TStatus> {
  /** Has no effect if the resource is not namespaced. */
  in(namespace: string): ResourceClient<T, A, S, TStatus>;
}
