/** The part of OpenAPI v3 schemas that servers use to describe their kinds. */
import type { Schema } from '../../runtime/contract/index.js';

/** Keywords that mean the same in a document and in a definition. */
type SharedKeyword =
  | 'format'
  | 'nullable'
  | 'enum'
  | 'required'
  | 'default'
  | 'example'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'minProperties'
  | 'maxProperties'
  | 'x-kubernetes-int-or-string'
  | 'x-kubernetes-preserve-unknown-fields'
  | 'x-kubernetes-embedded-resource';

export interface OpenApiSchema extends Pick<Schema, SharedKeyword> {
  readonly $ref?: string;
  readonly type?: string;
  /** Text for people, as the definition has it. */
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly not?: OpenApiSchema;
  /** How lists are merged: `atomic`, `set`, or `map` with the keys below. */
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  /** An RE2 pattern that other languages cannot read. */
  readonly 'x-re2-pattern'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}
