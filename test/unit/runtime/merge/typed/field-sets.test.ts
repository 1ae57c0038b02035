/** Comparison and path sets of typed values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../../runtime/contract/index.js';
import { encodeFieldSet, isEmpty } from '../../../../../runtime/merge/field-set.js';
import { compileTypedPlan } from '../../../../../runtime/merge/typed/compile.js';
import { compare, toFieldSet } from '../../../../../runtime/merge/typed/field-sets.js';
import { shape, shapes } from './shapes.js';

const { root } = compileTypedPlan(shape, 'structural');

const changes = (old: JsonObject, next: JsonObject, type = root): unknown[] => {
  const { written, removed } = compare(type, old, next);
  return [encodeFieldSet(written), encodeFieldSet(removed)];
};

const spec = (old: JsonObject, next: JsonObject): unknown[] => {
  return changes({ spec: { pad: 1, ...old } }, { spec: { pad: 1, ...next } }).map((side) =>
    typeof side === 'object' && side !== null && 'f:spec' in side ? side['f:spec'] : side,
  );
};

describe('comparison', () => {
  it('names scalars that were changed, added or removed', () => {
    expect(spec({ size: 'a' }, { size: 'b' })).toEqual([{ 'f:size': {} }, {}]);
    expect(spec({}, { size: 'b' })).toEqual([{ 'f:size': {} }, {}]);
    expect(spec({ size: 'a' }, {})).toEqual([{}, { 'f:size': {} }]);
    expect(spec({ count: 1 }, { count: 1n })).toEqual([{}, {}]);
  });

  it('names added and removed containers with every path in them', () => {
    const pair = { '.': {}, 'f:left': {} };
    expect(spec({}, { pair: { left: 'x' } })).toEqual([{ 'f:pair': pair }, {}]);
    expect(spec({ pair: { left: 'x' } }, {})).toEqual([{}, { 'f:pair': pair }]);
    expect(changes({}, { spec: { size: 'a' } })).toEqual([{ 'f:spec': { '.': {}, 'f:size': {} } }, {}]);
    expect(spec({}, { labels: { a: '1' } })).toEqual([{ 'f:labels': { '.': {}, 'f:a': {} } }, {}]);
    expect(spec({}, { set: ['a'] })).toEqual([{ 'f:set': { '.': {}, 'v:"a"': {} } }, {}]);
  });

  it('names atomic values as wholes', () => {
    expect(spec({ atomicLabels: { a: '1' } }, { atomicLabels: { a: '1', b: '2' } })).toEqual([
      { 'f:atomicLabels': {} },
      {},
    ]);
    expect(spec({ plain: ['a'] }, { plain: ['b'] })).toEqual([{ 'f:plain': {} }, {}]);
    expect(spec({}, { plain: ['b'] })).toEqual([{ 'f:plain': {} }, {}]);
  });

  it('goes by items in set and map lists, whatever their order', () => {
    expect(spec({ set: ['a', 'b'] }, { set: ['c', 'a'] })).toEqual([
      { 'f:set': { 'v:"c"': {} } },
      { 'f:set': { 'v:"b"': {} } },
    ]);
    expect(spec({ set: ['a', 'b'] }, { set: ['b', 'a'] })).toEqual([{}, {}]);
    const old = { ports: [{ port: 1 }, { port: 2, name: 'x' }] };
    const next = {
      ports: [
        { port: 2, name: 'y', protocol: 'TCP' },
        { port: 1, protocol: 'UDP' },
      ],
    };
    const tcp = (port: number): string => `k:{"port":${port},"protocol":"TCP"}`;
    const udp = { 'k:{"port":1,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} } };
    const written = { 'f:ports': { ...udp, [tcp(2)]: { 'f:name': {}, 'f:protocol': {} } } };
    expect(spec(old, next)).toEqual([written, { 'f:ports': { [tcp(1)]: { '.': {}, 'f:port': {} } } }]);
  });

  it('treats items with the same keys as one', () => {
    const two = [
      { port: 1, name: 'a' },
      { port: 1, name: 'b' },
    ];
    const item = 'k:{"port":1,"protocol":"TCP"}';
    expect(spec({ ports: two }, { ports: [...two].reverse() })).toEqual([{ 'f:ports': { [item]: {} } }, {}]);
    const one = { '.': {}, 'f:name': {}, 'f:port': {} };
    expect(spec({ ports: two }, { ports: two.slice(0, 1) })).toEqual([
      { 'f:ports': { [item]: one } },
      { 'f:ports': { [item]: {} } },
    ]);
    expect(spec({}, { ports: two })).toEqual([{ 'f:ports': { '.': {}, [item]: {} } }, {}]);
  });

  it('distinguishes null, empty and absent', () => {
    expect(spec({}, { labels: {} })).toEqual([{ 'f:labels': {} }, {}]);
    expect(spec({ labels: null }, { labels: {} })).toEqual([{ 'f:labels': {} }, {}]);
    expect(spec({ labels: null }, { labels: { a: '1' } })).toEqual([{ 'f:labels': { 'f:a': {} } }, {}]);
    expect(spec({ labels: { a: '1' } }, { labels: {} })).toEqual([{}, { 'f:labels': { 'f:a': {} } }]);
    expect(spec({ set: [] }, { set: [] })).toEqual([{}, {}]);
    expect(spec({}, { set: [] })).toEqual([{ 'f:set': {} }, {}]);
  });

  it('compares members one by one without a schema, and lists as a whole', () => {
    const old = { anything: { a: { b: 1 }, l: [1] } };
    expect(spec(old, { anything: { a: { b: 2, 'x.y': {} }, l: [1, 2] } })).toEqual([
      { 'f:anything': { 'f:a': { 'f:b': {}, 'f:x.y': {} }, 'f:l': {} } },
      {},
    ]);
    expect(spec({ anything: { a: { b: 1 } } }, { anything: { a: 1 } })).toEqual([
      { 'f:anything': { 'f:a': {} } },
      { 'f:anything': { 'f:a': { 'f:b': {} } } },
    ]);
  });

  it('ignores fields that no manager can own', () => {
    const meta = { name: 'a', uid: 'u', resourceVersion: '1', generation: 1, managedFields: [{}] };
    expect(
      changes({ apiVersion: 'v1', kind: 'A', metadata: {} }, { apiVersion: 'v2', kind: 'B', metadata: meta }),
    ).toEqual([{}, {}]);
    expect(changes({ metadata: {} }, { metadata: { labels: { a: 'b' } } })[0]).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
    });
  });

  it('treats finalizers as a set, and owner references as atomic items with the key uid', () => {
    const next = { metadata: { finalizers: ['x/y'], ownerReferences: [{ uid: 'u', name: 'n' }] } };
    expect(changes({ metadata: { finalizers: [], ownerReferences: [] } }, next)[0]).toEqual({
      'f:metadata': { 'f:finalizers': { 'v:"x/y"': {} }, 'f:ownerReferences': { 'k:{"uid":"u"}': {} } },
    });
  });

  it('does not treat inherited names as members', () => {
    expect(spec({ labels: { a: '1' } }, { labels: { a: '1', constructor: 'x' } })[0]).toEqual({
      'f:labels': { 'f:constructor': {} },
    });
    const odd = JSON.parse('{"labels":{"a":"1","__proto__":"x"}}');
    expect(spec({ labels: { a: '1' } }, odd)[0]).toEqual({ 'f:labels': { 'f:__proto__': {} } });
  });

  it('of a value with itself is empty, and swaps sides when reversed, unless a value changed', () => {
    fc.assert(
      fc.property(shapes, shapes, (a, b) => {
        expect(isEmpty(compare(root, a, structuredClone(a)).written)).toBe(true);
        const there = compare(root, a, b);
        const back = compare(root, b, a);
        if (isEmpty(there.written)) expect(encodeFieldSet(back.written)).toEqual(encodeFieldSet(there.removed));
      }),
    );
  });
});

describe('the path set of a configuration', () => {
  const of = (value: JsonObject, schema: Schema = shape): unknown =>
    encodeFieldSet(toFieldSet(compileTypedPlan(schema, 'structural').root, value));

  it('has leaves, items, and members of maps, but no named containers', () => {
    const value = {
      metadata: { name: 'x', labels: { a: '1' }, annotations: {} },
      spec: { size: 'a', pair: { left: 'l' }, set: ['s'], ports: [{ port: 1 }], plain: [1], atomicLabels: { a: '1' } },
    };
    expect(of(value)).toEqual({
      'f:metadata': { 'f:annotations': {}, 'f:labels': { 'f:a': {} } },
      'f:spec': {
        'f:atomicLabels': {},
        'f:pair': { 'f:left': {} },
        'f:plain': {},
        'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        'f:set': { 'v:"s"': {} },
        'f:size': {},
      },
    });
  });

  it('has nulls and empty objects, but no empty lists of items', () => {
    expect(of({ spec: { labels: {}, size: null, set: [], ports: null, pair: {}, plain: [] } })).toEqual({
      'f:spec': { 'f:labels': {}, 'f:pair': {}, 'f:plain': {}, 'f:ports': {}, 'f:size': {} },
    });
    expect(of({ spec: { set: [] } })).toEqual({});
    expect(of({})).toEqual({});
  });

  it('has the containers that no schema names', () => {
    expect(of({ spec: { anything: { a: { b: 1 } } } })).toEqual({
      'f:spec': { 'f:anything': { 'f:a': { '.': {}, 'f:b': {} } } },
    });
  });
});
