import { describe, expect, it } from 'vitest';
import { customResourcesIn, importCustomResources } from '../../../../generator/import/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com', labels: { a: 'b' } },
  spec: { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, conversion: { strategy: 'None' } },
};

describe('definitions of a server', () => {
  it('lose what the server added to them, and nothing else', () => {
    const served = {
      ...definition,
      metadata: {
        ...definition.metadata,
        uid: '1',
        resourceVersion: '2',
        generation: 3,
        creationTimestamp: '2026-01-01T00:00:00Z',
        managedFields: [{}],
        finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      },
      status: { conditions: [] },
    };
    expect(importCustomResources([served]).files).toEqual([{ path: 'example.com/things.yaml', value: definition }]);
  });

  describe('have the names that it has accepted', () => {
    const names = { plural: 'things', kind: 'Thing', shortNames: ['t'], listKind: 'ThingList' };
    const conflict = { type: 'NamesAccepted', status: 'False', message: '"t" is already in use' };
    const established = (status: string) => ({ type: 'Established', status });
    const imported = (status: JsonObject) =>
      importCustomResources([{ ...definition, spec: { ...definition.spec, names }, status }]);

    it.each([
      ['none is in conflict', { conditions: [established('True')] }],
      ['nothing is known of them', {}],
    ])('all of them if %s', (_title, status) => {
      const { files, notes } = imported(status);
      expect(files[0]?.value.spec).toMatchObject({ names });
      expect(notes).toEqual([]);
    });

    it('and no others', () => {
      const acceptedNames = { plural: 'things', kind: 'Thing', listKind: 'ThingList' };
      const { files, notes } = imported({ acceptedNames, conditions: [conflict, established('True')] });
      expect(files[0]?.value.spec).toEqual({ ...definition.spec, names: acceptedNames });
      expect(notes).toMatchObject([{ path: ['items', 0, 'spec', 'names'], message: expect.stringContaining('"t"') }]);
    });

    it('and are left out if it serves none of them', () => {
      const acceptedNames = { plural: 'things', kind: '' };
      const { files, notes, errors } = imported({ acceptedNames, conditions: [conflict, established('False')] });
      expect([files, errors]).toEqual([[], []]);
      expect(notes).toMatchObject([{ path: ['items', 0], message: expect.stringContaining('left out') }]);
    });
  });

  it('keep their other annotations', () => {
    const annotations = { 'kubectl.platform.io/last-applied-configuration': '{}', 'api-approved.kubernetes.io': 'yes' };
    const [file] = importCustomResources([{ ...definition, metadata: { name: 'x', annotations } }]).files;
    expect(file?.value.metadata).toEqual({ name: 'x', annotations: { 'api-approved.kubernetes.io': 'yes' } });
  });

  it.each([
    [1],
    [{}],
    [{ spec: { group: '../..', names: { plural: 'things' } } }],
    [{ spec: { group: 'a', names: { plural: '/etc' } } }],
  ])('are refused if a file cannot have their name: %j', (object) => {
    const { files, errors } = importCustomResources([definition, object]);
    expect(files).toEqual([]);
    expect(errors).toMatchObject([{ path: ['items', 1] }]);
  });
});

describe('dumps', () => {
  const { apiVersion, kind, ...bare } = definition;
  it.each([
    ['one definition', [definition]],
    ['a document for each', [definition, definition]],
    ['a list of any kind', [{ apiVersion: 'v1', kind: 'List', items: [definition] }]],
    ['a list of one kind', [{ apiVersion, kind: `${kind}List`, items: [bare] }]],
  ])('are %s', (_title, documents) => {
    const found = customResourcesIn(documents);
    expect(found?.every((each) => JSON.stringify(each) === JSON.stringify(definition))).toBe(true);
    expect(found?.length).toBeGreaterThan(0);
  });

  it.each([[{ swagger: '2.0' }], [{ kind: 'ResourceDefinition' }], [1]])('are not %j', (document) => {
    expect(customResourcesIn([definition, document])).toBeUndefined();
  });

  it('have an error at an item of a list that is something else', () => {
    const items = customResourcesIn([{ kind: 'List', items: [{ kind: 'Pod', spec: {} }] }]) ?? [];
    expect(importCustomResources(items).errors).toHaveLength(1);
  });
});
