/** CSINode: drivers of a node. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { defineCSINodeStrategy } from '../../../strategies/csi-node.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../support/field-errors.js';
import { testStrategy } from '../../support/strategy-suite.js';

const strategy = defineCSINodeStrategy();
const driver = (rest: JsonObject = {}): JsonObject => ({ name: 'd.example.com', nodeID: 'n', ...rest });
const node = (...drivers: JsonObject[]) => objectOf('CSINode', { spec: { drivers } });

testStrategy({
  strategy,
  stored: node(driver({ topologyKeys: ['zone'], allocatable: { count: 3 } })),
  words: ['drivers', 'name', 'nodeID', 'topologyKeys', 'allocatable', 'count'],
  columns: ['Drivers'],
});

describe('drivers of a node', () => {
  it.each([
    [[driver({ name: '' })], ['spec.drivers[0].name: Required value', 'spec.drivers[0].name: Invalid value: ""']],
    [[driver({ nodeID: '' })], ['spec.drivers[0].nodeID: Required value']],
    [[driver({ nodeID: 'n'.repeat(257) })], ['spec.drivers[0].nodeID: Invalid value']],
    [
      [driver({ allocatable: { count: -1 } })],
      ['spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [[driver(), driver()], ['spec.drivers[1].name: Duplicate value: "d.example.com"']],
    [[driver({ topologyKeys: ['a', 'a'] })], ['spec.drivers[0]: Duplicate value: "a"']],
  ])('%j are refused', (drivers, expected) => {
    const errors = errorsOf(strategy, node(...drivers));
    expect(errors).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(errors[i]).toContain(start);
  });

  it('come and go, but do not change', () => {
    expect(changeErrorsOf(strategy, node(), node(driver()))).toEqual([]);
    expect(changeErrorsOf(strategy, node(driver()), node())).toEqual([]);
    expect(changeErrorsOf(strategy, node(driver({ nodeID: 'm' })), node(driver()))[0]).toContain('field is immutable');
  });

  it('are counted', () => {
    expect(strategy.cell?.(node(driver(), driver({ name: 'e' })), 'Drivers', 0)).toBe(2);
  });
});
