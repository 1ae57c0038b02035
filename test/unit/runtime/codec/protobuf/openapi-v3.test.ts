/** The protobuf of a document has the content of its JSON, read by the field numbers of `OpenAPIv3.proto`. */
import { describe, expect, it } from 'vitest';
import { encodeOpenApiV3Protobuf } from '../../../../../runtime/codec/protobuf/openapi-v3.js';
import {
  buildOpenApiV3,
  kubernetesNaming,
  type OpenApiV3Document,
  openApiV3Paths,
} from '../../../../../runtime/schema/openapi/index.js';
import { builtIn, custom } from '../../schema/openapi/resources.js';
import { documentReader, type Messages } from './openapi-messages.js';

const options = { naming: kubernetesNaming, title: 'Test', version: 'v1' };

const messages: Messages = {
  Document: '1 openapi:text 2 info:Info 4 paths:Paths 5 components:Components 6 security:Requirement[]',
  Info: '1 title:text 6 version:text',
  Paths: '1 :PathItem{}',
  Components: '1 schemas:Schemas 7 securitySchemes:Schemes',
  Schemas: '1 :EitherSchema{}',
  Schemes: '1 :EitherScheme{}',
  EitherScheme: '1 =Scheme 2 =Reference',
  Scheme: '1 type:text 2 description:text 3 name:text 4 in:text',
  Requirement: '1 :Texts{}',
  Texts: '1 =text[]',
  PathItem:
    '4 get:Operation 5 put:Operation 6 post:Operation 7 delete:Operation 8 options:Operation 9 head:Operation 10 patch:Operation 13 parameters:EitherParameter[]',
  EitherParameter: '1 =Parameter 2 =Reference',
  Parameter: '1 name:text 2 in:text 3 description:text 4 required:bool 10 schema:EitherSchema',
  Operation:
    '1 tags:text[] 3 description:text 5 operationId:text 6 parameters:EitherParameter[] 7 requestBody:EitherBody 8 responses:Responses 13 :Any{}',
  EitherBody: '1 =Body 2 =Reference',
  Body: '1 description:text 2 content:Contents 3 required:bool',
  Contents: '1 :Content{}',
  Content: '1 schema:EitherSchema',
  Responses: '2 :EitherResponse{}',
  EitherResponse: '1 =Response 2 =Reference',
  Response: '1 description:text 3 content:Contents',
  Reference: '1 $ref:text',
  EitherSchema: '1 =Schema 2 =Reference',
  Schema:
    '1 nullable:bool 7 example:Any 9 title:text 10 multipleOf:double 11 maximum:double 12 exclusiveMaximum:bool 13 minimum:double 14 exclusiveMinimum:bool 15 maxLength:int 16 minLength:int 17 pattern:text 18 maxItems:int 19 minItems:int 20 uniqueItems:bool 21 maxProperties:int 22 minProperties:int 23 required:text[] 24 enum:Any[] 25 type:text 26 allOf:EitherSchema[] 27 oneOf:EitherSchema[] 28 anyOf:EitherSchema[] 29 not:Schema 30 items:Items 31 properties:Schemas 32 additionalProperties:Additional 33 default:Default 34 description:text 35 format:text 36 :Any{}',
  Items: '1 =EitherSchema',
  Additional: '1 =EitherSchema 2 =bool',
  Default: '1 =double 2 =bool 3 =text',
  Any: '2 =json',
};

const readDocument = documentReader(messages);
const decode = (document: OpenApiV3Document): unknown => readDocument(encodeOpenApiV3Protobuf(document));

/** Removes values without a trace in the message: false, zero and empty ones, except defaults. */
const asSaid = (document: OpenApiV3Document): unknown =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) =>
      (key !== 'default' && (value === false || value === 0)) || (key === 'description' && value === '')
        ? undefined
        : value,
    ),
  );

const widget = custom({
  group: 'example.com',
  kind: 'Widget',
  plural: 'widgets',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', format: 'int32', minimum: 1, maximum: 10, exclusiveMaximum: true, multipleOf: 2 },
          colour: {
            type: 'string',
            enum: ['red', 'blue'],
            default: 'red',
            pattern: '^[a-z]+$',
            minLength: 1,
            maxLength: 9,
          },
          on: { type: 'boolean', default: true, nullable: true },
          tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
          labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 7 },
          either: { anyOf: [{ type: 'string' }, { type: 'integer' }], 'x-kubernetes-int-or-string': true },
          __proto__x: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  },
});
const thing = builtIn({
  group: 'things.example.com',
  kind: 'Thing',
  plural: 'things',
  schema: { type: 'object', properties: {} },
});

describe('encodeOpenApiV3Protobuf', () => {
  it.each(openApiV3Paths([widget, thing]))('writes %s as in its JSON', (path) => {
    const document = buildOpenApiV3(path, [widget, thing], options);
    if (!document) throw new Error('no such document');
    expect(Object.keys(document.paths).length).toBeGreaterThan(0);
    expect(decode(document)).toEqual(asSaid(document));
  });

  it('writes of a default that is not a scalar only that it exists', () => {
    const schemas = { A: { type: 'object', default: {} }, B: { $ref: '#/components/schemas/A' } } as const;
    const document: OpenApiV3Document = {
      openapi: '3.0.0',
      info: { title: 'a', version: 'b' },
      paths: {},
      components: { schemas, securitySchemes: {} },
    };
    expect(decode(document)).toMatchObject({
      components: { schemas: { A: { type: 'object', default: {} }, B: { $ref: '#/components/schemas/A' } } },
    });
  });
});
