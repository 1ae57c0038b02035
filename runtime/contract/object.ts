/** The values that bodies decode to, and the envelope that every stored object and every list shares. */

/**
 * A decoded value. Integers beyond ±(2^53−1) are `bigint`, so that int64 stays exact; every other number is a `number`.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A decoded object. A key that holds `undefined` is the same as an absent key and is never encoded. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** One field manager's record of what it owns (`metadata.managedFields[]`). */
export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  /** RFC 3339, seconds. */
  time?: string;
  fieldsType?: 'FieldsV1';
  fieldsV1?: JsonObject;
  /** Empty for the object itself. */
  subresource?: string;
}

/** A reference from a dependent object to an owner. */
export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Metadata of an object. Times are RFC 3339 in UTC with whole seconds. */
export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  /** Opaque to clients; the decimal store revision inside the server. */
  resourceVersion?: string;
  /** Counts changes of the desired state, from 1. */
  generation?: number;
  /** Null for objects that were never created, such as the answer to a review. */
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** Any API object with checked metadata. The other fields depend on the kind. */
export interface ApiObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Metadata of a collection. */
export interface ListMeta extends JsonObject {
  resourceVersion?: string;
  /** Token for the next chunk; absent at the end. */
  continue?: string;
  /** The number of items after this chunk; absent at the end, and for lists with a selector. */
  remainingItemCount?: number;
}
