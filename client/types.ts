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

/** One manager's record of the fields that it owns; kept by the server. */
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
  /** Unique among objects of the kind, in its namespace where it has one. */
  name?: string;
  /** A prefix from which the server makes a unique name where none is given. */
  generateName?: string;
  namespace?: string;
  uid?: string;
  /** Opaque: only good to be sent back, or compared for equality. */
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

/** Metadata that an apply may state; what the server owns is not among it, wherever the metadata comes from. */
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

/** Fields that every object has. */
export interface ApiObjectLike {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

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

/** A change as a watch tells it. */
export interface ObjectEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: T;
}

/** An event of a watch that asked for bookmarks. A bookmark has no object: it says up to which revision all was sent. */
export type WatchEvent<T> = ObjectEvent<T> | { type: 'BOOKMARK'; object: ApiObjectLike };
