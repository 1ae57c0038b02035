/** Recursive types: read and pruned at any depth of values. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';

const again: Schema = {
  type: 'object',
  'x-kindforge-within': 'l/v1#/Tree',
  'x-kubernetes-preserve-unknown-fields': true,
};
const either: Schema = {
  'x-kindforge-within': 'l/v1#/Tree',
  'x-kindforge-or': 'schemas',
  'x-kubernetes-preserve-unknown-fields': true,
};
const tree: Schema = {
  type: 'object',
  'x-kindforge-type': 'l/v1#/Tree',
  properties: {
    size: { type: 'integer', format: 'int64', 'x-kindforge-presence': 'implicit' },
    left: again,
    list: { type: 'array', items: again },
    map: { type: 'object', additionalProperties: again },
    some: either,
  },
};

const functions = schemaFunctions({ type: 'object', properties: { spec: tree } }, { decoding: 'typed', kind: 'Wood' });

function decoded(spec: JsonObject): { readonly spec: JsonObject; readonly unknown: string[]; readonly wrong?: string } {
  const object = { spec };
  const wrong = functions.normalize?.(object)?.message;
  const unknown: string[] = [];
  functions.prune(object, (path) => unknown.push(path));
  return { spec: object.spec, unknown, ...(wrong === undefined ? {} : { wrong }) };
}

describe('recursive types', () => {
  it('are in canonical form at all depths', () => {
    const deep = { left: { size: 0, list: [{ size: 0, map: { a: { size: 1, left: { size: 0 } } } }] } };
    expect(decoded(deep).spec).toEqual({ left: { list: [{ map: { a: { size: 1, left: {} } } }] } });
  });

  it('lose unknown fields, and report their paths', () => {
    const deep = { left: { x: 1, list: [{ y: 1 }] }, map: { a: { z: 1, left: { w: 1 } } } };
    const { spec, unknown } = decoded(deep);
    expect(spec).toEqual({ left: { list: [{}] }, map: { a: { left: {} } } });
    expect(unknown.sort()).toEqual(['spec.left.list[0].y', 'spec.left.x', 'spec.map.a.left.w', 'spec.map.a.z']);
  });

  it('are reported at the unreadable field, without keys and indexes', () => {
    const { wrong } = decoded({ map: { a: { list: [{ size: 'x' }] } } });
    expect(wrong).toBe('json: cannot unmarshal string into Go struct field Tree.spec.map.list.size of type int64');
    expect(decoded({ left: 3 }).wrong).toContain('of type v1.Tree');
  });

  it('are refused beyond 400 levels, in every form', () => {
    const chain = (levels: number, key: string, wrap: (tree: JsonObject) => JsonValue): JsonObject => {
      let value: JsonObject = {};
      for (let level = 1; level < levels; level++) value = { [key]: wrap(value) };
      return value;
    };
    const ways: [string, (value: JsonObject) => JsonValue][] = [
      ['left', (value) => value],
      ['list', (value) => [value]],
      ['map', (value) => ({ a: value })],
      ['some', (value) => value],
    ];
    for (const [key, wrap] of ways) {
      expect(decoded(chain(401, key, wrap))).not.toHaveProperty('wrong');
      expect(decoded(chain(402, key, wrap)).wrong).toBe('exceeded max depth');
      expect(functions.normalize?.({ spec: chain(9000, key, wrap) })?.message).toBe('exceeded max depth');
    }
  });

  it('may be something else, and then unknown fields are dropped silently', () => {
    const one = decoded({ some: { size: 0, x: 1 } });
    expect(one).toEqual({ spec: { some: {} }, unknown: [] });
    expect(decoded({ some: [{ x: 1, left: { size: 0 } }, 'text'] }).spec).toEqual({ some: [{ left: {} }, 'text'] });
    expect(decoded({ some: true }).spec).toEqual({ some: true });
  });
});
