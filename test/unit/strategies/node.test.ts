/** Node: taints, blocks of addresses, and what tables show. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';
import { defineNodeStrategy } from '../../../strategies/node.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../support/field-errors.js';
import { testStrategy } from '../../support/strategy-suite.js';

const strategy = defineNodeStrategy(kubernetesNaming);
const node = (spec: JsonObject, rest: JsonObject = {}, metadata: JsonObject = {}) =>
  objectOf('Node', { spec, ...rest }, metadata);

testStrategy({
  strategy,
  stored: node({ taints: [{ key: 'a', effect: 'NoSchedule' }], podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }),
  words: ['taints', 'key', 'effect', 'podCIDRs', 'podCIDR', 'addresses', 'conditions', 'capacity', 'unschedulable'],
  subresources: ['status'],
  columns: ['Status', 'Roles', 'Internal-IP', 'External-IP', 'OS-Image'],
});

describe('a node', () => {
  it.each([
    [
      { taints: [{ key: '', effect: '' }] },
      [
        'metadata.taints[0].key: Invalid value: "": name part must be non-empty',
        'metadata.taints[0].key: Invalid value: "": name part must consist',
        'metadata.taints[0].effect: Required value',
      ],
    ],
    [
      { taints: [{ key: 'a', effect: 'Go' }] },
      [
        'metadata.taints[0].effect: Unsupported value: "Go": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      {
        taints: [
          { key: 'a', effect: 'NoExecute' },
          { key: 'a', effect: 'NoExecute', value: 'x' },
        ],
      },
      ['metadata.taints[1]: Duplicate value'],
    ],
    [{ podCIDRs: ['x'] }, ['spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value']],
    [{ podCIDRs: ['10.0.0.0/24', '10.1.0.0/24'] }, ['spec.podCIDRs: Invalid value']],
  ])('is refused with %j', (spec, expected) => {
    const errors = errorsOf(strategy, node(spec));
    expect(errors).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(errors[i]).toContain(start);
  });

  it('keeps its addresses and its provider', () => {
    const old = node({ podCIDRs: ['10.0.0.0/24'], providerID: 'p://1' });
    expect(changeErrorsOf(strategy, node({}), old)).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(changeErrorsOf(strategy, old, node({}))).toEqual([]);
  });

  it('fills in what follows from the rest', () => {
    const object = node({ podCIDRs: ['10.0.0.0/24'] }, { status: { capacity: { cpu: '4' } } });
    strategy.canonicalize?.(object);
    expect(object).toMatchObject({ spec: { podCIDR: '10.0.0.0/24' }, status: { allocatable: { cpu: '4' } } });
  });

  it('is selected by whether pods are put on it', () => {
    expect(strategy.selectableField?.(node({}), 'spec.unschedulable')).toBe('false');
    expect(strategy.selectableField?.(node({ unschedulable: true }), 'spec.unschedulable')).toBe('true');
  });

  it.each([
    [{}, 'Unknown'],
    [{ conditions: [{ type: 'Ready', status: 'True' }] }, 'Ready'],
    [{ conditions: [{ type: 'Ready', status: 'Unknown' }] }, 'NotReady'],
  ])('with status %j is %s', (status, text) => {
    expect(strategy.cell?.(node({}, { status }), 'Status', 0)).toBe(text);
    expect(strategy.cell?.(node({ unschedulable: true }, { status }), 'Status', 0)).toBe(`${text},SchedulingDisabled`);
  });

  it('shows roles and addresses', () => {
    const labels = { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'db', other: 'x' };
    const status = { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] };
    const object = node({}, { status }, { labels });
    const cells = ['Roles', 'Internal-IP', 'External-IP', 'OS-Image'].map((name) => strategy.cell?.(object, name, 0));
    expect(cells).toEqual(['db,worker', '10.0.0.9', '<none>', '<unknown>']);
  });
});
