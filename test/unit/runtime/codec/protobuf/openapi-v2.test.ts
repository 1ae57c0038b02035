/** The protobuf of a document has the content of its JSON, read by the field numbers of `OpenAPIv2.proto`. */
import { describe, expect, it } from 'vitest';
import { encodeOpenApiV2Protobuf } from '../../../../../runtime/codec/protobuf/openapi-v2.js';
import { buildOpenApiV2, kubernetesNaming } from '../../../../../runtime/schema/openapi/index.js';
import { hasReference, referenceResources } from '../../schema/openapi/reference.js';
import { builtIn, custom } from '../../schema/openapi/resources.js';
import { documentReader, type Messages } from './openapi-messages.js';

const options = { naming: kubernetesNaming, title: 'Test', version: 'v1' };

const messages: Messages = {
  Document:
    '1 swagger:text 2 info:Info 8 paths:Paths 9 definitions:Schemas 10 parameters:Parameters 12 security:Requirement[] 13 securityDefinitions:Schemes',
  Info: '1 title:text 2 version:text',
  Paths: '2 :PathItem{}',
  Schemas: '1 :Schema{}',
  Parameters: '1 :Parameter{}',
  Schemes: '1 :Scheme{}',
  Scheme: '2 =ApiKey',
  ApiKey: '1 type:text 2 name:text 3 in:text 4 description:text',
  Requirement: '1 :Texts{}',
  Texts: '1 =text[]',
  PathItem:
    '2 get:Operation 3 put:Operation 4 post:Operation 5 delete:Operation 8 patch:Operation 9 parameters:EitherParameter[]',
  Operation:
    '1 tags:text[] 3 description:text 5 operationId:text 6 produces:text[] 7 consumes:text[] 8 parameters:EitherParameter[] 9 responses:Responses 10 schemes:text[] 13 :Any{}',
  Responses: '1 :EitherResponse{}',
  EitherResponse: '1 =Response',
  Response: '1 description:text 2 schema:EitherSchema',
  EitherSchema: '1 =Schema',
  EitherParameter: '1 =Parameter 2 =Reference',
  Reference: '1 $ref:text',
  Parameter: '1 =Body 2 =NonBody',
  Body: '2 name:text 3 in:text 4 required:bool 5 schema:Schema',
  NonBody: '3 =Query 4 =Path',
  Query: '1 required:bool 2 in:text 3 description:text 4 name:text 6 type:text 20 uniqueItems:bool',
  Path: '1 required:bool 2 in:text 3 description:text 4 name:text 5 type:text 19 uniqueItems:bool',
  Schema:
    '1 $ref:text 2 format:text 3 title:text 4 description:text 5 default:Any 6 multipleOf:double 7 maximum:double 8 exclusiveMaximum:bool 9 minimum:double 10 exclusiveMinimum:bool 11 maxLength:int 12 minLength:int 13 pattern:text 14 maxItems:int 15 minItems:int 16 uniqueItems:bool 17 maxProperties:int 18 minProperties:int 19 required:text[] 20 enum:Any[] 21 additionalProperties:SchemaOrBool 22 type:Type 23 items:Items 25 properties:Schemas 30 example:Any 31 :Any{}',
  SchemaOrBool: '1 =Schema 2 =bool',
  Type: '1 =text',
  Items: '1 =Schema',
  Any: '2 =json',
};

const decode = documentReader(messages);

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
