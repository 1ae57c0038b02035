/** The protobuf of a document has the content of its JSON, read by the field numbers of `OpenAPIv2.proto`. */
import { describe, expect, it } from 'vitest';
import { encodeOpenApiV2Protobuf } from '../../../../../runtime/codec/protobuf/openapi-v2.js';
import { ProtobufReader } from '../../../../../runtime/codec/protobuf/reader.js';
import { buildOpenApiV2, kubernetesNaming } from '../../../../../runtime/schema/openapi/index.js';
import { hasReference, referenceResources } from '../../schema/openapi/reference.js';
import { builtIn, custom } from '../../schema/openapi/resources.js';

const options = { naming: kubernetesNaming, title: 'Test', version: 'v1' };

type Kind = 'text' | 'bool' | 'int' | 'double' | 'any' | string;

/** Field number → name and kind; `[…]` repeats, `{…}` is a map of named messages, `=…` is the message itself. */
const messages: Record<string, Record<number, [name: string, kind: Kind]>> = {
  Document: {
    1: ['swagger', 'text'],
    2: ['info', 'Info'],
    8: ['paths', '=Paths'],
    9: ['definitions', '=Schemas'],
    10: ['parameters', '=Parameters'],
    12: ['security', '[Requirement]'],
    13: ['securityDefinitions', '=SecurityDefinitions'],
  },
  Info: { 1: ['title', 'text'], 2: ['version', 'text'] },
  Paths: { 2: ['', '{PathItem}'] },
  Schemas: { 1: ['', '{Schema}'] },
  Parameters: { 1: ['', '{Parameter}'] },
  SecurityDefinitions: { 1: ['', '{Scheme}'] },
  Scheme: { 2: ['', '=ApiKey'] },
  ApiKey: { 1: ['type', 'text'], 2: ['name', 'text'], 3: ['in', 'text'], 4: ['description', 'text'] },
  Requirement: { 1: ['', '{Scopes}'] },
  Scopes: { 1: ['scope', '[text]'] },
  PathItem: {
    2: ['get', 'Operation'],
    3: ['put', 'Operation'],
    4: ['post', 'Operation'],
    5: ['delete', 'Operation'],
    8: ['patch', 'Operation'],
    9: ['parameters', '[ParametersItem]'],
  },
  Operation: {
    1: ['tags', '[text]'],
    3: ['description', 'text'],
    5: ['operationId', 'text'],
    6: ['produces', '[text]'],
    7: ['consumes', '[text]'],
    8: ['parameters', '[ParametersItem]'],
    9: ['responses', '=Responses'],
    10: ['schemes', '[text]'],
    13: ['', '{any}'],
  },
  Responses: { 1: ['', '{ResponseValue}'] },
  ResponseValue: { 1: ['', '=Response'] },
  Response: { 1: ['description', 'text'], 2: ['schema', '=SchemaItem'] },
  SchemaItem: { 1: ['', '=Schema'] },
  ParametersItem: { 1: ['', '=Parameter'], 2: ['', '=Reference'] },
  Reference: { 1: ['$ref', 'text'] },
  Parameter: { 1: ['', '=Body'], 2: ['', '=NonBody'] },
  Body: { 2: ['name', 'text'], 3: ['in', 'text'], 4: ['required', 'bool'], 5: ['schema', 'Schema'] },
  NonBody: { 3: ['', '=Query'], 4: ['', '=Path'] },
  Query: parameter(6, 20),
  Path: parameter(5, 19),
  Schema: {
    1: ['$ref', 'text'],
    2: ['format', 'text'],
    3: ['title', 'text'],
    4: ['description', 'text'],
    5: ['default', 'any'],
    6: ['multipleOf', 'double'],
    7: ['maximum', 'double'],
    8: ['exclusiveMaximum', 'bool'],
    9: ['minimum', 'double'],
    10: ['exclusiveMinimum', 'bool'],
    11: ['maxLength', 'int'],
    12: ['minLength', 'int'],
    13: ['pattern', 'text'],
    14: ['maxItems', 'int'],
    15: ['minItems', 'int'],
    16: ['uniqueItems', 'bool'],
    17: ['maxProperties', 'int'],
    18: ['minProperties', 'int'],
    19: ['required', '[text]'],
    20: ['enum', '[any]'],
    21: ['additionalProperties', '=SchemaOrBool'],
    22: ['type', '=Type'],
    23: ['items', '=Items'],
    25: ['properties', '=Schemas'],
    30: ['example', 'any'],
    31: ['', '{any}'],
  },
  SchemaOrBool: { 1: ['', '=Schema'], 2: ['', '=bool'] },
  Type: { 1: ['', '=text'] },
  Items: { 1: ['', '=Schema'] },
};

function parameter(type: number, uniqueItems: number): Record<number, [string, Kind]> {
  return {
    1: ['required', 'bool'],
    2: ['in', 'text'],
    3: ['description', 'text'],
    4: ['name', 'text'],
    [type]: ['type', 'text'],
    [uniqueItems]: ['uniqueItems', 'bool'],
  };
}

function value(reader: ProtobufReader, kind: Kind): unknown {
  if (kind === 'text') return reader.string();
  if (kind === 'bool') return reader.bool();
  if (kind === 'int') return reader.int64();
  if (kind === 'double') return reader.double();
  if (kind !== 'any') return message(reader.message(), kind);
  const any = reader.message();
  expect([any.next(), any.field]).toEqual([true, 2]);
  return JSON.parse(any.string());
}

function message(reader: ProtobufReader, name: string): unknown {
  const result: Record<string, unknown> = {};
  let previous = 0;
  while (reader.next()) {
    const [key, kind] = messages[name]?.[reader.field] ?? [];
    if (key === undefined || kind === undefined) throw new Error(`field ${reader.field} in ${name}`);
    expect(reader.field).toBeGreaterThanOrEqual(previous);
    previous = reader.field;
    const inner = kind.slice(1, -1);
    if (kind.startsWith('[')) {
      const list = result[key] ?? [];
      if (Array.isArray(list)) result[key] = [...list, value(reader, inner)];
    } else if (kind.startsWith('{')) {
      const entry = reader.message();
      entry.next();
      const name = entry.string();
      entry.next();
      result[name] = value(entry, inner);
    } else if (kind.startsWith('=')) {
      const whole = value(reader, kind.slice(1));
      if (key === '') return whole;
      result[key] = whole;
    } else result[key] = value(reader, kind);
  }
  // Empty lists and empty maps are not written, and `{}` looks the same as nothing.
  return name === 'Scopes' ? (result.scope ?? []) : result;
}

const decode = (bytes: Uint8Array): unknown => message(new ProtobufReader(bytes), 'Document');

describe('encodeOpenApiV2Protobuf', () => {
  it('keeps every keyword', () => {
    const widget = custom({
      group: 'example.com',
      kind: 'Widget',
      plural: 'widgets',
      schema: {
        type: 'object',
        description: 'Ünïcode ✓',
        required: ['spec'],
        properties: {
          spec: {
            type: 'object',
            title: 'Spec',
            minProperties: 1,
            maxProperties: 9,
            properties: {
              size: { type: 'integer', format: 'int64', minimum: 1, maximum: 9, exclusiveMaximum: true, multipleOf: 2 },
              low: { type: 'number', minimum: -1.5, exclusiveMinimum: true, example: 2 },
              name: { type: 'string', minLength: 1, maxLength: 63, pattern: '^a', default: 'a', enum: ['a', 'b'] },
              list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3, uniqueItems: true },
              map: { type: 'object', additionalProperties: { type: 'boolean' } },
              open: { type: 'object', additionalProperties: true },
              keyed: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['name'],
                items: { type: 'object', properties: { name: { type: 'string' } } },
              },
            },
          },
        },
      },
    });
    const document = buildOpenApiV2(
      [widget, builtIn({ group: '', kind: 'Note', plural: 'notes', schema: { type: 'object' } })],
      options,
    );
    expect(decode(encodeOpenApiV2Protobuf(document))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it.skipIf(!hasReference)('keeps the documents of all built-in kinds', () => {
    const document = buildOpenApiV2(referenceResources(), options);
    expect(decode(encodeOpenApiV2Protobuf(document))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('writes values of any kind in full', () => {
    const huge = custom({
      group: 'example.com',
      kind: 'Huge',
      plural: 'huges',
      schema: { type: 'object', properties: { n: { type: 'integer', enum: [9223372036854775807n] } } },
    });
    const text = Buffer.from(encodeOpenApiV2Protobuf(buildOpenApiV2([huge], options))).toString('latin1');
    expect(text).toContain('9223372036854775807');
    expect(text).not.toContain('9223372036854775807n');
  });
});
