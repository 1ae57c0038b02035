/** Schemas in OpenAPI documents: references, keywords that Swagger 2.0 lacks, and keywords that clients cannot read. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../../runtime/contract/index.js';
import {
  buildOpenApiV2,
  buildOpenApiV3,
  buildOpenApiV3Index,
  encodeOpenApiJson,
  kubernetesNaming,
  openApiV3Paths,
} from '../../../../../runtime/schema/openapi/index.js';
import { builtIn, custom } from './resources.js';

const options = { naming: kubernetesNaming, title: 'Test', version: 'v1' };

const widget = (properties: Record<string, Schema>, rest: Partial<Schema> = {}) =>
  custom({ group: 'example.com', kind: 'Widget', plural: 'widgets', schema: { type: 'object', properties, ...rest } });

const widgetV2 = (properties: Record<string, Schema>, rest: Partial<Schema> = {}) =>
  buildOpenApiV2([widget(properties, rest)], options).definitions['com.example.v1.Widget'];

const widgetV3 = (properties: Record<string, Schema>) =>
  buildOpenApiV3('apis/example.com/v1', [widget(properties)], options)?.components.schemas['com.example.v1.Widget'];

const gadget = (properties: Record<string, Schema>) =>
  builtIn({ group: 'storage.k8s.io', kind: 'Gadget', plural: 'gadgets', schema: { type: 'object', properties } });

/** A field with keywords that describe a value, but do not check it. */
const annotated: Schema = {
  type: 'object',
  default: {},
  externalDocs: { url: 'https://docs.example.com' },
  properties: {
    a: { type: 'string', default: 'x', example: 'y', externalDocs: { url: 'https://docs.example.com/a' } },
    n: { type: 'integer', default: 3, example: 4 },
  },
};
const plain: Schema = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } };
const noFields: Schema = { type: 'object', properties: {} };

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

describe('custom resources in Swagger 2.0', () => {
  const lowered = (field: Schema) => widgetV2({ field })?.properties?.field;

  it('lose junctors', () => {
    const some: Schema = { type: 'string', allOf: [{ minLength: 1 }], anyOf: [{}], oneOf: [{}], not: {} };
    expect(lowered(some)).toEqual({ type: 'string' });
  });

  it('lose type and shape if null is allowed, and are no longer required', () => {
    const spec: Schema = {
      type: 'object',
      required: ['may', 'text', 'must'],
      properties: {
        text: { type: 'string', nullable: true, maxLength: 3 },
        may: { type: 'array', nullable: true, items: { type: 'string' }, description: 'x' },
        must: { type: 'string' },
      },
    };
    expect(lowered(spec)).toEqual({
      type: 'object',
      required: ['must'],
      properties: { text: { maxLength: 3 }, may: { description: 'x' }, must: { type: 'string' } },
    });
  });

  it('lose type and shape if unknown fields are kept', () => {
    const open: Schema = {
      type: 'object',
      properties: { known: { type: 'string' } },
      'x-kubernetes-preserve-unknown-fields': true,
    };
    expect(lowered(open)).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('lose the type of lists without a schema of their items', () => {
    expect(lowered({ type: 'array' })).toEqual({});
  });

  it('keep int-or-string by its marker only, without its default', () => {
    const port: Schema = {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      default: 80,
    };
    expect(lowered(port)).toEqual({ 'x-kubernetes-int-or-string': true });
  });

  it('list no fields at all when the whole object is open', () => {
    expect(widgetV2({ spec: { type: 'object' } }, { 'x-kubernetes-preserve-unknown-fields': true })).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v1' }],
    });
  });

  it('have no defaults, examples and links', () => expect(lowered(annotated)).toEqual(plain));

  it('have a description if the definition has one', () => {
    expect(widgetV2({})).not.toHaveProperty('description');
    expect(widgetV2({}, { description: 'Turns.' })?.description).toBe('Turns.');
  });

  it('share nodes that need no change', () => {
    const spec: Schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(lowered(spec)).toBe(spec);
  });
});

describe('custom resources in OpenAPI 3.0', () => {
  it('have defaults, but no examples and links', () => {
    const at = (node: Schema): Schema => ({ ...annotated, anyOf: [{ properties: { a: node } }, { not: node }] });
    const { default: spec, properties } = widgetV3({ field: at({ example: 1 }) })?.properties?.field ?? {};
    expect([spec, properties]).toEqual([
      {},
      { a: { type: 'string', default: 'x' }, n: { type: 'integer', default: 3 } },
    ]);
    const text = JSON.stringify(widgetV3({ field: at({ minimum: 1, example: 1, externalDocs: { url: 'b' } }) }));
    expect(text).not.toMatch(/example"|externalDocs/);
    expect(text).toContain('"anyOf":[{"properties":{"a":{"minimum":1}}},{"not":{"minimum":1}}]');
  });

  it('have no zeros as defaults, and no empty lists of properties', () => {
    const always: Schema = { type: 'string', 'x-kindforge-presence': 'always' };
    const properties = widgetV3({ always, list: { type: 'array', items: { type: 'string' } }, none: noFields });
    expect(properties?.properties).toMatchObject({
      always: { type: 'string' },
      list: { type: 'array', items: { type: 'string' } },
      none: { type: 'object' },
    });
    expect(JSON.stringify(properties)).not.toMatch(/"default"|"properties":\{\}/);
  });

  it('do not mark a body as required, unlike version 2', () => {
    const post = '/apis/example.com/v1/namespaces/{namespace}/widgets';
    const v3 = buildOpenApiV3('apis/example.com/v1', [widget({})], options)?.paths;
    const bodies = Object.values(v3 ?? {}).flatMap(({ post, put, patch }) => [post, put, patch]);
    const told = bodies.flatMap((operation) => operation?.requestBody ?? []);
    expect(told.length).toBeGreaterThan(2);
    expect(told.filter((body) => 'required' in body)).toEqual([]);
    const [body] = buildOpenApiV2([widget({})], options).paths[post]?.post?.parameters ?? [];
    expect(body).toMatchObject({ name: 'body', required: true });
  });

  it('keep junctors and null, and have both types of int-or-string', () => {
    const field: Schema = { type: 'string', nullable: true, not: { enum: ['x'] } };
    const either: Schema = { 'x-kubernetes-int-or-string': true };
    const both: Schema = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
    const properties = widgetV3({ field, either, both })?.properties;
    expect(properties?.field).toBe(field);
    expect(properties?.either).toEqual(both);
    expect(properties?.both).toBe(both);
  });

  it('refer to metadata by a wrapped reference', () => {
    expect(widgetV3({})?.properties?.metadata).toEqual({
      description: expect.any(String),
      allOf: [{ $ref: `#/components/schemas/${objectMeta}` }],
    });
  });

  it('give embedded objects their three fields', () => {
    const template: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true };
    expect(widgetV3({ template })?.properties?.template).toMatchObject({
      required: ['kind', 'apiVersion'],
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: {} },
    });
  });

  it('keep patterns that only RE2 knows under another name', () => {
    const properties = widgetV3({ a: { type: 'string', pattern: '(?i)^yes$' } })?.properties;
    expect(properties?.a).toEqual({ type: 'string', 'x-re2-pattern': '(?i)^yes$' });
  });

  it('limit their depth', () => {
    let deep: Schema = { type: 'string', 'x-kubernetes-int-or-string': true };
    for (let i = 0; i < 5000; i++) deep = { type: 'array', items: deep };
    let depth = 0;
    for (let node = widgetV3({ deep })?.properties?.deep; node?.items !== undefined; node = node.items) depth++;
    expect(depth).toBeLessThan(300);
  });

  it('keep a property called __proto__ a property', () => {
    const properties = JSON.parse('{"__proto__":{"x-kubernetes-int-or-string":true}}');
    expect(Object.keys(widgetV3({ spec: { type: 'object', properties } })?.properties?.spec?.properties ?? {})).toEqual(
      ['__proto__'],
    );
  });
});

describe('built-in kinds in OpenAPI 3.0', () => {
  const $ref = '#/components/schemas/io.k8s.api.storage.v1.Part';
  const part: Schema = {
    type: 'object',
    properties: { size: { type: 'integer' } },
    'x-kindforge-type': 'storage/v1#/Part',
  };
  const time: Schema = { type: 'string', format: 'date-time', 'x-kindforge-type': 'meta/v1#/Time' };
  const text: Schema = { type: 'string' };
  const documents = (field: Schema) => {
    const gadgets = [gadget({ field })];
    const v3 = buildOpenApiV3('apis/storage.k8s.io/v1', gadgets, options)?.components.schemas;
    const id = 'io.k8s.api.storage.v1.Gadget';
    return { v3: v3?.[id]?.properties?.field, v2: buildOpenApiV2(gadgets, options).definitions[id]?.properties?.field };
  };
  const timeRef = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time';

  it.each<[string, Schema, unknown]>([
    ['a text', text, { type: 'string', default: '' }],
    ['a number', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int32', default: 0 }],
    ['a flag', { type: 'boolean' }, { type: 'boolean', default: false }],
    ['an object', part, { allOf: [{ $ref }], default: {} }],
    ['a time', time, { allOf: [{ $ref: timeRef }], default: {} }],
    ['bytes', { type: 'string', format: 'byte' }, { type: 'string', format: 'byte' }],
    ['a list', { type: 'array', items: text }, { type: 'array', items: { type: 'string', default: '' } }],
    [
      'a map',
      { type: 'object', additionalProperties: part },
      { type: 'object', additionalProperties: { allOf: [{ $ref }], default: {} } },
    ],
    ['a field with a default', { ...text, default: 'TCP' }, { type: 'string', default: 'TCP' }],
  ])('have the zero of %s that is never missing', (_what, field, expected) => {
    const { v2, v3 } = documents({ ...field, 'x-kindforge-presence': 'always' });
    expect(v3).toEqual(expected);
    expect(JSON.stringify(v2)).not.toContain('default');
  });

  it.each(['explicit', 'implicit', 'nullable'] as const)('have no zero for a field that is %s', (presence) => {
    expect(documents({ ...text, 'x-kindforge-presence': presence }).v3).toEqual(text);
    expect(documents({ ...part, 'x-kindforge-presence': presence }).v3).toEqual({ $ref });
  });

  it('have metadata that is never missing, in lists too, and no empty lists of properties', () => {
    const schemas = buildOpenApiV3('apis/storage.k8s.io/v1', [gadget({ none: noFields })], options)?.components.schemas;
    const kinds = ['Gadget', 'GadgetList'].map((kind) => schemas?.[`io.k8s.api.storage.v1.${kind}`]?.properties);
    expect(kinds.map((properties) => properties?.metadata?.default)).toEqual([{}, {}]);
    expect(kinds[1]?.items?.items?.default).toEqual({});
    expect(kinds[0]?.none).toEqual({ type: 'object' });
    expect(schemas?.[objectMeta]?.properties?.creationTimestamp?.default).toEqual({});
  });
});

describe('shared types', () => {
  const part = (description: string, rest: Partial<Schema> = {}): Schema => ({
    type: 'object',
    description,
    properties: { size: { type: 'integer', 'x-kindforge-presence': 'implicit' } },
    'x-kindforge-type': 'storage/v1#/Part',
    ...rest,
  });
  const id = 'io.k8s.api.storage.v1.Part';

  it('are defined once, and references add the particular keywords', () => {
    const gadgets = gadget({
      first: part('The first.'),
      second: part('The second.', { 'x-kubernetes-patch-strategy': 'retainKeys', default: {} }),
    });
    const v2 = buildOpenApiV2([gadgets], options).definitions;
    expect(v2[id]).toEqual({ type: 'object', description: 'The first.', properties: { size: { type: 'integer' } } });
    expect(v2['io.k8s.api.storage.v1.Gadget']?.properties?.second).toEqual({
      $ref: `#/definitions/${id}`,
      description: 'The second.',
      'x-kubernetes-patch-strategy': 'retainKeys',
    });
    const v3 = buildOpenApiV3('apis/storage.k8s.io/v1', [gadgets], options)?.components.schemas;
    expect(v3?.['io.k8s.api.storage.v1.Gadget']?.properties?.second).toEqual({
      allOf: [{ $ref: `#/components/schemas/${id}` }],
      description: 'The second.',
      'x-kubernetes-patch-strategy': 'retainKeys',
      default: {},
    });
  });

  it('have nothing twice about the items of a list', () => {
    const list = (items: Schema): Schema => ({ type: 'array', items });
    const gadgets = gadget({ first: list(part('A part.')), second: list(part('Another.')), third: part('A part.') });
    const v3 = buildOpenApiV3('apis/storage.k8s.io/v1', [gadgets], options)?.components.schemas;
    const $ref = `#/components/schemas/${id}`;
    const { first, second, third } = v3?.['io.k8s.api.storage.v1.Gadget']?.properties ?? {};
    expect(first?.items).toEqual({ allOf: [{ $ref }], default: {} });
    expect(second?.items).toEqual({ allOf: [{ $ref }], description: 'Another.', default: {} });
    expect(third).toEqual({ allOf: [{ $ref }], description: 'A part.' });
  });

  it('are described as in their library, if it is given', () => {
    const types = new Map([['storage/v1#/Part', part('A part.')]]);
    const v2 = buildOpenApiV2([gadget({ first: part('The first.') })], { ...options, types }).definitions;
    expect(v2[id]?.description).toBe('A part.');
  });

  it('are written in place when they are strings, lists or maps', () => {
    const mode: Schema = { type: 'string', enum: ['a'], 'x-kindforge-type': 'storage/v1#/Mode' };
    const v2 = buildOpenApiV2([gadget({ mode })], options).definitions;
    expect(v2['io.k8s.api.storage.v1.Gadget']?.properties?.mode).toEqual({ type: 'string', enum: ['a'] });
  });

  it('include spec and status that a built-in kind wrote in place', () => {
    const spec: Schema = { type: 'object', properties: { size: { type: 'integer' } } };
    const v2 = buildOpenApiV2([gadget({ spec })], options).definitions;
    expect(v2['io.k8s.api.storage.v1.Gadget']?.properties?.spec).toEqual({
      $ref: '#/definitions/io.k8s.api.storage.v1.GadgetSpec',
    });
    expect(v2['io.k8s.api.storage.v1.GadgetSpec']).toEqual(spec);
  });
});

describe('bodies', () => {
  const bodyTypes = (group: string, decode: typeof builtIn, path: string): readonly string[] => {
    const schema: Schema = { type: 'object', properties: {} };
    const document = buildOpenApiV3(
      `apis/${group}/v1`,
      [decode({ group, kind: 'Part', plural: 'parts', schema })],
      options,
    );
    const operations = document?.paths[`/apis/${group}/v1/namespaces/{namespace}/parts${path}`];
    const { post, put } = operations ?? {};
    return [post, put].flatMap((operation) => Object.keys(operation?.requestBody?.content ?? {}));
  };
  const json = ['application/json', 'application/yaml'];

  it.each([
    ["a project's own kind", 'shop.example.com', builtIn, [...json, kubernetesNaming.protobufMediaType]],
    ['a kind of a CustomResourceDefinition', 'shop.example.com', custom, json],
    ['a custom kind under a name of the reference', 'storage.k8s.io', custom, json],
    ['a built-in kind, as in the reference', 'storage.k8s.io', builtIn, ['*/*']],
  ])('of %s have the media types that the server reads', (_what, group, decode, expected) => {
    expect(bodyTypes(group, decode, '')).toEqual(expected);
    expect(bodyTypes(group, decode, '/{name}')).toEqual(expected);
  });
});

describe('the whole document', () => {
  it('does not depend on the order of resources', () => {
    const resources = [widget({ a: { type: 'string' } }), gadget({ b: { type: 'string' } })];
    const text = encodeOpenApiJson(buildOpenApiV2(resources, options));
    expect(encodeOpenApiJson(buildOpenApiV2([...resources].reverse(), options))).toBe(text);
  });

  it('leaves out versions that are not served', () => {
    const hidden = { ...widget({}), served: false };
    expect(Object.keys(buildOpenApiV2([hidden], options).definitions)).not.toContain('com.example.v1.Widget');
    expect(openApiV3Paths([hidden])).toEqual(['api', 'apis', 'version']);
    expect(buildOpenApiV3('apis/example.com/v1', [hidden], options)).toBeUndefined();
  });

  it('is indexed by path and hash', () => {
    expect(openApiV3Paths([widget({}), gadget({})])).toEqual([
      'api',
      'apis',
      'apis/example.com/v1',
      'apis/storage.k8s.io',
      'apis/storage.k8s.io/v1',
      'version',
    ]);
    expect(buildOpenApiV3Index([{ path: 'api/v1', hash: 'AB' }])).toEqual({
      paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=AB' } },
    });
  });

  it('is JSON with exact numbers', () => {
    const text = encodeOpenApiJson(widgetV3({ n: { type: 'integer', maximum: 9223372036854775807n } }));
    expect(text).toContain('"maximum":9223372036854775807}');
  });
});
