import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineStorageClasses } from '../../../../strategies/storage.platform.io/storageclasses.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineStorageClasses(platformNaming);

const storageClass = (fields: JsonObject = {}, annotations?: Record<string, string>): ApiObject =>
  objectOf(
    handlers,
    { provisioner: 'example.com/disks', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...fields },
    { name: 'fast', ...(annotations ? { annotations } : {}) },
  );

const place = (key: string, ...values: string[]): JsonObject => ({ matchLabelExpressions: [{ key, values }] });

const errorsOf = (fields: JsonObject): readonly string[] =>
  (handlers.validate?.(storageClass(fields), contextOf()) ?? []).map(fieldErrorText);

describe('a StorageClass', () => {
  it.each<[string, JsonObject]>([
    ['provisioners in upper case', { provisioner: 'Example.com/Disks' }],
    ['no policy', { reclaimPolicy: '' }],
    ['volumes that are kept', { reclaimPolicy: 'Retain' }],
    ['as many parameters as may be', { parameters: manyParameters(512) }],
    ['places that differ', { allowedTopologies: [place('zone', 'a'), place('zone', 'b'), place('region', 'a')] }],
  ])('accepts %s', (_what, fields) => expect(errorsOf(fields)).toEqual([]));

  it.each<[string, JsonObject, string[]]>([
    [
      'provisioners that are no names',
      { provisioner: 'No Name' },
      [expect.stringContaining('provisioner: Invalid value: "no name": name part must consist of')],
    ],
    ['keys without a name', { parameters: { '': 'x' } }, ['parameters: Invalid value: "": field can not be empty.']],
    ['too many parameters', { parameters: manyParameters(513) }, ['parameters: Too long: must have at most 512 bytes']],
    [
      'parameters that are too long',
      { parameters: { a: 'x'.repeat(262_144) } },
      ['parameters: Too long: must have at most 262144 bytes'],
    ],
    [
      'volumes that are recycled',
      { reclaimPolicy: 'Recycle' },
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [
      'places without values',
      { allowedTopologies: [place('zone')] },
      ['allowedTopologies[0].matchLabelExpressions[0].values: Required value'],
    ],
    [
      'values and labels that repeat',
      {
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'a', values: ['x', 'x'] },
              { key: 'a', values: ['y'] },
            ],
          },
        ],
      },
      [
        'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "x"',
        'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "a"',
      ],
    ],
    [
      'the same place in another order',
      {
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'a', values: ['x', 'y'] },
              { key: 'b', values: ['z'] },
            ],
          },
          {
            matchLabelExpressions: [
              { key: 'b', values: ['z'] },
              { key: 'a', values: ['y', 'x'] },
            ],
          },
        ],
      },
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
    [
      'a place that is anywhere',
      { allowedTopologies: [{}] },
      ['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
    ],
  ])('refuses %s', (_what, fields, errors) => expect(errorsOf(fields)).toEqual(errors));

  it('reports a limited number of errors', () =>
    expect(errorsOf({ allowedTopologies: Array.from({ length: 3000 }, () => ({})) })).toHaveLength(1000));

  it('causes warnings about labels with newer names', () => {
    const terms = { allowedTopologies: [place('zone', 'a'), place('failure-domain.beta.platform.io/zone', 'a')] };
    expect(handlers.warn?.(storageClass(terms), undefined)).toEqual([
      'allowedTopologies[1].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.platform.io/zone" instead',
    ]);
  });
});

function manyParameters(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'x']));
}

describe('cells of a StorageClass', () => {
  it.each<[Record<string, string>, string]>([
    [{}, 'fast'],
    [{ 'storageclass.kubernetes.io/is-default-class': 'true' }, 'fast (default)'],
    [{ 'storageclass.beta.kubernetes.io/is-default-class': 'true' }, 'fast (default)'],
    [{ 'storageclass.kubernetes.io/is-default-class': 'false' }, 'fast'],
    [{ 'storageclass.platform.io/is-default-class': 'true' }, 'fast'],
  ])('show with %j which is the default', (annotations, name) => {
    const { columns } = defineStorageClasses(kubernetesNaming);
    expect(columns?.Name?.(storageClass({}, annotations), 0)).toBe(name);
  });

  it('show whether claims may grow', () => {
    expect(handlers.columns?.AllowVolumeExpansion?.(storageClass(), 0)).toBe(false);
    expect(handlers.columns?.AllowVolumeExpansion?.(storageClass({ allowVolumeExpansion: true }), 0)).toBe(true);
  });
});
