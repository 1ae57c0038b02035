/** Path sets obey the laws of sets, and keep their identity if nothing changes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY, has, isEmpty, leaves, paths, size } from '../../../../../runtime/merge/fieldpath/field-set.js';
import {
  difference,
  equalSets,
  intersection,
  recursiveDifference,
  union,
} from '../../../../../runtime/merge/fieldpath/set-algebra.js';
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
  it('are the paths that no other continues', () => {
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
  it('takes all below a path, and the path only when it is named', () => {
    same(recursiveDifference(fields('a', 'a.b', 'a.c.d', 'e'), fields('a')), fields('e'));
    same(recursiveDifference(fields('a', 'a.b', 'a.c.d'), fields('a.c')), fields('a', 'a.b'));
  });
});
