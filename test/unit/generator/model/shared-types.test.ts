import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithinBounds } from '../../../../generator/model/extent.js';
import { components, resolveTypes, type WrittenType } from '../../../../generator/model/shared-types.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';

const source = { path: 'types.yaml', hash: 'abc' };
const write = (
  types: Record<string, JsonObject>,
  fieldPresence: WrittenType['fieldPresence'] = 'explicit',
): WrittenType[] => Object.entries(types).map(([name, raw]) => ({ name: `l#/${name}`, raw, fieldPresence, source }));
const schemaOf = (types: Record<string, JsonObject>, name: string) =>
  resolveTypes(write(types)).get(`l#/${name}`)?.schema;

describe('resolveTypes', () => {
  const color = { type: 'string', description: 'A color.', maxLength: 9 };

  test('replaces a reference by the type, with the keys beside it', () => {
    const car = {
      type: 'object',
      properties: { paint: { $ref: 'l#/Color', description: 'Of the car.', default: 'red' } },
    };
    expect(schemaOf({ Car: car, Color: color }, 'Car')).toEqual({
      type: 'object',
      properties: {
        paint: {
          type: 'string',
          maxLength: 9,
          description: 'Of the car.',
          default: 'red',
          'x-kindforge-type': 'l#/Color',
        },
      },
    });
  });

  test('gives a type that is a reference the last name', () => {
    expect(schemaOf({ A: { $ref: 'l#/B' }, B: { $ref: 'l#/Color' }, Color: color }, 'A')).toEqual({
      ...color,
      'x-kindforge-type': 'l#/B',
    });
  });

  test('reports a circle in any order', () => {
    const tree = { type: 'object', properties: { branch: { $ref: 'l#/Branch' } } };
    const branch = { type: 'object', properties: { tree: { $ref: 'l#/Tree' } } };
    for (const types of [
      { Tree: tree, Branch: branch },
      { Branch: branch, Tree: tree },
    ]) {
      const resolved = resolveTypes(write(types));
      expect([...resolved.values()].map((type) => type.cycles.length)).toEqual([1, 1]);
    }
  });

  test('cuts a circle at fields that preserve unknown fields, and only there', () => {
    const tree = {
      type: 'object',
      properties: {
        branch: { $ref: 'l#/Branch' },
        leaf: { $ref: 'l#/Leaf', 'x-kubernetes-preserve-unknown-fields': true },
      },
    };
    const branch = {
      type: 'object',
      properties: { tree: { $ref: 'l#/Tree', 'x-kubernetes-preserve-unknown-fields': true } },
    };
    for (const types of [
      { Tree: tree, Branch: branch, Leaf: color },
      { Leaf: color, Branch: branch, Tree: tree },
    ]) {
      const resolved = resolveTypes(write(types));
      expect([...resolved.values()].flatMap((type) => type.cycles)).toEqual([]);
      expect(resolved.get('l#/Tree')?.schema.properties).toEqual({
        branch: {
          type: 'object',
          properties: {
            tree: { type: 'object', 'x-kindforge-within': 'l#/Tree', 'x-kubernetes-preserve-unknown-fields': true },
          },
          'x-kindforge-type': 'l#/Branch',
        },
        leaf: { ...color, 'x-kubernetes-preserve-unknown-fields': true, 'x-kindforge-type': 'l#/Leaf' },
      });
    }
  });

  test('takes the first of two types with one name', () => {
    const [first, second] = [write({ A: { type: 'string' } }), write({ A: { type: 'integer' } })];
    expect(resolveTypes([...first, ...second]).get('l#/A')?.schema).toEqual({ type: 'string' });
  });

  test('takes the presence from the library of the field', () => {
    const types = [
      ...write({ A: { type: 'object', properties: { x: { type: 'string' }, b: { $ref: 'm#/B' } } } }, 'implicit'),
    ];
    types.push({
      name: 'm#/B',
      raw: { type: 'object', properties: { y: { type: 'string' } } },
      fieldPresence: 'explicit',
      source,
    });
    const properties = resolveTypes(types).get('l#/A')?.schema.properties;
    expect(properties?.x?.['x-kindforge-presence']).toBe('implicit');
    expect(properties?.b?.properties?.y?.['x-kindforge-presence']).toBeUndefined();
  });

  test('resolves only changed types again', () => {
    const types = write({ A: { $ref: 'l#/B' }, B: { type: 'string' }, C: { type: 'string' } });
    const first = resolveTypes(types);
    const changed = types.map((type) => (type.name === 'l#/B' ? { ...type, raw: { type: 'integer' } } : type));
    const second = resolveTypes(changed, first);
    expect(second.get('l#/C')?.schema).toBe(first.get('l#/C')?.schema);
    expect(second.get('l#/B')?.schema).not.toBe(first.get('l#/B')?.schema);
    expect(resolveTypes(structuredClone(types), first).get('l#/A')?.schema).toBe(first.get('l#/A')?.schema);
    expect(second.get('l#/A')?.schema.type).toBe('integer');
    const third = resolveTypes(
      changed.filter((type) => type.name !== 'l#/B'),
      second,
    );
    expect(third.get('l#/A')?.schema).toEqual({ type: 'object' });
  });

  test('measures types that double in size, without building them', () => {
    const types: Record<string, JsonObject> = { T0: { type: 'string' } };
    for (let level = 1; level < 2_000; level++) {
      const reference = { $ref: `l#/T${level - 1}` };
      types[`T${level}`] = { type: 'object', properties: { a: reference, b: reference } };
    }
    const resolved = resolveTypes(write(types));
    const small = [...resolved.values()].filter((type) => isWithinBounds(type.extent));
    expect(small).toHaveLength(17);
  });
});

const of = (graph: Record<string, readonly string[]>): string[][] =>
  components(Object.keys(graph), (node) => graph[node] ?? []).map((part) => [...part].sort());

describe('components', () => {
  test('puts dependencies first', () => {
    expect(of({ a: ['b'], b: ['c'], c: [] })).toEqual([['c'], ['b'], ['a']]);
  });

  test('makes one part of a circle', () => {
    expect(of({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'] })).toEqual([['d'], ['a', 'b', 'c']]);
  });

  test('ignores unknown nodes', () => {
    expect(of({ a: ['x'] })).toEqual([['a']]);
  });

  test('needs no stack for a long chain', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const parts = components(names, (name) => [`n${Number(name.slice(1)) + 1}`]);
    expect(parts).toHaveLength(100_000);
    expect(parts[0]).toEqual(['n99999']);
  });

  test('puts two nodes into one part exactly if each leads to the other', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const graphs = fc.array(fc.tuple(node, node), { maxLength: 12 });
    fc.assert(
      fc.property(graphs, (edges) => {
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        const next = (from: string): string[] => edges.filter(([start]) => start === from).map(([, end]) => end);
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          next(from).some((each) => each === to || (!seen.has(each) && reaches(each, to, seen.add(each))));
        const parts = components(names, next);
        const part = new Map(parts.flatMap((members, index) => members.map((member) => [member, index] as const)));
        for (const a of names) {
          for (const b of names) {
            const together = a === b || (reaches(a, b) && reaches(b, a));
            expect(part.get(a) === part.get(b)).toBe(together);
            if (!together && reaches(a, b)) expect(part.get(b)).toBeLessThan(part.get(a) ?? -1);
          }
        }
      }),
    );
  });
});
