/** Updates of custom resources: which values may stay although their schema refuses them. */
import { describe, expect, it } from 'vitest';
import type { JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../../runtime/schema/index.js';

const short: Schema = { type: 'string', maxLength: 2 };
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const listOf = (items: Schema, type?: 'map' | 'set' | 'atomic', more: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...(type && { 'x-kubernetes-list-type': type }),
  ...(type === 'map' && { 'x-kubernetes-list-map-keys': ['k'] }),
  ...more,
});
const keyed = listOf(object({ k: { type: 'string' }, v: short }), 'map');

/** Returns the places of the errors of an update of a field. */
function refused(schema: Schema, value: JsonValue, old: JsonValue): readonly string[] {
  const fields: string[] = [];
  const functions = schemaFunctions(object({ spec: schema }), { decoding: 'structural' });
  const push = (_error: unknown, place: readonly unknown[] = []) => fields.push(place.slice(1).join('.'));
  functions.validate({ spec: value }, { push, pushAt: push }, { spec: old });
  return fields;
}

const long = 'long';
const longer = 'longer';
const both = object({ a: short, b: short });

describe('an update keeps values that its schema refuses', () => {
  it.each<[string, Schema, JsonValue, JsonValue, readonly string[]]>([
    ['in a field beside one that changes', both, { a: long, b: 'x' }, { a: long }, []],
    ['but not in a field that changes', both, { a: longer, b: long }, { a: long, b: long }, ['a']],
    ['but not in a new field', both, { a: long, b: long }, { a: long }, ['b']],
    ['under a key of a map', { type: 'object', additionalProperties: short }, { x: long, y: long }, { x: long }, ['y']],
    ['in an item with the same keys', keyed, [{ k: 'b' }, { k: 'a', v: long }], [{ k: 'a', v: long }], []],
    ['but not in an item with new keys', keyed, [{ k: 'b', v: long }], [{ k: 'a', v: long }], ['0.v']],
    ['in an item at the same index', listOf(short), [long, longer], [long, long], ['1']],
    ['in a set as a whole', listOf(short, 'set'), [long], [long], []],
    ['but not in an item of a set', listOf(short, 'set'), [long, 'x'], [long], ['0']],
    ['in an atomic list as a whole', listOf(short, 'atomic'), [long], [long], []],
    ['but not in an item of an atomic list', listOf(short, 'atomic'), [long, 'x'], [long], ['0']],
    ['in an item that was null', listOf({ type: 'string' }), [null], [null], []],
    ['about missing fields', object({ a: short }, { required: ['b'] }), { a: 'x' }, { a: 'x' }, []],
    [
      'but not about missing fields of a changed object',
      object({ a: short }, { required: ['b'] }),
      { a: 'y' },
      { a: 'x' },
      ['b'],
    ],
    ['about the number of items', listOf(short, undefined, { maxItems: 1 }), ['x', 'y'], ['x', 'y'], []],
    ['but not about a changed number', listOf(short, undefined, { maxItems: 1 }), ['x', 'y', 'z'], ['x', 'y'], ['']],
    [
      'about the order of keyed items',
      { ...keyed, maxItems: 1 },
      [{ k: 'a' }, { k: 'b' }],
      [{ k: 'b' }, { k: 'a' }],
      [],
    ],
    ['of another type', { type: 'integer' }, 'x', 'x', []],
    ['about combinations of what has not changed', { ...both, not: {} }, { a: 'x' }, { a: 'x' }, []],
    ['but not about combinations of a changed value', { ...both, not: {} }, { a: 'x' }, { a: 'y' }, ['']],
    [
      'in a field that a branch restricts',
      object({ a: {}, b: {} }, { anyOf: [both] }),
      { a: long, b: 'x' },
      { a: long },
      [],
    ],
    [
      'but not in an object with unknown fields',
      object({ a: short }, { 'x-kubernetes-preserve-unknown-fields': true, minProperties: 3 }),
      { a: 'x', other: 1 },
      { a: 'x', other: 1 },
      [''],
    ],
  ])('%s', (_case, schema, value, old, places) => {
    expect(refused(schema, value, old)).toEqual(places);
  });

  it('in any amount', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => `${long}${i}`);
    const schema = object({ many: listOf(short), a: short });
    expect(refused(schema, { many, a: long }, { many, a: 'x' })).toEqual(['a']);
    expect(refused(object({ many: listOf(short, 'set'), a: short }), { many, a: long }, { many, a: 'x' })).toEqual([
      'a',
    ]);
  });

  it('and passes its errors on', () => {
    const passed: string[] = [];
    const functions = schemaFunctions(object({ a: short, b: short }), { decoding: 'structural' });
    const pass = ({ field }: { readonly field: string }) => passed.push(field);
    functions.validate({ a: long, b: longer }, { push: () => {}, pass }, { a: long, b: long });
    expect(passed).toEqual(['a']);
  });

  it('except kind and version, which the request decides', () => {
    const places: unknown[] = [];
    const functions = schemaFunctions(object({ kind: short }), { decoding: 'structural' });
    functions.validate({ kind: long }, { push: (error) => places.push(error.field) }, { kind: long });
    expect(places).toEqual(['kind']);
  });
});
