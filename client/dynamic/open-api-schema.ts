/** The part of OpenAPI v3 schemas that servers describe their kinds with. */
import type { Schema } from '../../runtime/contract/index.js';

/** Keywords that mean in a document what they mean in a definition. */
type SharedKeyword =
  | 'format'
  | 'nullable'
  | 'enum'
  | 'required'
  | 'default'
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

/** One schema. */
export interface OpenApiSchema extends Pick<Schema, SharedKeyword> {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly not?: OpenApiSchema;
  /** A pattern of RE2 that other languages cannot read. */
  readonly 'x-re2-pattern'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}
