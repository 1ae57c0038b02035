import { describe, expect, test } from 'vitest';
import { diffOf } from '../../../../packages/console/src/object/diff.js';

describe('diffOf', () => {
  test('returns nothing for the same values in another order of members', () => {
    expect(diffOf({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toEqual([]);
  });

  test('returns each changed, added and removed field with its path', () => {
    const before = { spec: { size: 'small', old: true, labels: { 'a.b/c': 'x' } } };
    const after = { spec: { size: 'large', labels: { 'a.b/c': 'y' }, count: null } };
    expect(diffOf(before, after)).toEqual([
      { path: 'spec.size', before: 'small', after: 'large' },
      { path: 'spec.old', before: true },
      { path: 'spec.labels[a.b/c]', before: 'x', after: 'y' },
      { path: 'spec.count', after: null },
    ]);
  });

  test.each([['name'], ['key'], ['type']])('compares items by their %s, wherever they are in the list', (key) => {
    const before = [
      { [key]: 'a', n: 1 },
      { [key]: 'b', n: 2 },
    ];
    const after = [{ [key]: 'b', n: 3 }, { [key]: 'c' }, { [key]: 'a', n: 1 }];
    expect(diffOf(before, after)).toEqual([
      { path: `[${key}=b].n`, before: 2, after: 3 },
      { path: `[${key}=c]`, after: { [key]: 'c' } },
    ]);
  });

  test('reports a list as a whole if only its order changed', () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    expect(diffOf({ list: [a, b] }, { list: [b, a] })).toEqual([{ path: 'list', before: [a, b], after: [b, a] }]);
  });

  test('compares items by their index if two have the same name, or one has none', () => {
    expect(diffOf([{ name: 'a' }, { name: 'a' }], [{ name: 'a' }, { name: 'b' }])).toEqual([
      { path: '[1].name', before: 'a', after: 'b' },
    ]);
    expect(diffOf(['x'], ['y', 'z'])).toEqual([
      { path: '[0]', before: 'x', after: 'y' },
      { path: '[1]', after: 'z' },
    ]);
  });

  test('does not treat inherited members as fields', () => {
    expect(diffOf({}, JSON.parse('{"constructor":"x","__proto__":"y"}'))).toEqual([
      { path: 'constructor', after: 'x' },
      { path: '__proto__', after: 'y' },
    ]);
  });
});
