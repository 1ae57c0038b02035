/** Types that all kinds share, as users of the SDK see them. */

/** A reference from a dependent object to its owner. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The fields that one manager owns, as the server records them. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

/** Metadata of an object. Times are RFC 3339. */
export interface ObjectMeta {
  /** Unique among objects of the kind, in the namespace if it has one. */
  name?: string;
  /** A prefix from which the server makes a unique name if `name` is absent. */
  generateName?: string;
  namespace?: string;
  uid?: string;
  /** Opaque: only for sending back, or comparing for equality. */
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number | bigint;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** Metadata of a list. */
export interface ListMeta {
  resourceVersion?: string;
  /** Token of the next chunk; absent at the end. */
  continue?: string;
  remainingItemCount?: number;
}

/** Metadata that an apply may contain. The fields that the server sets are not part of it. */
export interface ApplyObjectMeta {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: never;
  uid?: never;
  resourceVersion?: never;
  generation?: never;
  creationTimestamp?: never;
  deletionTimestamp?: never;
  deletionGracePeriodSeconds?: never;
}

/** The fields that every object of the API has. */
export interface ApiObjectLike {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/**
 * The name of an object of a kind, in a field that refers to it. Accepts every string, but not the name of an object of
 * another kind.
 */
export type Reference<Kind extends string> = string & { readonly ' names a'?: Kind };

/** A collection, or a chunk of it. */
export interface ListOf<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

/** The answer to requests that fail, and to some that succeed. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: ListMeta;
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
    retryAfterSeconds?: number;
  };
  code?: number;
}

/** A change in a watch. */
export interface ObjectEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: T;
}

/**
 * An event of a watch with bookmarks. A bookmark has no object, only the revision up to which the server has sent
 * everything.
 */
export type WatchEvent<T> = ObjectEvent<T> | { type: 'BOOKMARK'; object: ApiObjectLike };
