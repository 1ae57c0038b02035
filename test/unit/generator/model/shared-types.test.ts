import { describe, expect, test } from 'vitest';
import { isWithinBounds } from '../../../../generator/model/extent.js';
import { resolveTypes, type WrittenType } from '../../../../generator/model/shared-types.js';
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

  test('a reference becomes the type, with what stands beside it', () => {
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

  test('a type that is a reference has the last name', () => {
    expect(schemaOf({ A: { $ref: 'l#/B' }, B: { $ref: 'l#/Color' }, Color: color }, 'A')).toEqual({
      ...color,
      'x-kindforge-type': 'l#/B',
    });
  });

  test('a circle is a mistake whatever the order', () => {
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

  test('a circle is cut where fields are preserved, and only there', () => {
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

  test('of two types with one name the first counts', () => {
    const [first, second] = [write({ A: { type: 'string' } }), write({ A: { type: 'integer' } })];
    expect(resolveTypes([...first, ...second]).get('l#/A')?.schema).toEqual({ type: 'string' });
  });

  test('presence is that of the library the field is written in', () => {
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

  test('only what has changed is resolved again', () => {
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

  test('types that double in size are measured, not built', () => {
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
