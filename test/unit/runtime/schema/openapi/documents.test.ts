/** Schemas in OpenAPI documents: references, keywords that Swagger 2.0 lacks, and those that clients cannot read. */
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

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

describe('custom resources in Swagger 2.0', () => {
  const lowered = (field: Schema) => widgetV2({ field })?.properties?.field;

  it('lose junctors', () => {
    const some: Schema = { type: 'string', allOf: [{ minLength: 1 }], anyOf: [{}], oneOf: [{}], not: {} };
    expect(lowered(some)).toEqual({ type: 'string' });
  });

  it('lose type and shape where null is allowed, and are no longer required', () => {
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

  it('lose type and shape where unknown fields are kept', () => {
    const open: Schema = {
      type: 'object',
      properties: { known: { type: 'string' } },
      'x-kubernetes-preserve-unknown-fields': true,
    };
    expect(lowered(open)).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('lose the type of lists that say nothing of their items', () => {
    expect(lowered({ type: 'array' })).toEqual({});
  });

  it('keep int-or-string by its marker alone, and defaults', () => {
    const port: Schema = {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      default: 80,
    };
    expect(lowered(port)).toEqual({ 'x-kubernetes-int-or-string': true, default: 80 });
  });

  it('list no fields at all when the whole object is open', () => {
    expect(widgetV2({ spec: { type: 'object' } }, { 'x-kubernetes-preserve-unknown-fields': true })).toEqual({
      description: 'A Widget.',
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v1' }],
    });
  });

  it('share nodes that need no change', () => {
    const spec: Schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(lowered(spec)).toBe(spec);
  });
});

describe('custom resources in OpenAPI 3.0', () => {
  it('keep junctors and null, and say both types of int-or-string', () => {
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

  it('bound their depth', () => {
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

describe('shared types', () => {
  const part = (description: string, rest: Partial<Schema> = {}): Schema => ({
    type: 'object',
    description,
    properties: { size: { type: 'integer', 'x-kindforge-presence': 'implicit' } },
    'x-kindforge-type': 'storage/v1#/Part',
    ...rest,
  });
  const id = 'io.k8s.api.storage.v1.Part';

  it('are defined once and referred to with what is particular to the use', () => {
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

  it('say nothing twice of the items of a list', () => {
    const list = (items: Schema): Schema => ({ type: 'array', items });
    const gadgets = gadget({ first: list(part('A part.')), second: list(part('Another.')), third: part('A part.') });
    const v3 = buildOpenApiV3('apis/storage.k8s.io/v1', [gadgets], options)?.components.schemas;
    const $ref = `#/components/schemas/${id}`;
    const { first, second, third } = v3?.['io.k8s.api.storage.v1.Gadget']?.properties ?? {};
    expect(first?.items).toEqual({ $ref });
    expect(second?.items).toEqual({ allOf: [{ $ref }], description: 'Another.' });
    expect(third).toEqual({ allOf: [{ $ref }], description: 'A part.' });
  });

  it('are described as their library says, where it is given', () => {
    const types = new Map([['storage/v1#/Part', part('A part.')]]);
    const v2 = buildOpenApiV2([gadget({ first: part('The first.') })], { ...options, types }).definitions;
    expect(v2[id]?.description).toBe('A part.');
  });

  it('stand in place when they are strings, lists or maps', () => {
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

describe('the whole', () => {
  it('does not depend on the order of resources', () => {
    const resources = [widget({ a: { type: 'string' } }), gadget({ b: { type: 'string' } })];
    const text = encodeOpenApiJson(buildOpenApiV2(resources, options));
    expect(encodeOpenApiJson(buildOpenApiV2([...resources].reverse(), options))).toBe(text);
  });

  it('leaves out what is not served', () => {
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
