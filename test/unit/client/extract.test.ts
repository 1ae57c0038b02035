import { describe, expect, it } from 'vitest';
import { extract } from '../../../client/extract.js';
import type { ApiObjectLike, ManagedFieldsEntry } from '../../../client/types.js';
import { isEqual } from '../../../client/values.js';

const entry = (fieldsV1: Record<string, unknown>, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: 'me',
  operation: 'Apply',
  apiVersion: 'example.com/v1',
  fieldsV1,
  ...more,
});

const objectOf = (spec: unknown, ...managedFields: ManagedFieldsEntry[]): ApiObjectLike & { spec: unknown } => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'door', namespace: 'shop', uid: 'u1', labels: { a: '1', b: '2' }, managedFields },
  spec,
});

const nothing = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'door', namespace: 'shop' } };

/** Extracts the spec of an object with these owned fields. */
const specOf = (spec: unknown, owned: Record<string, unknown>): unknown =>
  extract<{ spec?: unknown }>(objectOf(spec, entry({ 'f:spec': owned })), 'me').spec;

describe('extract', () => {
  it("returns the fields that the manager applied, and the object's name", () => {
    const object = objectOf(
      { size: 'large', count: 3 },
      entry({ 'f:metadata': { 'f:labels': { 'f:b': {} } }, 'f:spec': { 'f:size': {} } }),
    );
    expect(extract(object, 'me')).toEqual({
      ...nothing,
      metadata: { ...nothing.metadata, labels: { b: '2' } },
      spec: { size: 'large' },
    });
  });

  it('ignores other managers, updates and subresources', () => {
    const owned = { 'f:spec': { 'f:size': {} } };
    const others = [{ manager: 'you' }, { operation: 'Update' as const }, { subresource: 'status' }];
    const object = objectOf({ size: 'large' }, ...others.map((other) => entry(owned, other)));
    expect(extract(object, 'me')).toEqual(nothing);
    expect(extract({ ...object, metadata: { name: 'door' } }, 'me')).toEqual({
      ...nothing,
      metadata: { name: 'door' },
    });
  });

  it('refuses an object that was applied in another version', () => {
    const object = objectOf({}, entry({}, { apiVersion: 'example.com/v2' }));
    expect(() => extract(object, 'me')).toThrow('me has applied example.com/v2');
  });

  it.each<[what: string, spec: unknown, owned: Record<string, unknown>, expected: unknown]>([
    [
      'whole values',
      { list: [{ a: 1 }], map: { a: 1 } },
      { 'f:list': {}, 'f:map': {} },
      { list: [{ a: 1 }], map: { a: 1 } },
    ],
    ['no field that has gone since', { a: 1 }, { 'f:a': {}, 'f:b': {} }, { a: 1 }],
    ['fields with dots and colons', { 'a.b/c:d': 1 }, { 'f:a.b/c:d': {} }, { 'a.b/c:d': 1 }],
    ['no inherited names', {}, { 'f:toString': {} }, {}],
    [
      'values of sets, in their order',
      { set: ['c', 'a', 'b'] },
      { 'f:set': { 'v:"a"': {}, 'v:"c"': {} } },
      { set: ['c', 'a'] },
    ],
    [
      'wide integers of sets',
      { set: [2n ** 60n, 1] },
      { 'f:set': { 'v:1152921504606846976': {} } },
      { set: [2n ** 60n] },
    ],
    [
      'objects of sets',
      { set: [{ b: [1], a: 1 }, { a: 1 }] },
      { 'f:set': { 'v:{"a":1,"b":[1]}': {} } },
      { set: [{ b: [1], a: 1 }] },
    ],
    ['items by index', { list: ['a', 'b'] }, { 'f:list': { 'i:1': {} } }, { list: ['b'] }],
    [
      'items by key',
      {
        list: [
          { name: 'x', a: 1, b: 2 },
          { name: 'y', a: 3 },
        ],
      },
      { 'f:list': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:b': {} } } },
      { list: [{ name: 'x', b: 2 }] },
    ],
    [
      'items without keys that were left to their default',
      {
        ports: [
          { port: 1, protocol: 'UDP' },
          { port: 1, protocol: 'TCP', name: 'a' },
        ],
      },
      { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
      { ports: [{ port: 1 }] },
    ],
    [
      'items with their keys where none of these is owned',
      { list: [{ name: 'x', a: 1 }] },
      { 'f:list': { 'k:{"name":"x"}': { 'f:a': {} } } },
      { list: [{ name: 'x', a: 1 }] },
    ],
  ])('returns %s', (_what, spec, owned, expected) => expect(specOf(spec, owned)).toEqual(expected));

  it('returns no fields of others in a map that was applied empty', () => {
    const mine = entry({ 'f:spec': { 'f:map': {}, 'f:whole': {} } });
    const theirs = entry({ 'f:spec': { 'f:map': { 'f:a': {} }, 'f:whole': {} } }, { manager: 'you' });
    const object = objectOf({ map: { a: 1 }, whole: { b: 1 } }, mine, theirs);
    expect(extract<{ spec: unknown }>(object, 'me').spec).toEqual({ map: {}, whole: { b: 1 } });
  });

  it('does not change the object when its result is changed', () => {
    const object = objectOf({ list: [{ a: 1 }] }, entry({ 'f:spec': { 'f:list': {} } }));
    const before = structuredClone(object);
    const { spec } = extract<{ spec: { list: { a: number }[] } }>(object, 'me');
    for (const item of spec.list) item.a = 2;
    expect(object).toEqual(before);
  });

  it('works at any depth of objects', () => {
    const levels = 9_990;
    /** Wraps a value in so many levels. */
    const deep = <T>(step: (inner: T) => T, innermost: T): T => {
      let all = innermost;
      for (let i = 0; i < levels; i++) all = step(all);
      return all;
    };
    const spec = deep<unknown>((inner) => ({ a: inner, b: 1 }), { c: 1, d: 2 });
    const owned = deep<Record<string, unknown>>((inner) => ({ 'f:a': inner }), { 'f:c': {} });
    const expected = deep<unknown>((inner) => ({ a: inner }), { c: 1 });
    expect(isEqual(specOf(spec, owned), expected)).toBe(true);
    const items = deep<unknown>((inner) => [{ name: 'x', in: inner }], []);
    const keyed = deep<Record<string, unknown>>((inner) => ({ 'k:{"name":"x"}': { 'f:in': inner } }), {});
    expect(isEqual(specOf(items, keyed), items)).toBe(true);
    expect(isEqual(specOf(spec, {}), spec)).toBe(true);
  });
});
