/**
 * Encodes a Swagger 2.0 document as the message `openapi.v2.Document` of the gnostic project, which clients before 1.27
 * request. The field numbers are from its `OpenAPIv2.proto`. Covers only the fields of our documents.
 */
import type {
  ApiKeyScheme,
  GroupVersionKind,
  HttpMethod,
  OpenApiV2Document,
  OperationV2,
  ParameterV2,
  PathItemV2,
  Reference,
  SchemaObject,
} from '../../schema/openapi/index.js';
import { encodeOpenApiJson } from '../../schema/openapi/index.js';
import { ProtobufWriter } from './writer.js';

/** The media type of the encoding. */
export const openApiV2ProtobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Encodes a document. Costs about as much as JSON. Writes fields from last to first, as the writer requires. */
export function encodeOpenApiV2Protobuf(document: OpenApiV2Document): Uint8Array {
  const out = new ProtobufWriter(1 << 20);
  out.message(13, () => {
    named(out, 1, document.securityDefinitions, (scheme) => out.message(2, () => apiKey(out, scheme)));
  });
  backwards(document.security, (requirement) => {
    out.message(12, () => named(out, 1, requirement, (scopes) => backwards(scopes, (scope) => out.string(1, scope))));
  });
  out.message(10, () => named(out, 1, document.parameters, (parameter) => parameterOf(out, parameter)));
  out.message(9, () => named(out, 1, document.definitions, (schema) => schemaOf(out, schema)));
  out.message(8, () => named(out, 2, document.paths, (item) => pathItem(out, item)));
  out.message(2, () => {
    out.string(2, document.info.version);
    out.string(1, document.info.title);
  });
  out.string(1, document.swagger);
  return out.finish();
}

export function backwards<T>(items: readonly T[], write: (item: T) => void): void {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item !== undefined) write(item);
  }
}

/** Writes a map as a list of messages with the key in field 1 and the value in field 2. */
function named<T>(
  out: ProtobufWriter,
  field: number,
  entries: Readonly<Record<string, T>>,
  write: (value: T) => void,
): void {
  backwards(Object.entries(entries), ([name, value]) => {
    out.message(field, () => {
      out.message(2, () => write(value));
      out.string(1, name);
    });
  });
}

/** Writes a value of any kind as YAML text, which includes JSON. */
function anyOf(out: ProtobufWriter, field: number, value: unknown): void {
  out.message(field, () => out.string(2, encodeOpenApiJson(value)));
}

function extension(out: ProtobufWriter, field: number, name: string, value: unknown): void {
  out.message(field, () => {
    anyOf(out, 2, value);
    out.string(1, name);
  });
}

function texts(out: ProtobufWriter, field: number, values: readonly string[] = []): void {
  backwards(values, (value) => out.string(field, value));
}

function apiKey(out: ProtobufWriter, scheme: ApiKeyScheme): void {
  out.string(4, scheme.description);
  out.string(3, scheme.in);
  out.string(2, scheme.name);
  out.string(1, scheme.type);
}

const methodFields = {
  get: 2,
  put: 3,
  post: 4,
  delete: 5,
  options: 6,
  head: 7,
  patch: 8,
} as const satisfies Record<HttpMethod, number>;

function pathItem(out: ProtobufWriter, item: PathItemV2): void {
  backwards(item.parameters ?? [], (parameter) => out.message(9, () => parametersItem(out, parameter)));
  for (const method of ['patch', 'delete', 'post', 'put', 'get'] as const) {
    const operation = item[method];
    if (operation !== undefined) out.message(methodFields[method], () => operationOf(out, operation));
  }
}

function operationOf(out: ProtobufWriter, operation: OperationV2): void {
  const gvk: GroupVersionKind | undefined = operation['x-kubernetes-group-version-kind'];
  if (gvk !== undefined) extension(out, 13, 'x-kubernetes-group-version-kind', gvk);
  const action = operation['x-kubernetes-action'];
  if (action !== undefined) extension(out, 13, 'x-kubernetes-action', action);
  texts(out, 10, operation.schemes);
  out.message(9, () => {
    named(out, 1, operation.responses, ({ description, schema }) => {
      out.message(1, () => {
        if (schema !== undefined) out.message(2, () => out.message(1, () => schemaOf(out, schema)));
        out.string(1, description);
      });
    });
  });
  backwards(operation.parameters ?? [], (parameter) => out.message(8, () => parametersItem(out, parameter)));
  texts(out, 7, operation.consumes);
  texts(out, 6, operation.produces);
  out.string(5, operation.operationId);
  out.string(3, operation.description);
  texts(out, 1, operation.tags);
}

function parametersItem(out: ProtobufWriter, parameter: ParameterV2 | Reference): void {
  if ('$ref' in parameter) out.message(2, () => out.string(1, parameter.$ref));
  else out.message(1, () => parameterOf(out, parameter));
}

function parameterOf(out: ProtobufWriter, parameter: ParameterV2): void {
  if (parameter.in === 'body') {
    out.message(1, () => {
      out.message(5, () => schemaOf(out, parameter.schema));
      if (parameter.required) out.bool(4, true);
      out.string(3, parameter.in);
      out.string(2, parameter.name);
    });
    return;
  }
  const inQuery = parameter.in === 'query';
  out.message(2, () => {
    out.message(inQuery ? 3 : 4, () => {
      out.bool(inQuery ? 20 : 19, parameter.uniqueItems);
      out.string(inQuery ? 6 : 5, parameter.type);
      out.string(4, parameter.name);
      out.string(3, parameter.description);
      out.string(2, parameter.in);
      if (parameter.required) out.bool(1, true);
    });
  });
}

function schemaOf(out: ProtobufWriter, schema: SchemaObject): void {
  for (const [key, value] of Object.entries(schema).reverse()) {
    if (key.startsWith('x-') && value !== undefined) extension(out, 31, key, value);
  }
  if (schema.example !== undefined) anyOf(out, 30, schema.example);
  shapeOf(out, schema);
  backwards(schema.enum ?? [], (value) => anyOf(out, 20, value));
  texts(out, 19, schema.required);
  boundsOf(out, schema);
  if (schema.default !== undefined) anyOf(out, 5, schema.default);
  if (schema.description !== undefined) out.string(4, schema.description);
  if (schema.title !== undefined) out.string(3, schema.title);
  if (schema.format !== undefined) out.string(2, schema.format);
  if (schema.$ref !== undefined) out.string(1, schema.$ref);
}

/** Writes fields 21 to 29. */
function shapeOf(out: ProtobufWriter, schema: SchemaObject): void {
  const { properties, items, type, additionalProperties } = schema;
  if (properties !== undefined) out.message(25, () => named(out, 1, properties, (child) => schemaOf(out, child)));
  if (items !== undefined) out.message(23, () => out.message(1, () => schemaOf(out, items)));
  if (type !== undefined) out.message(22, () => out.string(1, type));
  if (additionalProperties === undefined) return;
  out.message(21, () => {
    if (typeof additionalProperties === 'boolean') out.bool(2, additionalProperties);
    else out.message(1, () => schemaOf(out, additionalProperties));
  });
}

/** Writes fields 6 to 18. Zero is the same as absent, as in the message. */
function boundsOf(out: ProtobufWriter, schema: SchemaObject): void {
  const int = (field: number, value: number | bigint | undefined): void => {
    if (value !== undefined && Number(value) !== 0) out.int(field, value);
  };
  const double = (field: number, value: number | bigint | undefined): void => {
    if (value !== undefined && Number(value) !== 0) out.double(field, Number(value));
  };
  int(18, schema.minProperties);
  int(17, schema.maxProperties);
  if (schema.uniqueItems) out.bool(16, true);
  int(15, schema.minItems);
  int(14, schema.maxItems);
  if (schema.pattern !== undefined) out.string(13, schema.pattern);
  int(12, schema.minLength);
  int(11, schema.maxLength);
  if (schema.exclusiveMinimum) out.bool(10, true);
  double(9, schema.minimum);
  if (schema.exclusiveMaximum) out.bool(8, true);
  double(7, schema.maximum);
  double(6, schema.multipleOf);
}
