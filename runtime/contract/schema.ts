/** A resource's schema as data: the structural part of OpenAPI v3, the `x-kubernetes-*` markers and Kindforge's own. */
import type { JsonValue } from './json.js';

/** JSON types a schema can ask for. */
export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** A CEL rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The error of a field that must not change, and how it is compared, for `x-kindforge-immutable`. */
export interface Immutability {
  /** Path in the error where it is not the field's own, relative to the object's root. */
  readonly field?: string;
  /** Words of the error; `field is immutable` where not given. */
  readonly message?: string;
}

/**
 * One node of a schema. Every key means what it means in a CustomResourceDefinition v1, except those that begin with
 * `x-kindforge-`, which only native definitions (`kind: ResourceDefinition`) may use.
 */
export interface Schema {
  readonly type?: SchemaType;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly externalDocs?: JsonValue;
  readonly nullable?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  /** A typed kind reports its errors in the order in which properties are written, a missing one at its own place. */
  readonly required?: readonly string[];
  readonly minProperties?: number | bigint;
  readonly maxProperties?: number | bigint;
  readonly items?: Schema;
  readonly minItems?: number | bigint;
  readonly maxItems?: number | bigint;
  readonly uniqueItems?: boolean;
  readonly minLength?: number | bigint;
  readonly maxLength?: number | bigint;
  readonly pattern?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;

  /** Name of the shared type this node is, after its `$ref` was resolved (`LabelSelector`, `meta/v1/Time`). */
  readonly 'x-kindforge-type'?: string;
  /**
   * The shared type that this node is within, and that its value is again: the reference to it ends here. With
   * `x-kindforge-or` the value may be something else, too.
   */
  readonly 'x-kindforge-within'?: string;
  /**
   * The other forms of a value than an object of the type that it is within: a list of such, a boolean, a list of
   * texts.
   */
  readonly 'x-kindforge-or'?: 'schemas' | 'boolean' | 'texts';
  /**
   * Something is asked of values that cannot be known here, such as a format of another server: those that no other
   * keyword refuses may be right or wrong. No definition can write it.
   */
  readonly 'x-kindforge-unknown'?: boolean;
  /**
   * Whether a written zero (`""`, `0`, `false`, `[]`, `{}`) is told apart from an absent field. `implicit`: it is
   * dropped as if it had not been written. `always`: an absent field is stored as its zero: `{}`, `""`, `0` (also
   * where a string would do), `false`, and `null` for lists, times (`date-time`) and bytes (`byte`), and so is never
   * missing; an empty list belongs to who wrote it, and is stored as `null`, too. `nullable`: an absent field is
   * stored as `null`, and a written zero is kept; only for typed kinds. `explicit` is the default.
   */
  readonly 'x-kindforge-presence'?: 'explicit' | 'implicit' | 'always' | 'nullable';
  /** The field keeps the value it was created with. */
  readonly 'x-kindforge-immutable'?: boolean | Immutability;
  /**
   * The gate without which the field is dropped from what is written, unless the stored object uses the gate already.
   * On properties only; the field stays part of the schema.
   */
  readonly 'x-kindforge-feature-gate'?: string;
  /** The release that first had the field: where an earlier one is emulated, documents do not tell of it. */
  readonly 'x-kindforge-introduced'?: string;
  /** A required field also refuses its zero value (`""`, `[]`). */
  readonly 'x-kindforge-non-empty'?: boolean;
  /**
   * Items of a list differ in this property (`audience`), or as a whole (`.`); repeats are `Duplicate value` at the
   * property, and nothing else in them is looked at. Typed kinds ask for it where they want it: their list types
   * `set` and `map` say how to merge, and refuse nothing.
   */
  readonly 'x-kindforge-unique'?: string;
  /** A named check of `runtime/objects/names.ts` (`dns-1123-subdomain`, `dns-1123-label`, `qualified-name` …). */
  readonly 'x-kindforge-name-format'?: string;
  /** Words for the errors of single keywords, by keyword (`minimum`, `pattern`, `enum` …). */
  readonly 'x-kindforge-messages'?: Readonly<Record<string, string>>;
  /**
   * The path reported for this field, relative to its parent, where the reference reports another name. The empty
   * string reports the parent itself: the list for an item, the item for its key.
   */
  readonly 'x-kindforge-report-as'?: string;
  /**
   * Precision of a typed kind's `date-time`: whole seconds where absent. `micros` takes exactly six digits of a
   * second and keeps them. Both are stored in UTC.
   */
  readonly 'x-kindforge-time'?: 'micros';
  /**
   * Tells clients the `enum` without refusing other values: the kind's handlers check it in its place among other
   * checks, or nobody does. Only for typed kinds.
   */
  readonly 'x-kindforge-unchecked'?: boolean;
}
