import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { definitionVersions } from '../../../../strategies/apiextensions.platform.io/definition-versions.js';

const same = (name: string): string => name;
const schema = { openAPIV3Schema: { type: 'object' } };

function toStored(spec: JsonObject): JsonObject {
  definitionVersions.toStored({ spec }, same);
  return spec;
}

function fromStored(spec: JsonObject): JsonObject {
  definitionVersions.fromStored({ spec }, same);
  return spec;
}

describe('the versions of earlier definitions', () => {
  it('become one version if only a name is given, and back', () => {
    const stored = toStored({ version: 'v1', validation: schema, preserveUnknownFields: false });
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    expect(stored).toEqual({ versions, preserveUnknownFields: false });
    expect(fromStored(stored)).toEqual({
      version: 'v1',
      validation: schema,
      versions: [{ name: 'v1', served: true, storage: true }],
      preserveUnknownFields: false,
    });
  });

  it('get the common parts, except parts of their own', () => {
    const own = { openAPIV3Schema: { type: 'object', title: 'own' } };
    const versions = [{ name: 'v1', schema: own }, { name: 'v2' }];
    expect(toStored({ versions, validation: schema, subresources: { status: {} } })).toEqual({
      versions: [
        { name: 'v1', schema: own, subresources: { status: {} } },
        { name: 'v2', schema, subresources: { status: {} } },
      ],
    });
  });

  it('keep different parts separate', () => {
    const versions = [{ name: 'v1', schema }, { name: 'v2' }];
    expect(fromStored({ versions })).toEqual({ version: 'v1', versions, preserveUnknownFields: false });
  });

  it('ask webhooks in the version of the time if none is named', () => {
    const conversion = { strategy: 'Webhook' };
    expect(toStored({ conversion }).conversion).toEqual({ ...conversion, conversionReviewVersions: ['v1beta1'] });
    expect(toStored({ conversion: { strategy: 'None' } }).conversion).toEqual({ strategy: 'None' });
  });

  it('do not change if they are not definitions', () => {
    expect(() => definitionVersions.toStored({}, same)).not.toThrow();
    expect(() => definitionVersions.fromStored({}, same)).not.toThrow();
  });
});
