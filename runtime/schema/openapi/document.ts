/** The types of OpenAPI documents, with only the parts that API documents use. Their values are plain JSON data. */
import type {
  InfoObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathItemObject,
  SecuritySchemeObject,
} from 'openapi3-ts/oas30';
import type { Schema } from '../../contract/index.js';

/** A read-only type of the OpenAPI standard, with the schemas of this file. */
type Standard<T> = T extends readonly (infer Item)[]
  ? readonly Standard<Item>[]
  : T extends object
    ? {
        readonly [K in keyof T]: K extends 'schema'
          ? SchemaObject
          : K extends 'schemas'
            ? Readonly<Record<string, SchemaObject>>
            : Standard<T[K]>;
      }
    : T;

/**
 * A schema in a document. A `Schema` without `x-kindforge-` keys is also a `SchemaObject`, so documents can share
 * nodes.
 */
export interface SchemaObject
  extends Omit<Schema, 'properties' | 'items' | 'additionalProperties' | 'allOf' | 'anyOf' | 'oneOf' | 'not'> {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly items?: SchemaObject;
  readonly additionalProperties?: boolean | SchemaObject;
  readonly allOf?: readonly SchemaObject[];
  readonly anyOf?: readonly SchemaObject[];
  readonly oneOf?: readonly SchemaObject[];
  readonly not?: SchemaObject;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
  /** Fields of a custom resource that field selectors may use. */
  readonly 'x-kubernetes-selectable-fields'?: readonly { readonly fieldPath: string }[];
  /** A pattern of RE2 that is not valid in ECMA 262, the dialect of `pattern`. */
  readonly 'x-re2-pattern'?: string;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** The methods in the order of documents. */
export type HttpMethod = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

export type DocumentInfo = Pick<Standard<InfoObject>, 'title' | 'version'>;

/** How clients authenticate, in the form of both document versions. */
export interface ApiKeyScheme extends Standard<SecuritySchemeObject> {
  readonly type: 'apiKey';
  readonly description: string;
  readonly name: string;
  readonly in: 'header';
}

/** A Swagger 2.0 document. */
export interface OpenApiV2Document {
  readonly swagger: '2.0';
  readonly info: DocumentInfo;
  readonly paths: Readonly<Record<string, PathItemV2>>;
  readonly definitions: Readonly<Record<string, SchemaObject>>;
  readonly parameters: Readonly<Record<string, ParameterV2>>;
  readonly securityDefinitions: Readonly<Record<string, ApiKeyScheme>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export type PathItemV2 = { readonly [method in HttpMethod]?: OperationV2 } & {
  readonly parameters?: readonly (ParameterV2 | Reference)[];
};

export interface OperationV2 {
  readonly description: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly parameters?: readonly (ParameterV2 | Reference)[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly schema?: SchemaObject }>>;
}

export interface Reference {
  readonly $ref: string;
}

export type ParameterV2 =
  | {
      readonly name: string;
      readonly in: 'query' | 'path';
      readonly description: string;
      readonly type: ParameterType;
      readonly uniqueItems: true;
      readonly required?: true;
    }
  | { readonly name: 'body'; readonly in: 'body'; readonly schema: SchemaObject; readonly required?: true };

export type ParameterType = 'boolean' | 'integer' | 'string';

/** An OpenAPI 3.0 document of one group version, or of one discovery path. */
export interface OpenApiV3Document extends Standard<OpenAPIObject> {
  readonly openapi: '3.0.0';
  readonly info: DocumentInfo;
  readonly paths: Readonly<Record<string, PathItemV3>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly securitySchemes: Readonly<Record<string, ApiKeyScheme>>;
  };
}

export type PathItemV3 = Standard<Omit<PathItemObject, HttpMethod | 'parameters'>> & {
  readonly [method in HttpMethod]?: OperationV3;
} & { readonly parameters?: readonly ParameterV3[] };

export type ContentV3 = Readonly<Record<string, { readonly schema: SchemaObject }>>;

export interface OperationV3 extends Standard<OperationObject> {
  readonly description: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ParameterV3[];
  readonly requestBody?: { readonly content: ContentV3; readonly required?: true };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: ContentV3 }>>;
}

export interface ParameterV3 extends Standard<ParameterObject> {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly description: string;
  readonly required?: true;
  readonly schema: { readonly type: ParameterType; readonly uniqueItems: true };
}

/** The index at `/openapi/v3`: the URL of each document, with a hash that changes with the document. */
export interface OpenApiV3Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
