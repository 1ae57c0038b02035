import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { defineCSINodes } from '../../../../strategies/storage.platform.io/csinodes.js';
import { changeErrorsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineCSINodes();

const node = (...drivers: JsonObject[]): ApiObject => objectOf(handlers, { spec: { drivers } }, { name: 'n1' });

const driver = (more: JsonObject = {}): JsonObject => ({ name: 'disks.example.com', nodeID: 'n1', ...more });

const errorsOf = (...drivers: JsonObject[]): readonly string[] =>
  (handlers.validate?.(node(...drivers), contextOf()) ?? []).map(fieldErrorText);

describe('a CSINode', () => {
  it.each<[string, JsonObject[]]>([
    ['no driver', []],
    ['names in upper case', [driver({ name: 'Disks.Example.com' })]],
    ['long ids', [driver({ nodeID: 'n'.repeat(256) })]],
    ['no volumes', [driver({ allocatable: { count: 0 } })]],
    ['any number of volumes', [driver({ allocatable: {} })]],
    ['several drivers', [driver(), driver({ name: 'files.example.com' })]],
  ])('accepts %s', (_what, drivers) => expect(errorsOf(...drivers)).toEqual([]));

  it.each<[string, JsonObject[], string[]]>([
    ['ids that are missing', [driver({ nodeID: '' })], ['spec.drivers[0].nodeID: Required value']],
    [
      'ids that are too long',
      [driver({ nodeID: 'n'.repeat(257) })],
      [`spec.drivers[0].nodeID: Invalid value: "${'n'.repeat(257)}": must be 256 characters or less`],
    ],
    [
      'negative numbers of volumes',
      [driver({ allocatable: { count: -1 } })],
      ['spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a driver that registers twice',
      [driver(), driver({ nodeID: 'other' })],
      ['spec.drivers[1].name: Duplicate value: "disks.example.com"'],
    ],
    ['keys that repeat', [driver({ topologyKeys: ['a', 'a'] })], ['spec.drivers[0]: Duplicate value: "a"']],
    [
      'names that are missing',
      [driver({ name: '' })],
      ['spec.drivers[0].name: Required value', expect.stringContaining('spec.drivers[0].name: Invalid value: ""')],
    ],
  ])('refuses %s', (_what, drivers, errors) => expect(errorsOf(...drivers)).toEqual(errors));

  it('keeps drivers unchanged, while others are added and removed', () => {
    const change = (now: ApiObject, before: ApiObject) => changeErrorsOf(handlers, now, before);
    const other = driver({ name: 'files.example.com' });
    expect(change(node(other), node(driver()))).toEqual([]);
    expect(change(node(driver(), other), node(driver()))).toEqual([]);
    expect(change(node(driver({ nodeID: 'n2' })), node(driver()))).toEqual([
      'CSINodeDriver: Invalid value: map[string]interface {}{"name":"disks.example.com", "nodeID":"n2"}: field is immutable',
    ]);
  });

  it('shows how many drivers it has', () => {
    expect(handlers.columns?.Drivers?.(node(driver(), driver()), 0)).toBe(2);
    expect(handlers.columns?.Drivers?.({ ...node(), spec: {} }, 0)).toBe(0);
  });
});
