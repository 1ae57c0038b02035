/** Converts objects of one version to the stored version of the kind, and back. */
import type { JsonObject, JsonValue } from './object.js';

/** Returns the served name for a platform name. */
export type Rename = (platformName: string) => string;

/**
 * Returns whether the stored version can have this value at the place to which the keys lead. An annotation that keeps
 * a field needs this check, because clients may write anything into it.
 */
export type FitsStored = (keys: readonly string[], value: JsonValue) => boolean;

/** Annotation keys, in platform names, that keep values for which a version has no field. */
export interface KeptAnnotations {
  /** In objects of this version. */
  readonly own: readonly string[];
  /** In objects of the stored version. */
  readonly stored: readonly string[];
}

/** Receives a value that could not be converted: its target place, and the reason. */
export type ConversionReport = (place: ConversionPath, problem: string) => void;

/**
 * The functions of a conversion. Both change the object in place, keep its envelope and never throw. They take time
 * linear in the object's size; expressions have a budget. Their input is already decoded by the schema of its version.
 * If an expression fails for a value, the value is reported and left out.
 */
export interface Conversion {
  readonly toStored: Converting;
  readonly fromStored: Converting;
  /** Whether either function may report something; true for conversions with expressions. */
  readonly mayFail?: boolean;
  /** The annotations that keep fields, for updates that leave them out. */
  readonly keeps?: KeptAnnotations;
}

/** Converts in one direction. Without `isThere`, the server has every release's steps. */
type Converting = (
  object: JsonObject,
  rename: Rename,
  report?: ConversionReport,
  fits?: FitsStored,
  isThere?: InRelease,
) => void;

/** Returns whether the server's release has a step that came in a release. */
export type InRelease = (step: { readonly introduced?: string | undefined }) => boolean;

/** Evaluates an expression, by its number, for a value. Returns `undefined` without a value, or if it fails. */
export type EvaluateExpression = (index: number, self: JsonValue | undefined) => JsonValue | undefined;

/** The compiled expressions of a conversion. One conversion of an object has one budget. */
export interface ConversionExpressions {
  readonly toStored: (object: JsonObject, report?: ConversionReport) => EvaluateExpression;
  readonly fromStored: (object: JsonObject, report?: ConversionReport) => EvaluateExpression;
}

/** A conversion that declarations cannot express. Definitions refer to it by its name. */
export interface NamedConversion extends Conversion {
  readonly name: string;
}

/** The resource in which objects of another group are stored. */
export interface StoredAs {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
}

/**
 * A place in an object: keys with dots between them, `[]` for each item of a list, and `["a.b/c"]` for other keys, as
 * in `spec.rules[].http.paths[].backend` and `topology["topology.platform.io/zone"]`.
 */
export type ConversionPath = string;

/** Moves a value to another place in the stored version. */
export interface MoveStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  /** Only values of this type move from the field, so that one field can become several. */
  readonly type?: 'string' | 'number' | 'boolean' | 'object' | 'array';
  /** The value of the field if the stored version has none. */
  readonly absent?: JsonValue;
  /** The first release with the step. */
  readonly introduced?: string;
}

/** Joins several texts of the stored version into one text of this version, with a separator. */
export interface SplitStep {
  readonly field: ConversionPath;
  readonly stored: readonly ConversionPath[];
  readonly separator: string;
}

/** Joins several fields of this version into one text of the stored version, with a separator. */
export interface JoinStep {
  readonly fields: readonly ConversionPath[];
  readonly stored: ConversionPath;
  readonly separator: string;
}

/** Turns a single value of one version into the first item of a list in the other. */
export interface WrapStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  /** The side of the list. Default: `stored`. */
  readonly list?: 'field' | 'stored';
  /** The annotation key that keeps the other items on the side of the single value. */
  readonly annotation?: string;
}

/** A value that one version gets if the other has none. */
export interface DefaultStep {
  /** A field of this version that always has a value if its parent exists; set this or `stored`. */
  readonly field?: ConversionPath;
  readonly stored?: ConversionPath;
  readonly value: JsonValue;
  /** The annotation key that distinguishes a written value from a default one. */
  readonly annotation?: string;
}

/** A field that always has the same value in one version, and does not exist in the other. */
export interface ConstantStep {
  /** A field of this version; set this or `stored`. */
  readonly field?: ConversionPath;
  readonly stored?: ConversionPath;
  readonly value: JsonValue;
}

/**
 * Computes a value from a place of the other version. In both expressions `self` is the value to convert, and `object`
 * is its object.
 */
export interface ExpressionStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  readonly toStored: string;
  readonly fromStored: string;
}

/** Stores a field in one item of a list: the first item with these values. */
export interface ItemStep {
  readonly field: ConversionPath;
  /** The list. */
  readonly stored: ConversionPath;
  /** The values of the item, by their places in it. */
  readonly where: Readonly<Record<ConversionPath, JsonValue>>;
  /** The field's place in the item. */
  readonly value: ConversionPath;
  /** Whether the item also stays in the list; then the field only counts if the list is absent. */
  readonly copied?: boolean;
}

/**
 * Keeps a field in an annotation, because the other version does not have the field. If the annotation holds anything
 * else, the conversion drops it.
 */
export interface AnnotationStep {
  /** The annotation's key, in platform names. */
  readonly key: string;
  /** A field of this version, kept in annotations of stored objects; set this or `stored`. */
  readonly field?: ConversionPath;
  /** A field of the stored version, kept in annotations of this one. */
  readonly stored?: ConversionPath;
  /** `text` keeps strings unchanged. Default: `json`. */
  readonly as?: 'json' | 'text';
  /** Whether an update without the annotation drops the field. By default the field keeps its value. */
  readonly replaceable?: boolean;
  /** The steps that convert the value in the annotation; `value` is the whole value, and `field` its side. */
  readonly steps?: readonly ConversionStep[];
}

/** Maps some values to other values in the stored version, and keeps the rest. */
export interface ValuesStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  readonly pairs: readonly { readonly field: JsonValue; readonly stored: JsonValue }[];
}

/** Derives a field of the stored version from the fields that are set; this version does not have the field. */
export interface DerivedStep {
  readonly stored: ConversionPath;
  /** Fields of the stored version, by the derived value that they imply. */
  readonly from: Readonly<Record<string, ConversionPath>>;
}

/** Steps with all places below one place. */
export interface WithinStep {
  readonly path: ConversionPath;
  readonly steps: readonly ConversionStep[];
}

/** One step, by its kind. Steps to the stored version run from the last to the first. */
export type ConversionStep =
  | { readonly move: MoveStep }
  | { readonly split: SplitStep }
  | { readonly join: JoinStep }
  | { readonly wrap: WrapStep }
  | { readonly default: DefaultStep }
  | { readonly constant: ConstantStep }
  | { readonly expression: ExpressionStep }
  | { readonly item: ItemStep }
  | { readonly annotation: AnnotationStep }
  | { readonly values: ValuesStep }
  | { readonly derived: DerivedStep }
  | { readonly within: WithinStep };
