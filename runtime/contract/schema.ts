/** A resource's schema as data: the structural part of OpenAPI v3, the `x-kubernetes-*` markers and Kindforge's own. */
import type { JsonObject, JsonValue } from './object.js';

/** The JSON types in schemas. */
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

/** The error of a field that must not change, for `x-kindforge-immutable`. */
export interface Immutability {
  /** The path in the error, relative to the object's root, if it is not the field's own. */
  readonly field?: string;
  /** The error text. Default: `field is immutable`. */
  readonly message?: string;
}

/**
 * One node of a schema. Keys mean the same as in a CustomResourceDefinition v1. Keys with the prefix `x-kindforge-` are
 * Kindforge's own, and only native definitions (`kind: ResourceDefinition`) may use them.
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
  /** A typed kind reports errors in the order in which properties are written, including missing ones. */
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

  /** The name of this node's shared type, after its `$ref` is resolved (`LabelSelector`, `meta/v1/Time`). */
  readonly 'x-kindforge-type'?: string;
  /**
   * The enclosing shared type that this node repeats: the recursive reference ends here. `x-kindforge-or` allows other
   * values too.
   */
  readonly 'x-kindforge-within'?: string;
  /**
   * The allowed values besides an object of the enclosing type: a list of such objects, a boolean, or a list of texts.
   */
  readonly 'x-kindforge-or'?: 'schemas' | 'boolean' | 'texts';
  /**
   * Set if this program does not know a part of the rule, such as a format of another server. The program then cannot
   * say whether a value is valid, unless another keyword refuses the value. Definitions cannot set it.
   */
  readonly 'x-kindforge-unknown'?: boolean;
  /**
   * Whether a written zero (`""`, `0`, `false`, `[]`, `{}`) differs from an absent field.
   *
   * - `explicit` (default): it does.
   * - `implicit`: the server drops a written zero, as if the field were absent.
   * - `always`: the server stores an absent field as its zero, so the field is never missing. The zero is `{}`, `""`,
   *   `0` (also if the field may be a string too), `false`, or `null` for lists, times (`date-time`) and bytes
   *   (`byte`). An empty list is stored as `null` too, but its writer owns the field.
   * - `nullable`: the server stores an absent field as `null`, and keeps a written zero. Only for typed kinds.
   */
  readonly 'x-kindforge-presence'?: 'explicit' | 'implicit' | 'always' | 'nullable';
  /** The field keeps its value from creation. */
  readonly 'x-kindforge-immutable'?: boolean | Immutability;
  /**
   * The gate of the field. While it is off, the server drops the field from a write, unless the stored object already
   * uses the gate. On properties only; the field stays in the schema.
   */
  readonly 'x-kindforge-feature-gate'?: string;
  /** The release that added the field. A server of an earlier release does not have it. */
  readonly 'x-kindforge-introduced'?: string;
  /** The first release without the field. */
  readonly 'x-kindforge-removed'?: string;
  /**
   * The former values of keywords, by the release that changed them, in order; null for a keyword that the release
   * added. The schema itself is as in the latest release.
   */
  readonly 'x-kindforge-before'?: Readonly<Record<string, JsonObject>>;
  /** A required field also refuses its zero value (`""`, `[]`). */
  readonly 'x-kindforge-non-empty'?: boolean;
  /**
   * The property that is unique among the items of a list (`audience`), or `.` for the whole item. A repeat is a
   * `Duplicate value` at the property, and the server checks nothing else of that item. Typed kinds need this keyword
   * for uniqueness, because their list types `set` and `map` only control merges.
   */
  readonly 'x-kindforge-unique'?: string;
  /** A named check of `runtime/objects/names.ts` (`dns-1123-subdomain`, `dns-1123-label`, `qualified-name` …). */
  readonly 'x-kindforge-name-format'?: string;
  /** The error texts of single keywords (`minimum`, `pattern`, `enum` …). */
  readonly 'x-kindforge-messages'?: Readonly<Record<string, string>>;
  /**
   * The path in errors, relative to the parent, if the reference reports another name. The empty string is the parent
   * itself: the list for an item, the item for its key.
   */
  readonly 'x-kindforge-report-as'?: string;
  /**
   * The precision of a typed kind's `date-time`. Default: whole seconds. `micros` requires and keeps exactly six digits
   * of a second. Both are stored in UTC.
   */
  readonly 'x-kindforge-time'?: 'micros';
  /**
   * The schema publishes the `enum`, but accepts other values: the kind's handlers may check it in their own order.
   * Only for typed kinds.
   */
  readonly 'x-kindforge-unchecked'?: boolean;
  /**
   * The object that the text of this node names, for clients: documents publish it. Definitions say it in `references`.
   */
  readonly 'x-kindforge-references'?: Omit<ObjectReference, 'field'>;
  /** The unique values of a whole schema, for clients: documents publish them. Definitions say them in `unique`. */
  readonly 'x-kindforge-unique-fields'?: readonly Uniqueness[];
}

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
