/** The functions that the schema compiler yields, in generated files and at run time alike. */
import type { FieldError } from './failure.js';
import type { JsonObject } from './json.js';

/** The way from an object to a value in it: names of fields, keys of maps, indexes of lists. */
export type Place = readonly (string | number)[];

/** Collects errors. */
export interface ErrorSink {
  push(error: FieldError): unknown;
  /**
   * Called in place of `push` for what a structural schema refuses. The field of an error can leave the place open: that
   * of a combination (`anyOf`, `not` …) is `<nil>`, and keys of maps may have dots in them.
   */
  pushAt?(error: FieldError, place: Place): unknown;
}

/** A value of a JSON type that a typed kind's field cannot hold; answered with 400. */
export interface TypeMismatch {
  /** Path of the field without list indexes, as in `spec.tokenRequests.expirationSeconds`. */
  readonly field: string;
  /** The type that was found: `string`, `number`, `number 600.5`, `bool`, `object`, `array`. */
  readonly found: string;
  /** The type of the field, as in `int64`, `string`, `[]string`, `map[string]string`. */
  readonly wanted: string;
  /**
   * The whole mistake in words, as in `json: cannot unmarshal string into Go struct field ConfigMap.data of type …`.
   */
  readonly message: string;
}

/**
 * The functions of a resource version over its objects. All take the whole object, work in time linear in its
 * size, and leave `apiVersion`, `kind` and `metadata` alone (those belong to the runtime).
 */
export interface SchemaFunctions {
  /**
   * Typed kinds: brings a decoded body into canonical form in place (nulls out, implicit zeros out, `always` fields
   * in) and returns the first mismatch. Structural kinds: does that for the metadata of embedded resources, and is
   * absent where the schema has none. Comes before `prune`; unknown fields are left for it.
   */
  readonly normalize?: (object: JsonObject) => TypeMismatch | undefined;
  /** Removes fields the schema does not know, in place, and reports the path of each (the first 1,000). */
  readonly prune: (object: JsonObject, report: (path: string) => void) => void;
  /**
   * Fills in defaults, in place. Structural kinds also lose the nulls that their schema does not allow. Comes after
   * `prune`.
   */
  readonly applyDefaults: (object: JsonObject) => void;
  /**
   * Removes, in place, the fields of gates that are not enabled, but for those gates that `old`, the object as it is
   * stored, uses in any field; absent where no field has a gate.
   */
  readonly dropDisabled?: (object: JsonObject, old: JsonObject | undefined, enabled: (gate: string) => boolean) => void;
  /** Reports what the schema refuses (the first 1,000 errors). */
  readonly validate: (object: JsonObject, errors: ErrorSink) => void;
  /** Reports immutable fields that changed; absent where the schema has none. */
  readonly validateUpdate?: (object: JsonObject, old: JsonObject, errors: ErrorSink) => void;
}
