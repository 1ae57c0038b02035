/** The functions that the schema compiler produces, both in generated files and at run time. */
import type { FieldError } from './failure.js';
import type { JsonObject } from './object.js';

/** The path from an object to a value in it: field names, map keys and list indexes. */
export type Place = readonly (string | number)[];

export interface ErrorSink {
  push(error: FieldError): unknown;
  /**
   * Collects an error of a structural schema, in place of `push`. The error's field does not always identify the place:
   * for a combination (`anyOf`, `not` …) it is `<nil>`, and map keys may contain dots.
   */
  pushAt?(error: FieldError, place: Place): unknown;
  /** Receives an error that an update may leave, because the value has not changed. */
  pass?(error: FieldError): unknown;
}

/** A value of a JSON type that a typed kind's field cannot hold; answered with 400. */
export interface TypeMismatch {
  /** Path of the field without list indexes, as in `spec.tokenRequests.expirationSeconds`. */
  readonly field: string;
  /** The type of the value: `string`, `number`, `number 600.5`, `bool`, `object`, `array`. */
  readonly found: string;
  /** The type of the field, as in `int64`, `string`, `[]string`, `map[string]string`. */
  readonly wanted: string;
  /** The full message, as in `json: cannot unmarshal string into Go struct field ConfigMap.data of type …`. */
  readonly message: string;
}

/**
 * The functions of a resource version over its objects. Each takes the whole object, works in time linear in its size,
 * and does not touch `apiVersion`, `kind` and `metadata`, which belong to the runtime.
 */
export interface SchemaFunctions {
  /**
   * Brings a decoded body of a typed kind into canonical form in place (removes nulls and implicit zeros, adds `always`
   * fields) and returns the first mismatch. For structural kinds it does this only to the metadata of embedded
   * resources, and is absent if the schema has none. Runs before `prune` and keeps unknown fields.
   */
  readonly normalize?: (object: JsonObject) => TypeMismatch | undefined;
  /** Removes unknown fields in place, and reports their paths (the first 1,000). */
  readonly prune: (object: JsonObject, report: (path: string) => void) => void;
  /**
   * Fills in defaults in place. For structural kinds it also removes nulls that the schema does not allow. Runs after
   * `prune`.
   */
  readonly applyDefaults: (object: JsonObject) => void;
  /**
   * Removes nulls that the schema does not allow, in place; a field with a default gets the default. Does not fill in
   * absent fields. For the results of conversions of structural kinds; absent for typed kinds.
   */
  readonly replaceNulls?: (object: JsonObject) => void;
  /**
   * Removes, in place, the fields of disabled gates. Keeps the fields of a gate that the stored object, `old`, already
   * uses. Absent if no field has a gate.
   */
  readonly dropDisabled?: (object: JsonObject, old: JsonObject | undefined, enabled: (gate: string) => boolean) => void;
  /**
   * Reports the schema's errors (the first 1,000). For structural kinds, `old` is the object before an update: values
   * that have not changed are not reported.
   */
  readonly validate: (object: JsonObject, errors: ErrorSink, old?: JsonObject) => void;
  /** Reports immutable fields that changed; absent if the schema has none. */
  readonly validateUpdate?: (object: JsonObject, old: JsonObject, errors: ErrorSink) => void;
}
