/** The rules of a kind that no schema can say; one file per kind in `strategies/`. */
import type { Allocation } from './allocation.js';
import type { FieldError } from './failure.js';
import type { ApiObject } from './object.js';
import type { StrategyContext } from './strategy-context.js';

/**
 * Hooks of one kind. Every hook is optional, synchronous and pure but for the object it may change in place. Order:
 * decode → prune → `pruneLater` → schema defaults → `canonicalize` → field ownership → mutating admission →
 * `prepareForCreate`/`prepareForUpdate` → `allocation` → schema validation → `validate`, `validateUpdate` → validating
 * admission → commit.
 */
export interface Strategy<T = ApiObject> {
  /** Without the API version: group and kind, as in `certificates.platform.io/CertificateSigningRequest`. */
  readonly kind: string;
  /** Drops fields of the schema that the emulated release does not have, and reports their paths. */
  readonly pruneLater?: (object: T, report: (path: string) => void) => void;
  /**
   * Brings a value just decoded into the one form in which it is stored (secret data, quantities), and fills in
   * defaults that the schema cannot say. What it sets belongs to the writer, unlike what `prepareForCreate` sets.
   */
  readonly canonicalize?: (object: T) => void;
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  /**
   * Does beforehand what the checks of an object would take long for, and keeps it for them: others have their turn at
   * each `yield`. For kinds whose objects may hold thousands of expressions or schemas.
   */
  readonly prepareChecks?: (object: T, old: T | undefined, context: StrategyContext) => Iterable<undefined>;
  readonly validate?: (object: T, context: StrategyContext) => readonly FieldError[];
  /** Errors of a new object that one which is there already may have. */
  readonly validateCreate?: (object: T, context: StrategyContext) => readonly FieldError[];
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => readonly FieldError[];
  /** The same for what may not change by the schema, where that is another order than the one of the fields. */
  readonly changeOrder?: readonly string[];
  /** Whether updates tell what may not change before what is wrong anyway, as the reference does for some kinds. */
  readonly changesFirst?: boolean;
  /** Whether updates check nothing but what has changed, with `validateUpdate`, as the rest can no longer be wrong. */
  readonly checkedOnce?: boolean;
  /**
   * The order in which the reference checks the fields of the kind, where several are wrong: paths with `[]` for any
   * index. By it errors of the schema and of `validateCreate` come among those of `validate`, which stay as they are.
   * Fields that are not listed come last; one that is checked after what is in it has a dot behind.
   */
  readonly errorOrder?: readonly string[];
  /**
   * Whether updates of the object itself report its errors twice, as the reference does for some kinds: all of them, or
   * those of one field once more behind those of changes; this is its path then.
   */
  readonly repeatsErrors?: boolean | string;
  /** Whether they report errors of the metadata twice, too, for kinds that check the whole object again. */
  readonly repeatsMetadataErrors?: boolean;
  /** Values that no two objects hold, where the kind has such; not part of writes through subresources. */
  readonly allocation?: Allocation<T>;
  /** Warnings for the writer, one header each. */
  readonly warnings?: (object: T, old: T | undefined) => readonly string[];
  /** Checks a name where a format cannot (canonical addresses); replaces the name rule. Returns the problems. */
  readonly validateName?: (name: string) => readonly string[];
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
   * The default propagation policy of a delete, by the version that the delete is sent to; `Background` where absent.
   * Objects of kinds with `none` are never held for their dependents.
   */
  readonly propagation?: (version: string) => 'Orphan' | 'Background' | 'none';
  /** Warning for deletes without a propagation policy that leave dependents as orphans. */
  readonly orphanWarning?: string;
  /** Whether a delete of another object than its client meant is refused in the words of the store. */
  readonly storePreconditions?: boolean;
  /** Called when deletion of an object begins. */
  readonly prepareForDelete?: (object: T, context: StrategyContext) => void;
  /** Values of this kind's selectable fields where they are not plain paths. */
  readonly selectableField?: (object: T, path: string) => string | undefined;
  /**
   * Cells of Tables where JSONPath cannot say them, by column name; `undefined` leaves the cell to the column's path.
   * `now` is in milliseconds since the epoch.
   */
  readonly cell?: (object: T, column: string, now: number) => string | number | boolean | null | undefined;
}

/** The hooks of one kind, typed by it; generated code turns them into the kind's strategy. */
export type Handlers<T> = Omit<Strategy<T>, 'kind'>;
