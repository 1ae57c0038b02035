/** The paths that name conflicts. */
import { describe, expect, it } from 'vitest';
import { fieldSetOf, paths } from '../../../../../runtime/merge/field-set.js';
import { sharedPaths } from '../../../../../runtime/merge/managed-fields/conflicts.js';
import type { PathElement } from '../../../../../runtime/merge/path-element.js';

const field = (name: string): PathElement => `f:${name}`;
const at = (path: string): readonly PathElement[] => path.split('.').map(field);
const named = (...wanted: readonly string[]): readonly string[] =>
  [...sharedPaths(fieldSetOf(wanted.map(at)))].map((path) => path.map((element) => String(element).slice(2)).join('.'));

describe('sharedPaths', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a single path', ['a.b.c.d'], ['a.b.c.d']],
    ['neighbours of one step', ['a', 'b'], ['a', 'b']],
    ['neighbours of two and three', ['a.b', 'a.c', 'd.e.f', 'd.e.g'], ['a.b', 'a.c', 'd.e.f', 'd.e.g']],
    ['neighbours of four, which share memory: the last names them all', ['a.b.c.d', 'a.b.c.e'], ['a.b.c.e', 'a.b.c.e']],
    ['neighbours of five, which begin new memory', ['a.b.c.d.e', 'a.b.c.d.f'], ['a.b.c.d.e', 'a.b.c.d.f']],
    [
      'neighbours of six, with a part below',
      ['a.b.c.d.e.f', 'a.b.c.d.e.g', 'a.b.c.d.e.g.h'],
      ['a.b.c.d.e.g', 'a.b.c.d.e.g', 'a.b.c.d.e.g.h'],
    ],
  ])('names %s', (_what, wanted, expected) => {
    expect(named(...wanted)).toEqual(expected);
  });

  it('names up to the maximum number of paths, each up to its maximum length', () => {
    const set = fieldSetOf(['a.b.c.d', 'a.b.c.e', 'a.b.c.e.f.g', 'a.x', 'y'].map(at));
    expect([...sharedPaths(set)].map(({ length }) => length)).toEqual([...paths(set)].map(({ length }) => length));
  });
});
