/** The part of OpenAPI v3 schemas that servers describe their kinds with, and how to look through references. */

/** One schema. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly not?: OpenApiSchema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** A reference inside a reference and so on is followed so many times: a document that is a circle of them ends too. */
const maxDepth = 20;

/** The schema and all that must hold together with it: what it refers to, and what stands under `allOf`. */
export function partsOf(
  schema: OpenApiSchema,
  schemas: Readonly<Record<string, OpenApiSchema>>,
  depth = 0,
): readonly OpenApiSchema[] {
  if (depth > maxDepth) return [];
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? ''];
  const others = [...(named ? [named] : []), ...(schema.allOf ?? [])];
  if (others.length === 0) return [schema];
  return [schema, ...others.flatMap((other) => partsOf(other, schemas, depth + 1))];
}
