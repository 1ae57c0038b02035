/** Path sets obey the laws of sets, and stay identical if nothing changes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import {
  decodeFieldSet,
  difference,
  EMPTY,
  encodeFieldSet,
  equalSets,
  has,
  intersection,
  isEmpty,
  leaves,
  parseFieldSet,
  paths,
  recursiveDifference,
  size,
  union,
} from '../../../../runtime/merge/field-set.js';
import { fields, set } from './arbitraries.js';

const same = (a: Parameters<typeof equalSets>[0], b: Parameters<typeof equalSets>[0]): void => {
  expect([...paths(a)]).toEqual([...paths(b)]);
  expect(equalSets(a, b)).toBe(true);
};

describe('laws', () => {
  it('union and intersection commute', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        same(union(a, b), union(b, a));
        same(intersection(a, b), intersection(b, a));
      }),
    );
  });

  it('union and intersection associate', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        same(union(a, union(b, c)), union(union(a, b), c));
        same(intersection(a, intersection(b, c)), intersection(intersection(a, b), c));
      }),
    );
  });

  it('intersection distributes over union', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        same(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c)));
      }),
    );
  });

  it('difference and intersection split a set', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        same(union(difference(a, b), intersection(a, b)), a);
        expect(isEmpty(intersection(difference(a, b), b))).toBe(true);
        expect(size(difference(a, b)) + size(intersection(a, b))).toBe(size(a));
      }),
    );
  });

  it('operations agree with membership path by path', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        for (const path of paths(union(a, b))) {
          expect(has(union(a, b), path)).toBe(has(a, path) || has(b, path));
          expect(has(intersection(a, b), path)).toBe(has(a, path) && has(b, path));
          expect(has(difference(a, b), path)).toBe(has(a, path) && !has(b, path));
          const covered = path.some((_, depth) => has(b, path.slice(0, depth + 1)));
          expect(has(recursiveDifference(a, b), path)).toBe(has(a, path) && !covered);
        }
      }),
    );
  });
});

describe('identity', () => {
  it('is kept by operations that change nothing', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(union(a, intersection(a, b))).toBe(a);
        expect(difference(a, difference(b, a))).toBe(a);
        expect(intersection(a, union(a, b))).toBe(a);
        expect(recursiveDifference(a, EMPTY)).toBe(a);
      }),
    );
  });
});

describe('leaves', () => {
  it('are the paths that no other path continues', () => {
    fc.assert(
      fc.property(set, (a) => {
        const all = [...paths(a)];
        const continued = (path: readonly string[]) =>
          all.some((other) => other.length > path.length && path.every((step, i) => other[i] === step));
        expect([...paths(leaves(a))]).toEqual(all.filter((path) => !continued(path)));
      }),
    );
  });

  it('drop a container that is owned along with its parts', () => {
    same(leaves(fields('a', 'a.b', 'c')), fields('a.b', 'c'));
  });
});

describe('recursive difference', () => {
  it('removes everything below a path, and the path only when it is named', () => {
    same(recursiveDifference(fields('a', 'a.b', 'a.c.d', 'e'), fields('a')), fields('e'));
    same(recursiveDifference(fields('a', 'a.b', 'a.c.d'), fields('a.c')), fields('a', 'a.b'));
  });
});

const canonical = (json: JsonValue): string | undefined => {
  const parsed = parseFieldSet(json);
  return parsed && JSON.stringify(encodeFieldSet(parsed));
};

describe('encoding', () => {
  it('is read back to the same set, by either reader', () => {
    fc.assert(
      fc.property(set, (a) => {
        const json = JSON.parse(JSON.stringify(encodeFieldSet(a)));
        expect(equalSets(decodeFieldSet(json), a)).toBe(true);
        expect(equalSets(parseFieldSet(json) ?? fields(), a)).toBe(true);
        expect(canonical(json)).toBe(JSON.stringify(json));
      }),
    );
  });

  it('marks containers that are owned themselves', () => {
    expect(encodeFieldSet(fields('a', 'a.b', 'c.d'))).toEqual({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': { 'f:d': {} } });
  });

  it('orders members, keyed items, set items and indexes, each by content', () => {
    const written = {
      'i:10': {},
      'i:9': {},
      'v:true': {},
      'v:"b"': {},
      'v:10': {},
      'v:9': {},
      'k:{"name":"a","port":443}': {},
      'k:{"name":"a","port":80}': {},
      'k:{"name":"a b","port":1}': {},
      'f:b': {},
      'f:a': { 'f:x': {}, '.': {} },
      'f:\ue000': {},
      'f:\u{1f600}': {},
    };
    const printed = JSON.parse(canonical(written) ?? '');
    expect(Object.keys(printed)).toEqual([
      'f:a',
      'f:b',
      'f:\ue000',
      'f:\u{1f600}',
      'k:{"name":"a","port":80}',
      'k:{"name":"a","port":443}',
      'k:{"name":"a b","port":1}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:9',
      'i:10',
    ]);
    expect(JSON.stringify(printed['f:a'])).toBe('{".":{},"f:x":{}}');
  });
});

describe('reading sets from clients', () => {
  it('brings steps into canonical form', () => {
    const json = { 'k:{ "port": 80.0, "name": "x" }': {}, 'v: "<a>"': {}, 'i:+07': {} };
    expect(canonical(json)).toBe(
      JSON.stringify({ 'k:{"name":"x","port":80}': {}, 'v:"\\u003ca\\u003e"': {}, 'i:7': {} }),
    );
  });

  it('keeps whole numbers that a double cannot represent', () => {
    expect(canonical({ 'v:9007199254740993': {} })).toBe('{"v:9007199254740993":{}}');
    expect(canonical({ 'k:{"id":9007199254740993}': {} })).toBe('{"k:{\\"id\\":9007199254740993}":{}}');
  });

  it('skips steps of unknown kinds, and treats an empty member as the path itself', () => {
    expect(canonical({ 'f:data': { 'q:x': {} } })).toBe('{"f:data":{}}');
    expect(canonical({ 'f:data': 'text' })).toBe('{"f:data":{}}');
    expect(canonical({ 'q:x': {} })).toBe('{}');
    expect(canonical({ '.': {} })).toBe('{}');
  });

  it('refuses a text that is not a step', () => {
    expect(canonical({ fdata: {} })).toBeUndefined();
    expect(canonical({ f: {} })).toBeUndefined();
    expect(canonical({ 'k:name': {} })).toBeUndefined();
    expect(canonical({ 'k:["name"]': {} })).toBeUndefined();
    expect(canonical({ 'v:': {} })).toBeUndefined();
    expect(canonical({ 'i:x': {} })).toBeUndefined();
    expect(canonical({ [`v:${'['.repeat(100_000)}${']'.repeat(100_000)}`]: {} })).toBeUndefined();
  });

  it('keeps `__proto__` an ordinary name', () => {
    const parsed = parseFieldSet(JSON.parse('{"f:__proto__":{"f:a":{}}}'));
    expect(parsed && [...paths(parsed)]).toEqual([['f:__proto__', 'f:a']]);
  });
});
