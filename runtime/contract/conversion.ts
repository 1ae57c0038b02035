/** How objects of one version become objects of the version that the kind is stored in, and back. */
import type { JsonObject, JsonValue } from './json.js';

/** Returns the served name for a name of the platform. */
export type Rename = (platformName: string) => string;

/**
 * The functions of a conversion. Both change the object in place, leave its envelope alone, never throw, and take time
 * linear in its size. What they are given has been decoded by the schema of the version it is in.
 */
export interface Conversion {
  readonly toStored: (object: JsonObject, rename: Rename) => void;
  readonly fromStored: (object: JsonObject, rename: Rename) => void;
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
  | { readonly item: ItemStep }
  | { readonly annotation: AnnotationStep }
  | { readonly values: ValuesStep }
  | { readonly derived: DerivedStep }
  | { readonly within: WithinStep };
