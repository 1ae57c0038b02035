/** How objects of one version become objects of the version that the kind is stored in, and back. */
import type { JsonObject, JsonValue } from './json.js';

/** Returns the served name for a name of the platform. */
export type Rename = (platformName: string) => string;

/** Keys of annotations that keep what a version has no field for, as the platform has them. */
export interface KeptAnnotations {
  /** In objects of this version. */
  readonly own: readonly string[];
  /** In objects of the stored one. */
  readonly stored: readonly string[];
}

/** Is told of a value that could not be converted: the place that it would have had, and why. */
export type ConversionReport = (place: ConversionPath, problem: string) => void;

/**
 * The functions of a conversion. Both change the object in place, leave its envelope alone, never throw, and take time
 * linear in its size, but for expressions, which have a budget. What they are given has been decoded by the schema of
 * the version it is in. A value that an expression fails for is reported and left out.
 */
export interface Conversion {
  readonly toStored: (object: JsonObject, rename: Rename, report?: ConversionReport) => void;
  readonly fromStored: (object: JsonObject, rename: Rename, report?: ConversionReport) => void;
  /** Whether either may report something: conversions with expressions may. */
  readonly mayFail?: boolean;
  /** The annotations that keep fields, for an update that leaves them out; none where absent. */
  readonly keeps?: KeptAnnotations;
}

/** Evaluates the expression of a number for a value; absent where there is no value, or where that fails. */
export type EvaluateExpression = (index: number, self: JsonValue | undefined) => JsonValue | undefined;

/** The compiled expressions of a conversion. Those of one conversion of an object share a budget. */
export interface ConversionExpressions {
  readonly toStored: (object: JsonObject, report?: ConversionReport) => EvaluateExpression;
  readonly fromStored: (object: JsonObject, report?: ConversionReport) => EvaluateExpression;
}

/** A conversion that no declaration can say, by the name under which definitions ask for it. */
export interface NamedConversion extends Conversion {
  readonly name: string;
}

/** The resource as whose objects those of another group are stored. */
export interface StoredAs {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
}

/**
 * A place in an object: keys with dots between them, `[]` for each item of a list, and `["a.b/c"]` for a key that is no
 * word, as in `spec.rules[].http.paths[].backend` and `topology["topology.platform.io/zone"]`.
 */
export type ConversionPath = string;

/** The value at a place of one version is that at another place of the stored one. */
export interface MoveStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  /** Only values of this type move from the field, so that one field can become several. */
  readonly type?: 'string' | 'number' | 'boolean' | 'object' | 'array';
  /** The value of the field where the stored version has none. */
  readonly absent?: JsonValue;
}

/** A text is made of several of the stored version, with a separator between them. */
export interface SplitStep {
  readonly field: ConversionPath;
  readonly stored: readonly ConversionPath[];
  readonly separator: string;
}

/** A text of the stored version is made of several fields of this one, with a separator between them. */
export interface JoinStep {
  readonly fields: readonly ConversionPath[];
  readonly stored: ConversionPath;
  readonly separator: string;
}

/** A single value of one version is the first item of a list in the other one. */
export interface WrapStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  /** Which of both is the list; `stored` where absent. */
  readonly list?: 'field' | 'stored';
  /** Key of the annotation that keeps the other items, where the value is single. */
  readonly annotation?: string;
}

/** A value that one version has wherever the other one has none. */
export interface DefaultStep {
  /** A field of this version that is never absent where the object around it is there; or else `stored`. */
  readonly field?: ConversionPath;
  readonly stored?: ConversionPath;
  readonly value: JsonValue;
  /** Key of the annotation that tells a value which is written from one that is not, where they are the same. */
  readonly annotation?: string;
}

/** A field that one version always has with the same value, and the other one not at all. */
export interface ConstantStep {
  /** A field of this version; or else `stored`. */
  readonly field?: ConversionPath;
  readonly stored?: ConversionPath;
  readonly value: JsonValue;
}

/**
 * The value at a place is computed from that at a place of the other version. In both expressions `self` is the value
 * that is converted, and `object` the object that it is taken from.
 */
export interface ExpressionStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  readonly toStored: string;
  readonly fromStored: string;
}

/** A field is part of one item of a stored list: the first that has these values. */
export interface ItemStep {
  readonly field: ConversionPath;
  /** The list. */
  readonly stored: ConversionPath;
  /** Values of the item, by their places in it. */
  readonly where: Readonly<Record<ConversionPath, JsonValue>>;
  /** The field's place in the item. */
  readonly value: ConversionPath;
  /** Whether the item stays in the list as well; then the field counts only where there is no list. */
  readonly copied?: boolean;
}

/** A field that the other version does not have is kept there in an annotation. */
export interface AnnotationStep {
  /** The annotation's key, as the platform has it. */
  readonly key: string;
  /** A field of this version, kept in annotations of stored objects; or else `stored`. */
  readonly field?: ConversionPath;
  /** A field of the stored version, kept in annotations of this one. */
  readonly stored?: ConversionPath;
  /** `json` where absent; `text` for strings as they are. */
  readonly as?: 'json' | 'text';
  /** Whether an update that leaves the annotation out drops the field. Without, it stays as it was. */
  readonly replaceable?: boolean;
  /** How the value is written in the annotation, with `value` for the whole of it; `field` is its side. */
  readonly steps?: readonly ConversionStep[];
}

/** Single values mean other values in the stored version; all others mean themselves. */
export interface ValuesStep {
  readonly field: ConversionPath;
  readonly stored: ConversionPath;
  readonly pairs: readonly { readonly field: JsonValue; readonly stored: JsonValue }[];
}

/** A field of the stored version says which of several others there is; this version leaves it out. */
export interface DerivedStep {
  readonly stored: ConversionPath;
  /** Fields of the stored version, by what that one says where they are there. */
  readonly from: Readonly<Record<string, ConversionPath>>;
}

/** Steps whose places are all below one. */
export interface WithinStep {
  readonly path: ConversionPath;
  readonly steps: readonly ConversionStep[];
}

/** One step, by what it is. On the way to the stored version steps are taken from the last to the first. */
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
