import type { DynamicObject, ServedKind } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import { readCustomDefinition } from '../../../../packages/console/src/pages/definitions/custom-definition.js';
import { definitionsOf, filtered } from '../../../../packages/console/src/pages/definitions/definitions.js';
import { stepsToDrop } from '../../../../packages/console/src/pages/definitions/drop-version.js';

const served = (group: string, version: string, plural: string, isPreferred = true): ServedKind => ({
  ...{ group, version, plural, kind: plural.toUpperCase(), scope: 'Namespaced', subresources: [] },
  ...{ verbs: ['get', 'list'], shortNames: [], singular: '', categories: [], isPreferred },
});

const object: DynamicObject = {
  apiVersion: 'apiextensions.example/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.light.example.com' },
  spec: {
    group: 'light.example.com',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp', shortNames: ['lp'] },
    versions: [
      { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      { name: 'v1', served: true, storage: false, deprecated: true },
      { name: 'v0', served: false, storage: false, deprecated: true, deprecationWarning: 'gone soon' },
    ],
  },
  status: {
    storedVersions: ['v1', 'v2'],
    conditions: [
      { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'fine' },
      { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message: 'spec.x' },
      { type: 'Terminating', status: 'False' },
    ],
  },
};

describe('a custom definition', () => {
  const custom = readCustomDefinition(object);

  it('has the warnings of its deprecated versions', () =>
    expect(custom.versions.map(({ name, warning }) => [name, warning])).toEqual([
      ['v2', undefined],
      ['v1', 'light.example.com/v1 Lamp is deprecated'],
      ['v0', 'gone soon'],
    ]));

  it('shows which conditions are good', () =>
    expect(custom.conditions.map(({ type, isGood }) => [type, isGood])).toEqual([
      ['Established', true],
      ['NonStructuralSchema', false],
      ['Terminating', true],
    ]));

  it('can be read from an object without any fields', () =>
    expect(readCustomDefinition({ apiVersion: 'a/v1', kind: 'X', metadata: {} })).toMatchObject({
      plural: '',
      versions: [],
      conditions: [],
    }));
});

describe('the list of definitions', () => {
  const groups = definitionsOf(
    [
      served('', 'v1', 'pods'),
      served('', 'v1', 'events'),
      served('light.example.com', 'v2', 'lamps'),
      served('light.example.com', 'v1', 'lamps', false),
    ],
    [readCustomDefinition(object)],
  );

  it('has each kind once, by group and name, kinds of the user first', () =>
    expect(groups.map(({ group, definitions }) => [group, definitions.map(({ plural }) => plural)])).toEqual([
      ['light.example.com', ['lamps']],
      ['', ['events', 'pods']],
    ]));

  it('has all versions with their stored objects, served or not', () =>
    expect(groups[0]?.definitions[0]?.versions.map(({ served: _, ...version }) => version)).toEqual([
      { name: 'v2', isServed: true, isPreferred: true, isStorage: true, isStored: true, warning: undefined },
      {
        ...{ name: 'v1', isServed: true, isPreferred: false, isStorage: false, isStored: true },
        warning: 'light.example.com/v1 Lamp is deprecated',
      },
      { name: 'v0', isServed: false, isPreferred: false, isStorage: false, isStored: false, warning: 'gone soon' },
    ]));

  it('has a definition of a kind that is not served', () => {
    const [group] = definitionsOf([], [readCustomDefinition(object)]);
    expect(group?.definitions[0]).toMatchObject({ plural: 'lamps', scope: 'Cluster', verbs: [] });
  });

  it.each([
    ['core', ['events', 'pods']],
    ['light v2', ['lamps']],
    ['POD', ['pods']],
    ['pods lamps', []],
  ])('filtered by %s has %j', (words, plurals) =>
    expect(filtered(groups, words).flatMap(({ definitions }) => definitions.map(({ plural }) => plural))).toEqual(
      plurals,
    ),
  );
});

describe('the steps before a version can be dropped', () => {
  const stepsOf = (
    kinds: readonly ServedKind[],
    customs: readonly DynamicObject[],
    name: string,
  ): readonly string[] => {
    const [group] = definitionsOf(kinds, customs.map(readCustomDefinition));
    const [definition] = group?.definitions ?? [];
    const version = definition?.versions.find((one) => one.name === name);
    return definition && version ? stepsToDrop(definition, version) : ['no version'];
  };
  const kinds = ['v2', 'v1'].map((version) => served('light.example.com', version, 'lamps', version === 'v2'));

  it.each([
    ['v2', ['Set storage:', 'Write the ob', 'Set served: ', 'Remove v2 fr']],
    ['v1', ['Write the ob', 'Set served: ', 'Remove v1 fr']],
    ['v0', ['Remove v0 fr']],
  ])('begin with the use of %s', (name, left) =>
    expect(stepsOf(kinds, [object], name).map((step) => step.slice(0, 12))).toEqual(left),
  );

  it('include another version if there is none', () =>
    expect(stepsOf([], [{ ...object, spec: { ...Object(object.spec), versions: [{ name: 'v9' }] } }], 'v9')).toEqual([
      'Add another version, since v9 is the only one.',
    ]));

  it('are empty for kinds of the server itself', () => expect(stepsOf(kinds, [], 'v1')).toEqual([]));
});
