/**
 * Handlers: the rules of kinds that no schema can express. `strategies/` has one file for each built-in kind with
 * handlers.
 */
import type { Allocation } from './allocation.js';
import type { DraftObject, KindType } from './draft.js';
import type { FieldError } from './failure.js';
import type { HandlerContext } from './handler-context.js';
import type { ApiObject } from './object.js';
import type { ResourceModule } from './resource.js';

/**
 * The rules of one kind that its schema cannot express. The printed `define…Handlers` of the kind takes them, with the
 * kind's own types: `T` is an object of the stored version, `Column` and `Field` are the columns and selectable fields
 * of all versions.
 *
 * Every handler is optional and synchronous. It is pure, except that some change their object in place.
 *
 * Order: decode → prune → schema defaults → `canonicalize` → field ownership → mutating admission →
 * `prepareForCreate`/`prepareForUpdate` → `allocation` → schema validation → `validate`, `validateUpdate` → validating
 * admission → commit.
 */
export interface Handlers<T = ApiObject, Column extends string = string, Field extends string = string> {
  /**
   * Brings a decoded value into its one stored form (secret data, quantities), and fills in defaults that the schema
   * cannot express. The writer owns the fields that this sets, but not the fields that `prepareForCreate` sets.
   */
  readonly canonicalize?: (object: T) => void;
  /** Sets fields of a new object that belong to the server. */
  readonly prepareForCreate?: (object: T, context: HandlerContext) => void;
  /** Sets fields of a changed object that belong to the server; `old` is the stored object and must not be changed. */
  readonly prepareForUpdate?: (object: T, old: T, context: HandlerContext) => void;
  /**
   * Does slow work for the checks of an object in advance and keeps the results. The server handles other requests at
   * each `yield`. For kinds with thousands of expressions or schemas in one object.
   */
  readonly prepareChecks?: (object: T, old: T | undefined, context: HandlerContext) => Iterable<undefined>;
  /** Returns the errors of an object, without looking at the stored one. */
  readonly validate?: (object: T, context: HandlerContext) => readonly FieldError[];
  /** Returns more errors of a new object. Stored objects may have these errors. */
  readonly validateCreate?: (object: T, context: HandlerContext) => readonly FieldError[];
  /** Returns the errors of a change. */
  readonly validateUpdate?: (object: T, old: T, context: HandlerContext) => readonly FieldError[];
  /** Returns warnings for the writer, one header each. `old` is absent for a create. */
  readonly warn?: (object: T, old: T | undefined) => readonly string[];
  /**
   * Checks a name by a rule that no format can express (canonical addresses), in place of the name rule. Returns the
   * problems. `isPrefix` is true for the `generateName` of an object, which may end with a dash.
   */
  readonly validateName?: (name: string, isPrefix: boolean) => readonly string[];
  /** Values that only one object may hold, if the kind has any. Not part of writes through subresources. */
  readonly allocation?: Allocation<T>;
  /** Changes an object when its deletion begins. */
  readonly prepareForDelete?: (object: T, context: HandlerContext) => void;
  /**
   * Reports whether a deletion may remove a live object now. If false, the object stays with a deletion timestamp. A
   * namespace stays until its own finalizers are gone, for example.
   */
  readonly mayRemove?: (object: T) => boolean;
  /**
   * Returns the seconds between a delete and the removal, for kinds that represent something that must first be
   * stopped. `wanted` is the client's wish. The object is removed once `mayRemove` agrees.
   */
  readonly gracePeriod?: (object: T, wanted: number | undefined) => number;
  /**
   * Returns the default propagation policy for deletes sent to a version; `Background` if absent. Objects of kinds with
   * `none` never wait for their dependents.
   */
  readonly propagation?: (version: string) => 'Orphan' | 'Background' | 'none';
  /** The warning for deletes without a propagation policy that leave dependents as orphans. */
  readonly orphanWarning?: string;
  /** The values of selectable fields that are not plain paths; `undefined` means the value at the path. */
  readonly selectableFields?: Readers<Field, (object: T) => string | undefined>;
  /**
   * The cells of columns that no JSONPath can express; `undefined` means the value at the column's path. `now` is in
   * milliseconds since the epoch.
   */
  readonly columns?: Readers<Column, (object: T, now: number) => Cell>;
  /**
   * The order in which the reference reports errors of several fields: paths with `[]` for any index. Errors of
   * `validate` keep their own order. Errors of the schema and of `validateCreate` are inserted among them by this
   * order. Fields that are not listed come last. A path that ends in a dot is for a field that is checked after the
   * fields in it.
   */
  readonly errorOrder?: readonly string[];
  /** The order of errors about immutable fields, if it differs from `errorOrder`. */
  readonly changeOrder?: readonly string[];
  /** The checks of an update, in order. Default: `metadata changes`, `fields`, `field changes`. */
  readonly updateChecks?: readonly UpdateCheck[];
  /** The same for updates through a subresource. */
  readonly subresourceChecks?: readonly UpdateCheck[];
  /** The field with errors that an update reports once more at the end, as the reference does for some kinds. */
  readonly checksAgain?: string;
  /**
   * How strictly the server checks metadata. By default, finalizers without a domain must be standard ones.
   * `any finalizers` drops this rule. `last` drops it too, and checks the metadata of a new object only if everything
   * else is valid.
   */
  readonly metadataChecks?: 'any finalizers' | 'last';
  /**
   * Set if the first delete of an object of this kind only marks the object, without a grace period or a new
   * generation. Plugins see the object's UID as a precondition. A failed precondition has the store's error message.
   * `alone` ignores the propagation policy of this delete.
   */
  readonly marksFirst?: 'alone' | 'with dependents';
}

/**
 * One check of an update. As in the reference, some kinds run a check more than once and repeat its errors. The checks
 * of metadata that all kinds share come first.
 *
 * - `metadata`: the metadata by itself, as in a new object.
 * - `fields`: everything else by itself: the schema and `validate`.
 * - `metadata changes`: fixed metadata that the update changed; labels, annotations, owners and managers again.
 * - `field changes`: immutable fields and `validateUpdate`.
 */
export type UpdateCheck = 'metadata' | 'fields' | 'metadata changes' | 'field changes';

/** Functions by name. Accepts no name if a kind has none: a mapped type over `never` would accept every name. */
type Readers<Name extends string, Read> = [Name] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [N in Name]?: Read };

/** The handlers of a kind with a printed type. They get its objects as drafts. */
export type HandlersOf<T extends KindType, Column extends string = never, Field extends string = never> = Handlers<
  DraftObject<T>,
  Column,
  Field
>;

/** The value of a column in one row of a table. */
export type Cell = string | number | boolean | null | undefined;

/** Handlers with the kind that they belong to, as the printed `define…Handlers` returns them. */
export interface KindHandlers extends Handlers {
  /** The stored version of the kind, under platform names. */
  readonly resource: ResourceModule;
}
