/** Definitions of earlier releases in a dump become valid definitions of v1. */
import { describe, expect, it } from 'vitest';
import { importCustomResources } from '../../../../generator/import/index.js';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { get, list } from '../../../../runtime/schema/read.js';
import { modelOf } from '../emit/emitting.js';

const names = { plural: 'things', kind: 'Thing' };
const specOf = (spec: JsonObject, apiVersion = 'apiextensions.k8s.io/v1beta1'): JsonObject => {
  const whole = { group: 'example.com', names, scope: 'Cluster', ...spec };
  const metadata = { name: 'things.example.com' };
  const { files, errors } = importCustomResources([
    { apiVersion, kind: 'CustomResourceDefinition', metadata, spec: whole },
  ]);
  expect(errors).toEqual([]);
  const [file] = files;
  expect(file?.value.apiVersion).toBe('apiextensions.k8s.io/v1');
  expect(modelOf(file?.value ?? {}).resources).toHaveLength(1);
  const { group: _group, names: _names, scope: _scope, ...rest } = Object(file?.value.spec);
  return rest;
};
const schemaOf = (spec: JsonObject, index = 0): JsonValue | undefined =>
  get(get(list(spec.versions)[index], 'schema'), 'openAPIV3Schema');
const schema = (openAPIV3Schema: JsonObject) => ({ openAPIV3Schema });
const keeps = { 'x-kubernetes-preserve-unknown-fields': true };

describe('definitions of v1beta1', () => {
  it('have the one version that they name, with the schema that they give for all', () => {
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'string', default: 'a' } } };
    const spec = {
      version: 'v1',
      preserveUnknownFields: false,
      validation: { openAPIV3Schema },
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'X', type: 'string', JSONPath: '.spec' }],
    };
    expect(specOf(spec)).toEqual({
      preserveUnknownFields: false,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.spec' }],
        },
      ],
    });
  });

  it('have versions of their own, with the parts that each gives', () => {
    const own = { ...schema({ type: 'object', properties: { a: { type: 'string' } } }) };
    const common = schema({ type: 'object' });
    const spec = specOf({
      preserveUnknownFields: false,
      version: 'v1',
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false, schema: own },
      ],
      validation: common,
      conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'https://example.com/' } },
    });
    expect([schemaOf(spec), schemaOf(spec, 1)]).toEqual([common.openAPIV3Schema, own.openAPIV3Schema]);
    expect(spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://example.com/' }, conversionReviewVersions: ['v1beta1'] },
    });
  });

  it('keep unknown fields unless they say otherwise, and need no schema', () => {
    expect(specOf({ version: 'v1' })).toEqual({
      versions: [{ name: 'v1', served: true, storage: true, schema: schema({ type: 'object', ...keeps }) }],
    });
  });
});

describe('definitions that keep unknown fields', () => {
  it('mark every object of their schemas, which may lack types', () => {
    const openAPIV3Schema = {
      properties: {
        metadata: { properties: { name: { maxLength: 9 } } },
        spec: {
          properties: {
            port: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
            any: { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] },
            list: { items: { properties: { a: { type: 'string' } } } },
            map: { additionalProperties: { type: 'string' } },
          },
        },
      },
    };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
    expect(schemaOf(specOf({ preserveUnknownFields: true, versions }, 'apiextensions.k8s.io/v1'))).toEqual({
      type: 'object',
      ...keeps,
      properties: {
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
        spec: {
          type: 'object',
          ...keeps,
          properties: {
            port: { 'x-kubernetes-int-or-string': true },
            any: keeps,
            list: { type: 'array', items: { type: 'object', ...keeps, properties: { a: { type: 'string' } } } },
            map: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      },
    });
  });
});
