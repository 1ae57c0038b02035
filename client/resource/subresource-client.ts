/** The requests about subresources, typed by what each of them takes and gives. */
import type { Status } from '../types.js';
import type { NewObject } from './new-object.js';
import type { ApplyOptions, RequestOptions, WriteOptions } from './options.js';
import type { CheckedOperation, JsonPatchOperation, MergePatch } from './patch-types.js';
import type { Eviction, Scale, TokenRequest } from './subresource-types.js';

/** Requests about a part of an object, which is sent as an object of the same kind. */
export interface SubresourceClient<T, A> {
  /** Reads the subresource of an object. */
  get(name: string, options?: RequestOptions): Promise<T>;
  /** Replaces the subresource's part of the object. */
  update(object: T, options?: WriteOptions): Promise<T>;
  /** Merges a change into the part (RFC 7396). */
  patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T>;
  /** Changes the part by operations (RFC 6902), all or none. */
  jsonPatch<Path extends string, Operation extends JsonPatchOperation<Path>>(
    name: string,
    operations: readonly (Operation & CheckedOperation<T, Operation>)[],
    options?: WriteOptions,
  ): Promise<T>;
  /** States what the caller wants of the subresource's part of an object that is there. */
  apply(configuration: NewObject<A>, options: ApplyOptions): Promise<T>;
  /** The part of an object that a manager has applied through the subresource; sends no request. */
  extract(object: T, manager: string): A;
  /** Asks for something in a kind of the subresource's own: `create<Binding>('web', …)`. */
  create<K>(name: string, object: NewObject<K>, options?: WriteOptions): Promise<K>;
}

/** An apply configuration of the status of an object. */
export type StatusConfiguration<A, TStatus> = Pick<A, Extract<keyof A, 'apiVersion' | 'kind' | 'metadata'>> & {
  status?: TStatus;
};

/** Requests about how many replicas an object wants. */
export type ScaleClient = Omit<SubresourceClient<Scale, Scale>, 'apply' | 'create' | 'extract'>;

/** Evicts a pod; a budget that is used up refuses with an error for which `isTooManyRequests` is true. */
export interface EvictionClient {
  /** Asks for the eviction of a pod. */
  create(name: string, eviction?: NewObject<Eviction>, options?: WriteOptions): Promise<Status>;
}

/** Asks for tokens of a service account. */
export interface TokenClient {
  /** Asks for a token. */
  create<K = TokenRequest>(name: string, request: NewObject<K>, options?: WriteOptions): Promise<K>;
}

/** The client of a subresource by its name. */
export type SubresourceOf<T, A, TStatus, Name extends string> = Name extends 'status'
  ? SubresourceClient<T, StatusConfiguration<A, TStatus>>
  : Name extends 'scale'
    ? ScaleClient
    : Name extends 'eviction'
      ? EvictionClient
      : Name extends 'token'
        ? TokenClient
        : SubresourceClient<T, A>;
