import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { applyJsonPatch, decodeJsonPatch } from '../../../../runtime/merge/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { changesBetween, equal } from '../../../../runtime/objects/equality.js';
import {
  getOwn,
  isApiObject,
  isInteger,
  isObject,
  isStringArray,
  isStringMap,
  objectAt,
  setOwn,
  stringAt,
} from '../../../../runtime/objects/guards.js';

const { value: jsonValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true }),
    fc.string(),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '10', '9')), tie('value'), {
      noNullPrototype: true,
    }),
  ),
}));

describe('equal', () => {
  it('ignores the order of keys and undefined values', () => {
    expect(equal({ a: 1, b: [{ c: 'x' }] }, { b: [{ c: 'x' }], a: 1 })).toBe(true);
    expect(equal({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(equal({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  });

  it.each<[JsonValue, JsonValue]>([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [[], {}],
    [{}, []],
    [null, {}],
    [0, null],
    ['1', 1],
    [1n, 2],
    [2n ** 53n + 1n, 2 ** 53],
    [1.5, 1n],
  ])('finds different values unequal (pair %#)', (a, b) => {
    expect(equal(a, b)).toBe(false);
    expect(equal(b, a)).toBe(false);
  });

  it('treats a number and a bigint of the same value as the same', () => {
    expect(equal({ n: 5n }, { n: 5 })).toBe(true);
    expect(equal([5], [5n])).toBe(true);
  });

  it('ignores values of a prototype', () => {
    expect(equal(JSON.parse('{"constructor":1}'), { x: 1 })).toBe(false);
    expect(equal(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'))).toBe(true);
    expect(equal(JSON.parse('{"__proto__":{"a":1}}'), { b: 1 })).toBe(false);
  });
});

describe('clone', () => {
  it('makes an equal value that shares nothing', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const copy = clone(value);
        expect(equal(copy, value)).toBe(true);
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  it('copies nested parts, not references to them', () => {
    const value = { spec: { list: [{ a: 1 }] } };
    const copy = clone(value);
    value.spec.list.push({ a: 2 });
    expect(copy).toEqual({ spec: { list: [{ a: 1 }] } });
  });

  it('keeps a key called __proto__ and does not change prototypes', () => {
    const copy = clone(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('leaves out keys that hold undefined', () => {
    expect(Object.keys(clone({ a: undefined, b: 1 }))).toEqual(['b']);
  });
});

describe('guards', () => {
  it('distinguish objects from arrays and null', () => {
    expect([{}, [], null, 'x', undefined].map(isObject)).toEqual([true, false, false, false, false]);
  });

  it('recognize whole numbers of both types', () => {
    expect([1, 1n, 1.5, '1', Number.NaN].map(isInteger)).toEqual([true, true, false, false, false]);
  });

  it('recognize the envelope of an API object', () => {
    const envelope = { apiVersion: 'v1', kind: 'Box', metadata: {} };
    expect(isApiObject(envelope)).toBe(true);
    expect(
      [{ ...envelope, kind: 1 }, { ...envelope, apiVersion: null }, { ...envelope, metadata: [] }, null].some(
        isApiObject,
      ),
    ).toBe(false);
  });

  it('recognize lists and maps of strings', () => {
    expect([['a'], [], ['a', 1], 'a'].map(isStringArray)).toEqual([true, true, false, false]);
    expect([{ a: 'b' }, {}, { a: 1 }, { a: undefined }, ['a']].map(isStringMap)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('read and set own properties only', () => {
    const object = {};
    expect(getOwn(object, 'constructor')).toBeUndefined();
    setOwn(object, '__proto__', { a: 1 });
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(getOwn(object, '__proto__')).toEqual({ a: 1 });
    expect(objectAt({ a: { b: 'c' } }, 'a')).toEqual({ b: 'c' });
    expect(objectAt({ a: 'b' }, 'a')).toBeUndefined();
    expect([stringAt({ a: 'b' }, 'a'), stringAt({ a: 1 }, 'a'), stringAt(undefined, 'a')]).toEqual(['b', '', '']);
  });
});

it.each<[JsonValue, JsonValue, JsonValue]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
  [
    { a: 1 },
    { b: 1 },
    [
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/b', value: 1 },
    ],
  ],
  [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, [{ op: 'replace', path: '/a/b/0/c', value: 2 }]],
  [{ a: [1] }, { a: [1, 2] }, [{ op: 'replace', path: '/a', value: [1, 2] }]],
  [{}, { 'x/y~z': 'v' }, [{ op: 'add', path: '/x~1y~0z', value: 'v' }]],
  [{ a: {} }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
])('from %j to %j', (before, after, patch) => {
  expect(changesBetween(before, after)).toEqual(patch);
  const read = decodeJsonPatch(clone(patch), false);
  const applied = read.ok ? applyJsonPatch(before, read.value.operations) : read;
  expect(applied).toEqual({ ok: true, value: after });
});
