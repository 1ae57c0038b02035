/** The requests about subresources, with the types that each of them takes and returns. */
import type { Status } from '../types.js';
import type { NewObject } from './new-object.js';
import type { ApplyOptions, RequestOptions, WriteOptions } from './options.js';
import type { CheckedOperation, JsonPatchOperation, MergePatch } from './patch-types.js';
import type { Eviction, Scale, TokenRequest } from './subresource-types.js';

/** Requests about a part of an object. The part is sent as an object of the same kind. */
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
  /** Applies the fields that the caller wants in the subresource's part of an existing object. */
  apply(configuration: NewObject<A>, options: ApplyOptions): Promise<T>;
  /** Returns the part of an object that a manager has applied through the subresource. Sends no request. */
  extract(object: T, manager: string): A;
  /** Creates an object of the subresource's own kind: `create<Binding>('web', …)`. */
  create<K>(name: string, object: NewObject<K>, options?: WriteOptions): Promise<K>;
}

/** An apply configuration of the status of an object. */
export type StatusConfiguration<A, TStatus> = Pick<A, Extract<keyof A, 'apiVersion' | 'kind' | 'metadata'>> & {
  status?: TStatus;
};

/** Requests about the number of replicas. */
export type ScaleClient = Omit<SubresourceClient<Scale, Scale>, 'apply' | 'create' | 'extract'>;

/** Evicts a pod. If its disruption budget is used up, throws an error for which `isTooManyRequests` is true. */
export interface EvictionClient {
  /** Evicts the pod of this name. */
  create(name: string, eviction?: NewObject<Eviction>, options?: WriteOptions): Promise<Status>;
}

/** Requests about tokens of a service account. */
export interface TokenClient {
  /** Returns a token for the account of this name, in the status of the answer. */
  create<K = TokenRequest>(name: string, request: NewObject<K>, options?: WriteOptions): Promise<K>;
}

/** The requests that a subresource takes, by its name. */
export type SubresourceOf<T, A, TStatus, Name extends string> = Name extends 'status'
  ? SubresourceClient<T, StatusConfiguration<A, TStatus>>
  : Name extends 'scale'
    ? ScaleClient
    : Name extends 'eviction'
      ? EvictionClient
      : Name extends 'token'
        ? TokenClient
        : SubresourceClient<T, A>;
