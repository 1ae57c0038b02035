/** Compiles schemas to plans. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../../runtime/contract/index.js';
import { encodeFieldSet } from '../../../../../runtime/merge/field-set.js';
import { compileTypedPlan, type Decoding } from '../../../../../runtime/merge/typed/compile.js';
import { toFieldSet } from '../../../../../runtime/merge/typed/field-sets.js';
import { itemElement } from '../../../../../runtime/merge/typed/list-items.js';
import { findTypeProblems } from '../../../../../runtime/merge/typed/validate.js';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

const paths = (schema: Schema, value: JsonObject, decoding: Decoding = 'structural'): unknown =>
  encodeFieldSet(toFieldSet(compileTypedPlan(schema, decoding).root, value));

describe('list types', () => {
  const items = object({ name: text, port: { type: 'integer' } });
  const list = (more: Partial<Schema>): unknown =>
    paths(object({ l: { type: 'array', items, ...more } }), { l: [{ name: 'a' }] });
  const byName = { 'f:l': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } };

  it('are atomic by default', () => {
    expect(list({})).toEqual({ 'f:l': {} });
    expect(list({ 'x-kubernetes-list-type': 'atomic' })).toEqual({ 'f:l': {} });
  });

  it('are maps by their keys', () => {
    expect(list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })).toEqual(byName);
  });

  it('follow the markers of strategic merge without a list type', () => {
    const merge = { 'x-kubernetes-patch-strategy': 'merge' } as const;
    const key = { 'x-kubernetes-patch-merge-key': 'name' } as const;
    expect(list({ ...merge, ...key })).toEqual(byName);
    expect(list({ ...key, 'x-kubernetes-patch-strategy': 'merge,retainKeys' })).toEqual(byName);
    expect(list({ ...merge, ...key, 'x-kubernetes-list-type': 'atomic' })).toEqual({ 'f:l': {} });
    expect(list({ ...key, 'x-kubernetes-patch-strategy': 'retainKeys' })).toEqual({ 'f:l': {} });
    const set = object({ l: { type: 'array', items: text, ...merge } });
    expect(paths(set, { l: ['a'] })).toEqual({ 'f:l': { 'v:"a"': {} } });
  });
});

describe('keys of map lists', () => {
  const listOf = (items: Schema, keys: string[], decoding: Decoding = 'structural') => {
    const schema: Schema = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
    };
    const list = compileTypedPlan(object({ l: schema }), decoding).root.map?.fields.get('l')?.type.list;
    if (list === undefined) throw new Error('no list');
    return list;
  };
  const items = object({ a: text, b: { type: 'integer', default: 7 }, c: text });

  it('are sorted, and have their defaults', () => {
    expect(itemElement(listOf(items, ['b', 'a']), { a: 'x' })).toBe('k:{"a":"x","b":7}');
  });

  it('may be missing if they are not required, but not all of them', () => {
    expect(itemElement(listOf(items, ['a', 'c']), { a: 'x' })).toBe('k:{"a":"x"}');
    const missing =
      'associative list with keys has an element that omits key field "a" (and doesn\'t have default value)';
    expect(itemElement(listOf(items, ['a', 'c']), {})).toEqual({ problem: missing });
    expect(itemElement(listOf({ ...items, required: ['a'] }, ['a', 'b']), { b: 1 })).toEqual({ problem: missing });
  });

  it('that typed kinds require have their zero values if they are missing', () => {
    const required = { ...items, required: ['a'] };
    expect(itemElement(listOf(required, ['a'], 'typed'), { c: 'x' })).toBe('k:{"a":""}');
  });

  it('accept only objects as items', () => {
    const list = listOf(items, ['a']);
    expect(itemElement(list, null)).toEqual({ problem: 'associative list with keys may not have a null element' });
    expect(itemElement(list, 'x')).toEqual({ problem: 'associative list with keys may not have non-map elements' });
  });
});

describe('objects', () => {
  it('may be atomic', () => {
    const atomic = object({ o: { ...object({ a: text }), 'x-kubernetes-map-type': 'atomic' } });
    expect(paths(atomic, { o: { a: 'x' } })).toEqual({ 'f:o': {} });
  });

  it('without a schema are granular, but their lists are not', () => {
    const value = { o: { a: { b: [1] } } };
    const granular = { 'f:o': { 'f:a': { '.': {}, 'f:b': {} } } };
    expect(paths(object({ o: { type: 'object' } }), value)).toEqual(granular);
    expect(paths(object({ o: { 'x-kubernetes-preserve-unknown-fields': true } }), value)).toEqual(granular);
    expect(paths({}, value)).toEqual({ 'f:o': { '.': {}, ...granular['f:o'] } });
    expect(paths(object({ o: {} }), value)).toEqual({ 'f:o': {} });
  });

  it('embedded in others have metadata of their own', () => {
    const embedded: Schema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const value = { apiVersion: 'v1', metadata: { name: 'x', finalizers: ['a'] } };
    expect(paths(object({ o: embedded }), { o: value })).toEqual({
      'f:o': { 'f:apiVersion': {}, 'f:metadata': { 'f:finalizers': { 'v:"a"': {} }, 'f:name': {} } },
    });
  });

  it('that always exist have their required keyed lists from the start', () => {
    const always = { 'x-kindforge-presence': 'always' } as const;
    const keyed: Schema = {
      type: 'array',
      items: object({ name: text }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const spec: Schema = {
      ...object({ inner: { ...object({}), ...always }, keyed, other: text }),
      ...always,
      required: ['keyed', 'other'],
    };
    expect(compileTypedPlan(object({ spec, status: object({}) }), 'typed').initial).toEqual({
      spec: { inner: {}, keyed: null },
      metadata: {},
    });
  });
});

describe('type problems', () => {
  const problems = (schema: Schema, value: JsonObject): readonly string[] =>
    findTypeProblems(compileTypedPlan(schema, 'structural').root, value);

  it('are wrong JSON types', () => {
    const schema = object({
      s: text,
      n: { type: 'integer' },
      b: { type: 'boolean' },
      o: object({ a: text }),
      l: { type: 'array', items: text },
    });
    expect(problems(schema, { s: 1, n: 'x', b: 'x', o: 'x', l: {} })).toEqual([
      '.s: expected string, got number',
      '.n: expected numeric (int or float), got string',
      '.b: expected boolean, got string',
      '.o: expected map, got string',
      '.l: expected list, got map',
    ]);
    expect(problems(schema, { s: null, n: 5n, b: null, o: null, l: [null] })).toEqual([]);
  });

  it('are not found if a type is open', () => {
    const schema = object({
      i: { 'x-kubernetes-int-or-string': true },
      t: { type: 'string', format: 'date-time' },
      q: { type: 'string', 'x-kindforge-type': 'api/v1#/Quantity' },
      r: { type: 'object', 'x-kindforge-type': 'runtime/v1#/RawExtension' },
    });
    expect(problems(schema, { i: 1, t: 1, q: 1, r: { any: [1] } })).toEqual([]);
    expect(problems(schema, { i: {} })).toEqual(['.i: expected any scalar, got map']);
  });

  it('are members that no schema knows, unless they are preserved', () => {
    expect(problems(object({ o: object({ a: text }) }), { o: { b: 1 }, c: 1 })).toEqual([
      '.o.b: field not declared in schema',
      '.c: field not declared in schema',
    ]);
    const open: Schema = { ...object({ o: object({ a: text }) }), 'x-kubernetes-preserve-unknown-fields': true };
    expect(problems(open, { o: { b: 1 }, c: 1 })).toEqual([]);
  });

  it('are items that cannot be identified', () => {
    const set: Schema = object({ l: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } });
    expect(problems(set, { l: ['a', 'a'] })).toEqual(['.l: duplicate entries for key [="a"]']);
    expect(problems(set, { l: ['a', null] })).toEqual([
      ".l: element 1: associative list without keys has an element that's an explicit null",
    ]);
  });

  it('are reported up to a limit', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));
    expect(problems(object({ a: text }), many).length).toBe(100);
  });
});
