/** What kinds do beyond their schemas; the built-in kinds' are in `strategies/`, one file each. */
import type { Allocation } from './allocation.js';
import type { DraftObject, KindType } from './draft.js';
import type { FieldError } from './failure.js';
import type { HandlerContext } from './handler-context.js';
import type { ApiObject } from './object.js';
import type { ResourceModule } from './resource.js';

/**
 * What one kind does beyond its schema. The printed `define…Handlers` of the kind takes them, with the kind's own types:
 * `T` is an object of the stored version, `Column` and `Field` are the columns and selectable fields of all versions.
 *
 * Every handler is optional, synchronous and pure but for the object it may change in place. Order:
 * decode → prune → `pruneLater` → schema defaults → `canonicalize` → field ownership → mutating admission →
 * `prepareForCreate`/`prepareForUpdate` → `allocation` → schema validation → `validate`, `validateUpdate` → validating
 * admission → commit.
 */
export interface Handlers<T = ApiObject, Column extends string = string, Field extends string = string> {
  /** Drops fields of the schema that the emulated release does not have, and reports their paths. */
  readonly pruneLater?: (object: T, report: (path: string) => void) => void;
  /**
   * Brings a value just decoded into the one form in which it is stored (secret data, quantities), and fills in
   * defaults that the schema cannot say. What it sets belongs to the writer, unlike what `prepareForCreate` sets.
   */
  readonly canonicalize?: (object: T) => void;
  /** Sets fields of a new object that belong to the server. */
  readonly prepareForCreate?: (object: T, context: HandlerContext) => void;
  /** Sets fields of a changed object that belong to the server; `old` is the stored object and must not be changed. */
  readonly prepareForUpdate?: (object: T, old: T, context: HandlerContext) => void;
  /**
   * Does beforehand what the checks of an object would take long for, and keeps it for them: others have their turn at
   * each `yield`. For kinds whose objects may hold thousands of expressions or schemas.
   */
  readonly prepareChecks?: (object: T, old: T | undefined, context: HandlerContext) => Iterable<undefined>;
  /** Returns the errors of an object by itself. */
  readonly validate?: (object: T, context: HandlerContext) => readonly FieldError[];
  /** Returns errors of a new object that a stored object may have. */
  readonly validateCreate?: (object: T, context: HandlerContext) => readonly FieldError[];
  /** Returns the errors of a change. */
  readonly validateUpdate?: (object: T, old: T, context: HandlerContext) => readonly FieldError[];
  /** Returns warnings for the writer, one header each. `old` is absent for a create. */
  readonly warn?: (object: T, old: T | undefined) => readonly string[];
  /** Checks a name where a format cannot (canonical addresses); replaces the name rule. Returns the problems. */
  readonly validateName?: (name: string) => readonly string[];
  /** Values that no two objects hold, where the kind has such; not part of writes through subresources. */
  readonly allocation?: Allocation<T>;
  /** Called when deletion of an object begins. */
  readonly prepareForDelete?: (object: T, context: HandlerContext) => void;
  /**
   * Whether a live object may be removed now; false keeps it with a deletion timestamp, as a namespace's finalizers
   * do.
   */
  readonly mayRemove?: (object: T) => boolean;
  /**
   * Seconds that an object goes on after a delete, for kinds whose objects stand for something that has to be ended;
   * `wanted` is what the client asks for. Such objects are removed once `mayRemove` agrees.
   */
  readonly gracePeriod?: (object: T, wanted: number | undefined) => number;
  /**
   * The default propagation policy of a delete, by the version that the delete is sent to; `Background` by default.
   * Objects of kinds with `none` are never held for their dependents.
   */
  readonly propagation?: (version: string) => 'Orphan' | 'Background' | 'none';
  /** Warning for deletes without a propagation policy that leave dependents as orphans. */
  readonly orphanWarning?: string;
  /** Values of selectable fields that are not plain paths; `undefined` leaves the value to the path. */
  readonly selectableFields?: Readers<Field, (object: T) => string | undefined>;
  /**
   * Cells of columns that no JSONPath can express; `undefined` leaves the cell to the column's path. `now` is in
   * milliseconds since the epoch.
   */
  readonly columns?: Readers<Column, (object: T, now: number) => Cell>;
  /**
   * The order in which the reference checks the fields of the kind, where several are wrong: paths with `[]` for any
   * index. By it errors of the schema and of `validateCreate` come among those of `validate`, which stay as they are.
   * Fields that are not listed come last; one that is checked after what is in it has a dot behind.
   */
  readonly errorOrder?: readonly string[];
  /** The same for fields that the schema does not let change, if that is another order than the one of the fields. */
  readonly changeOrder?: readonly string[];
  /** Whether updates report what may not change before what is wrong anyway, as the reference does for some kinds. */
  readonly changesFirst?: boolean;
  /** Whether updates check nothing but what has changed, with `validateUpdate`, as the rest can no longer be wrong. */
  readonly checkedOnce?: boolean;
  /**
   * Whether updates of the object itself report its errors twice, as the reference does for some kinds: all of them, or
   * those of one field once more behind those of changes; this is its path then.
   */
  readonly repeatsErrors?: boolean | string;
  /** Whether they report errors of the metadata twice, too, for kinds that check the whole object again. */
  readonly repeatsMetadataErrors?: boolean;
  /** Whether a delete of another object than its client meant is refused in the words of the store. */
  readonly storePreconditions?: boolean;
}

/** Functions by name. A kind without names has none: a mapped type would let all names pass. */
type Readers<Name extends string, Read> = [Name] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [N in Name]?: Read };

/** The handlers of a kind whose type is printed: they get its objects as drafts. */
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
