/** The messages of `openapi.v3.Document`, with the field numbers of `OpenAPIv3.proto` of the gnostic project. */

/**
 * The form of a field. `A` is the message A; `A[]` is a list of A; `A|ref` is A or a reference; `{A}` is a message that
 * maps names to A. `any` is a value as YAML text, which includes JSON.
 */
export type FieldForm = 'text' | 'texts' | 'bool' | 'int' | 'double' | 'any' | 'anys' | 'default' | (string & {});

/** Keys of a document's objects, with the number and the form of the field for each. */
export type MessageFields = Readonly<Record<string, readonly [field: number, form: FieldForm]>>;

/** A message, and the field for its keys that begin with `x-`, if it has one. */
export interface MessageLayout {
  readonly fields: MessageFields;
  readonly extensions?: number;
  /** The field and form of all other keys, for maps that are separate messages. */
  readonly others?: readonly [field: number, form: FieldForm];
}

const layout = (fields: MessageFields, extensions?: number): MessageLayout =>
  extensions === undefined ? { fields } : { fields, extensions };

export const openApiV3Messages: Readonly<Record<string, MessageLayout>> = {
  Document: layout(
    {
      openapi: [1, 'text'],
      info: [2, 'Info'],
      servers: [3, 'Server[]'],
      paths: [4, 'Paths'],
      components: [5, 'Components'],
      security: [6, 'SecurityRequirement[]'],
      tags: [7, 'Tag[]'],
      externalDocs: [8, 'ExternalDocs'],
    },
    9,
  ),
  Info: layout(
    {
      title: [1, 'text'],
      description: [2, 'text'],
      termsOfService: [3, 'text'],
      version: [6, 'text'],
      summary: [8, 'text'],
    },
    7,
  ),
  Server: layout({ url: [1, 'text'], description: [2, 'text'] }, 4),
  Tag: layout({ name: [1, 'text'], description: [2, 'text'], externalDocs: [3, 'ExternalDocs'] }, 4),
  ExternalDocs: layout({ description: [1, 'text'], url: [2, 'text'] }, 3),
  Paths: { fields: {}, extensions: 2, others: [1, 'PathItem'] },
  Components: layout(
    {
      schemas: [1, '{Schema|ref}'],
      responses: [2, '{Response|ref}'],
      parameters: [3, '{Parameter|ref}'],
      requestBodies: [5, '{RequestBody|ref}'],
      securitySchemes: [7, '{SecurityScheme|ref}'],
    },
    10,
  ),
  SecurityRequirement: { fields: {}, others: [1, 'StringArray'] },
  SecurityScheme: layout(
    {
      type: [1, 'text'],
      description: [2, 'text'],
      name: [3, 'text'],
      in: [4, 'text'],
      scheme: [5, 'text'],
      bearerFormat: [6, 'text'],
      openIdConnectUrl: [8, 'text'],
    },
    9,
  ),
  PathItem: layout(
    {
      $ref: [1, 'text'],
      summary: [2, 'text'],
      description: [3, 'text'],
      get: [4, 'Operation'],
      put: [5, 'Operation'],
      post: [6, 'Operation'],
      delete: [7, 'Operation'],
      options: [8, 'Operation'],
      head: [9, 'Operation'],
      patch: [10, 'Operation'],
      trace: [11, 'Operation'],
      servers: [12, 'Server[]'],
      parameters: [13, 'Parameter|ref[]'],
    },
    14,
  ),
  Operation: layout(
    {
      tags: [1, 'texts'],
      summary: [2, 'text'],
      description: [3, 'text'],
      externalDocs: [4, 'ExternalDocs'],
      operationId: [5, 'text'],
      parameters: [6, 'Parameter|ref[]'],
      requestBody: [7, 'RequestBody|ref'],
      responses: [8, 'Responses'],
      deprecated: [10, 'bool'],
      security: [11, 'SecurityRequirement[]'],
      servers: [12, 'Server[]'],
    },
    13,
  ),
  Parameter: layout(
    {
      name: [1, 'text'],
      in: [2, 'text'],
      description: [3, 'text'],
      required: [4, 'bool'],
      deprecated: [5, 'bool'],
      allowEmptyValue: [6, 'bool'],
      style: [7, 'text'],
      explode: [8, 'bool'],
      allowReserved: [9, 'bool'],
      schema: [10, 'Schema|ref'],
      example: [11, 'any'],
      content: [13, '{MediaType}'],
    },
    14,
  ),
  RequestBody: layout({ description: [1, 'text'], content: [2, '{MediaType}'], required: [3, 'bool'] }, 4),
  MediaType: layout({ schema: [1, 'Schema|ref'], example: [2, 'any'] }, 5),
  Responses: { fields: { default: [1, 'Response|ref'] }, extensions: 3, others: [2, 'Response|ref'] },
  Response: layout({ description: [1, 'text'], content: [3, '{MediaType}'] }, 5),
  Reference: layout({ $ref: [1, 'text'], summary: [2, 'text'], description: [3, 'text'] }),
  Discriminator: layout({ propertyName: [1, 'text'] }, 3),
  Schema: layout(
    {
      nullable: [1, 'bool'],
      discriminator: [2, 'Discriminator'],
      readOnly: [3, 'bool'],
      writeOnly: [4, 'bool'],
      externalDocs: [6, 'ExternalDocs'],
      example: [7, 'any'],
      deprecated: [8, 'bool'],
      title: [9, 'text'],
      multipleOf: [10, 'double'],
      maximum: [11, 'double'],
      exclusiveMaximum: [12, 'bool'],
      minimum: [13, 'double'],
      exclusiveMinimum: [14, 'bool'],
      maxLength: [15, 'int'],
      minLength: [16, 'int'],
      pattern: [17, 'text'],
      maxItems: [18, 'int'],
      minItems: [19, 'int'],
      uniqueItems: [20, 'bool'],
      maxProperties: [21, 'int'],
      minProperties: [22, 'int'],
      required: [23, 'texts'],
      enum: [24, 'anys'],
      type: [25, 'text'],
      allOf: [26, 'Schema|ref[]'],
      oneOf: [27, 'Schema|ref[]'],
      anyOf: [28, 'Schema|ref[]'],
      not: [29, 'Schema'],
      items: [30, 'Items'],
      properties: [31, '{Schema|ref}'],
      additionalProperties: [32, 'Additional'],
      default: [33, 'default'],
      description: [34, 'text'],
      format: [35, 'text'],
    },
    36,
  ),
};
