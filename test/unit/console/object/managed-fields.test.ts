import { describe, expect, test } from 'vitest';
import { ownedFields } from '../../../../packages/console/src/object/managed-fields.js';

const entry = (manager: string, fieldsV1: Record<string, unknown>, subresource?: string) => ({
  manager,
  operation: 'Apply' as const,
  time: '2026-01-01T00:00:00Z',
  fieldsV1,
  ...(subresource === undefined ? {} : { subresource }),
});

const object = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    name: 'a',
    labels: { 'a.b/c': 'x' },
    managedFields: [
      entry('one', {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a.b/c': {} } },
        'f:spec': {
          'f:size': {},
          'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
          'f:set': { 'v:"y"': {} },
          'f:atomic': {},
        },
      }),
      entry(
        'two',
        { 'f:spec': { 'f:size': {}, 'f:ports': { 'i:1': { '.': {} } } }, 'f:status': { 'f:phase': {} } },
        'status',
      ),
    ],
  },
  spec: { size: 'L', ports: [{ port: 80 }, { port: 443 }], set: ['x', 'y'], atomic: { deep: [1] }, none: {} },
  status: { phase: 'Ready: yes' },
};

const { lines, managers } = ownedFields(object);
const ownersOf = (path: string): readonly number[] | undefined => lines.find((line) => line.path === path)?.managers;

describe('ownedFields', () => {
  test('writes the object as lines of YAML, without managedFields', () => {
    const text = lines.map(({ depth, label, text }) => `${'  '.repeat(depth)}${label}${text && ` ${text}`}`).join('\n');
    expect(text).toBe(`apiVersion: v1
kind: Thing
metadata:
  name: "a"
  labels:
    a.b/c: "x"
spec:
  size: "L"
  ports:
  - port: 80
  - port: 443
  set:
  - "x"
  - "y"
  atomic:
    deep:
    - 1
  none: {}
status:
  phase: "Ready: yes"`);
  });

  test('names managers with their operation, subresource, time and number of fields', () => {
    expect(managers).toEqual([
      { name: 'one', operation: 'Apply', subresource: '', time: '2026-01-01T00:00:00Z', count: 8 },
      { name: 'two', operation: 'Apply', subresource: 'status', time: '2026-01-01T00:00:00Z', count: 2 },
    ]);
  });

  test.each([
    ['metadata.name', []],
    ['metadata.labels', [0]],
    ['metadata.labels[a.b/c]', [0]],
    ['spec', []],
    ['spec.size', [0, 1]],
    ['spec.ports', []],
    ['spec.ports[0].port', [0]],
    ['spec.ports[1].port', []],
    ['spec.set[0]', []],
    ['spec.set[1]', [0]],
    ['spec.atomic.deep[0]', [0]],
    ['status.phase', [1]],
  ])('finds the owners of %s', (path, owners) => {
    expect(ownersOf(path)).toEqual(owners);
  });

  test('accepts fields that are not well formed', () => {
    const odd = {
      ...object,
      metadata: { managedFields: [{ fieldsV1: { 'f:spec': { 'f:ports': { 'k:{': {}, 'v:': 1 } } } }, {}] },
    };
    expect(ownedFields(odd).lines.flatMap(({ managers }) => managers)).toEqual([]);
  });
});
