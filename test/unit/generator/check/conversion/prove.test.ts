/** The proof that conversions lose nothing: what it finds, and that the built-in kinds pass it, code included. */
import { describe, expect, it } from 'vitest';
import { findLosses } from '../../../../../generator/check/conversion/prove.js';
import { loadDefinitions } from '../../../../../generator/check/load-definitions.js';
import type { ConversionModel, ResourceModel, VersionModel } from '../../../../../generator/model/model.js';
import type { ConversionStep, Schema } from '../../../../../runtime/contract/index.js';
import { conversions } from '../../../../../strategies/conversions.js';
import { root } from '../../../../support/shared.js';

const text: Schema = { type: 'string', 'x-kindforge-presence': 'implicit' };
const number: Schema = { type: 'integer' };
const specOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

const model = loadDefinitions(root.endsWith('/') ? `${root}schemas` : `${root}/schemas`).model;
const [any] = model.resources;

function lossesOf(own: Schema, stored: Schema, steps: readonly ConversionStep[], more: Partial<ConversionModel> = {}) {
  if (!any) throw new Error('there are no definitions');
  const plain = { served: true, subresources: [], columns: [], selectableFields: [] };
  const conversion: ConversionModel = { steps, oneOf: [], lost: [], ...more };
  const version: VersionModel = { ...plain, name: 'v1', storage: false, schema: own, conversion };
  const storedVersion: VersionModel = { ...plain, name: 'v2', storage: true, schema: stored };
  const resource: ResourceModel = { ...any, versions: [version, storedVersion] };
  const losses = findLosses({ resource, version }, { resource, version: storedVersion });
  return losses.map(({ of, path }) => `${of} ${path}`);
}

describe('losses', () => {
  it('are none where a step says where everything goes', () => {
    const steps = [{ move: { field: 'spec.old', stored: 'spec.new' } }];
    expect(lossesOf(specOf({ old: number, a: text }), specOf({ new: number, a: text }), steps)).toEqual([]);
  });

  it('are fields of either side that have no place in the other', () => {
    expect(lossesOf(specOf({ a: text, own: number }), specOf({ a: text, theirs: number }), [])).toEqual([
      'stored spec.theirs',
      'this spec.own',
    ]);
  });

  it('are values that a step does not bring back', () => {
    const steps = [{ split: { field: 'spec.a', stored: ['spec.b', 'spec.c'], separator: '/' } }];
    expect(lossesOf(specOf({ a: text }), specOf({ b: text, c: text }), steps)).toContain('stored spec.b');
    const enumerated: Schema = { ...text, enum: ['x', 'y'] };
    expect(
      lossesOf(specOf({ a: { ...text, enum: ['x', 'x/y'] } }), specOf({ b: enumerated, c: enumerated }), steps),
    ).toEqual([]);
  });

  it('are not told where a reason is given, or objects cannot be so', () => {
    const steps: ConversionStep[] = [
      { move: { field: 'spec.port', stored: 'spec.number', type: 'number' } },
      { move: { field: 'spec.port', stored: 'spec.name', type: 'string' } },
    ];
    const own = specOf({ port: { 'x-kubernetes-int-or-string': true } });
    const stored = specOf({ number, name: text });
    expect(lossesOf(own, stored, steps)).not.toEqual([]);
    const fields = ['spec.number', 'spec.name'];
    expect(lossesOf(own, stored, steps, { oneOf: [{ of: 'stored', fields }] })).toEqual([]);
    const lost = [{ of: 'stored' as const, path: 'spec.theirs' }];
    expect(lossesOf(specOf({ a: text }), specOf({ a: text, theirs: number }), [], { lost })).toEqual([]);
  });

  it('are the same in every run', () => {
    const again = () => lossesOf(specOf({ a: text }), specOf({ b: number, c: number }), []);
    expect(again()).toEqual(again());
  });
});

describe('the built-in kinds', () => {
  const byName = new Map(model.resources.map((resource) => [`${resource.group}/${resource.names.plural}`, resource]));
  const converted = model.resources.flatMap((resource) => {
    const { storedAs } = resource;
    const storedResource = storedAs ? byName.get(`${storedAs.group}/${storedAs.plural}`) : resource;
    const version = storedResource?.versions.find(({ storage }) => storage);
    if (!storedResource || !version || resource.decoding !== 'typed') return [];
    return resource.versions
      .filter((each) => each !== version)
      .map(
        (each) =>
          [
            `${resource.names.plural} ${resource.group}/${each.name}`,
            { resource, version: each },
            { resource: storedResource, version },
          ] as const,
      );
  });

  it('are stored in one version and known in others', () => {
    expect(converted.length).toBeGreaterThan(40);
  });

  it.each(converted)('lose nothing: %s', (_name, one, stored) => {
    const named = conversions.find(({ name }) => name === one.version.conversion?.function);
    expect(findLosses(one, stored, named)).toEqual([]);
  });
});
