/** Relations between stored objects: fields that name other objects, and values that only one object may have. */

/** The effect of a delete on the objects that refer to the deleted one. */
export type OnDelete = 'refuse' | 'cascade' | 'clear';

/** A field with the name of another object. That object must exist when the name is written. */
export interface ObjectReference {
  /** The place of the name in objects of the stored version: `spec.project`, or `spec.owners[].user` in a list. */
  readonly field: string;
  /** The group of the named kind; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** The place of the named object's namespace. Default, also without a value there: the object's own namespace. */
  readonly namespaceField?: string;
  readonly onDelete: OnDelete;
}

/** Fields with a combination of values that only one object may have. Objects that lack a field are not compared. */
export interface Uniqueness {
  /** Places in objects of the stored version, such as `spec.host`. */
  readonly fields: readonly string[];
  readonly within: 'namespace' | 'cluster';
  /** A CEL expression over `self`; only objects for which it is true are compared. */
  readonly when?: string;
}
