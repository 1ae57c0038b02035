/** Merging, removing and extracting typed values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../../runtime/contract/index.js';
import { parseFieldSet } from '../../../../../runtime/merge/field-set.js';
import { compileTypedPlan } from '../../../../../runtime/merge/typed/compile.js';
import { toFieldSet } from '../../../../../runtime/merge/typed/field-sets.js';
import { mergeValues } from '../../../../../runtime/merge/typed/merge.js';
import { extractItems, removeItems } from '../../../../../runtime/merge/typed/remove.js';
import { shape, shapes } from './shapes.js';

const { root } = compileTypedPlan(shape, 'structural');

const merge = (live: JsonObject, applied: JsonObject): JsonValue => {
  const merged = mergeValues(root, { spec: live }, { spec: applied });
  return typeof merged === 'object' && merged !== null && 'spec' in merged ? (merged.spec ?? null) : merged;
};

describe('merging', () => {
  it('replaces scalars and atomic values, and keeps fields that the configuration does not have', () => {
    expect(merge({ size: 'a', count: 1 }, { size: 'b' })).toEqual({ size: 'b', count: 1 });
    expect(merge({ plain: ['a'], atomicLabels: { a: '1' } }, { plain: ['b'], atomicLabels: { b: '1' } })).toEqual({
      plain: ['b'],
      atomicLabels: { b: '1' },
    });
  });

  it('ignores null and empty if there is a live value', () => {
    const live = { labels: { a: '1' }, set: ['a'], size: 'x', plain: ['a'] };
    expect(merge(live, { labels: null, set: null })).toEqual(live);
    expect(merge(live, { labels: {}, set: [] })).toEqual(live);
    expect(merge(live, { size: null, plain: null })).toEqual({ ...live, size: null, plain: null });
    expect(merge({}, { labels: {}, set: [], pair: null })).toEqual({ labels: {}, set: [], pair: null });
  });

  const sets: [string, string, string][] = [
    ['abc', 'b', 'abc'],
    ['abc', 'x', 'abcx'],
    ['abc', 'cba', 'cba'],
    ['abc', 'xb', 'axbc'],
    ['abc', 'ca', 'bca'],
    ['abc', 'cxa', 'bcxa'],
    ['', 'ba', 'ba'],
    ['abcd', 'bx', 'abcdx'],
  ];
  it.each(sets)('keeps the order of items: %s and %s make %s', (live, applied, merged) => {
    expect(merge({ set: [...live] }, { set: [...applied] })).toEqual({ set: [...merged] });
  });

  it('merges items of map lists by all their keys, defaults included', () => {
    const live = {
      ports: [
        { port: 1, name: 'a' },
        { port: 1, protocol: 'UDP' },
      ],
    };
    expect(merge(live, { ports: [{ port: 1, protocol: 'TCP', note: 'n' }] })).toEqual({
      ports: [
        { port: 1, protocol: 'TCP', name: 'a', note: 'n' },
        { port: 1, protocol: 'UDP' },
      ],
    });
  });

  it('replaces items that the live list has more than once, and keeps its other repeated items', () => {
    const live = { ports: [{ port: 1, name: 'a' }, { port: 1, name: 'b' }, { port: 2 }, { port: 2 }] };
    expect(merge(live, { ports: [{ port: 1, note: 'n' }] })).toEqual({
      ports: [{ port: 1, note: 'n' }, { port: 2 }, { port: 2 }],
    });
  });

  it('uses the configuration if the live value has another type', () => {
    expect(merge({ labels: 'text', set: { a: 1 } }, { labels: { a: '1' }, set: ['a'] })).toEqual({
      labels: { a: '1' },
      set: ['a'],
    });
  });

  it('keeps inherited names apart', () => {
    const merged = merge({ labels: { a: '1' } }, JSON.parse('{"labels":{"__proto__":"x","constructor":"y"}}'));
    expect(JSON.stringify(merged)).toBe('{"labels":{"a":"1","__proto__":"x","constructor":"y"}}');
  });

  it('is idempotent, and changes neither input', () => {
    fc.assert(
      fc.property(shapes, shapes, (live, applied) => {
        const before = structuredClone([live, applied]);
        const once = mergeValues(root, live, applied);
        expect(mergeValues(root, once, applied)).toEqual(once);
        expect(mergeValues(root, live, live)).toEqual(live);
        expect([live, applied]).toEqual(before);
      }),
    );
  });
});

const set = (fields: JsonObject) => parseFieldSet({ 'f:spec': fields }) ?? toFieldSet(root, {});

describe('removing', () => {
  const value = {
    spec: { size: 'a', labels: { a: '1', b: '2' }, set: ['x', 'y'], ports: [{ port: 1, name: 'n' }], plain: ['p'] },
  };

  it('removes members and items', () => {
    const fields = {
      'f:size': {},
      'f:labels': { 'f:a': {} },
      'f:set': { 'v:"x"': {} },
      'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { 'f:name': {} } },
      'f:plain': {},
    };
    expect(removeItems(root, value, set(fields))).toEqual({
      spec: { labels: { b: '2' }, set: ['y'], ports: [{ port: 1 }] },
    });
  });

  it('leaves null of a container that loses all its parts', () => {
    const fields = { 'f:labels': { 'f:a': {}, 'f:b': {} }, 'f:set': { 'v:"x"': {}, 'v:"y"': {} } };
    const { labels: _, set: __, ...rest } = value.spec;
    expect(removeItems(root, value, set(fields))).toEqual({ spec: { ...rest, labels: null, set: null } });
  });

  it('does not reach into atomic values', () => {
    expect(removeItems(root, value, set({ 'f:plain': { 'i:0': {} } }))).toBe(value);
  });

  it('returns the value itself if nothing is removed', () => {
    fc.assert(
      fc.property(shapes, (object) => {
        expect(removeItems(root, object, toFieldSet(root, {}))).toBe(object);
        expect(removeItems(root, object, set({ 'f:nope': {}, 'f:labels': { 'f:nope': {} } }))).toEqual(object);
      }),
    );
  });
});

describe('extracting', () => {
  it('keeps members and items, and the containers around them', () => {
    const value = {
      spec: { size: 'a', labels: { a: '1', b: '2' }, set: ['x', 'y'], ports: [{ port: 1, name: 'n' }], plain: ['p'] },
    };
    const fields = {
      'f:labels': { 'f:a': {} },
      'f:set': { 'v:"y"': {} },
      'f:plain': {},
      'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { 'f:port': {} } },
    };
    expect(extractItems(root, value, set(fields))).toEqual({
      spec: { labels: { a: '1' }, set: ['y'], ports: [{ port: 1 }], plain: ['p'] },
    });
  });

  it('leaves null of a container that is owned without parts', () => {
    expect(
      extractItems(root, { spec: { labels: { a: '1' }, set: ['x'] } }, set({ 'f:labels': {}, 'f:set': {} })),
    ).toEqual({
      spec: { labels: null, set: null },
    });
    expect(extractItems(root, { spec: {} }, set({ 'f:gone': {} }))).toEqual({ spec: null });
  });
});
