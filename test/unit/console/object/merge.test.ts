import { describe, expect, test } from 'vitest';
import { merge } from '../../../../packages/console/src/object/merge.js';

const object = (spec: unknown, resourceVersion = '1') => ({ metadata: { name: 'a', resourceVersion }, spec });

describe('merge', () => {
  test('merges changes of different fields, and names the side of each', () => {
    const { merged, conflicts, changes } = merge(
      object({ size: 'small', count: 1, note: 'x' }),
      object({ size: 'large', count: 1, note: 'x' }),
      object({ size: 'small', count: 2 }, '2'),
    );
    expect(merged).toEqual(object({ size: 'large', count: 2 }, '2'));
    expect(conflicts).toEqual([]);
    expect(changes).toEqual([
      { path: 'spec.size', before: 'small', after: 'large', side: 'mine' },
      { path: 'spec.count', before: 1, after: 2, side: 'theirs' },
      { path: 'spec.note', before: 'x', side: 'theirs' },
    ]);
  });

  test('reports a field that both have changed, and uses theirs until mine is chosen', () => {
    const three = [object({ size: 'a' }), object({ size: 'b' }), object({ size: 'c' }, '2')] as const;
    expect(merge(...three)).toMatchObject({
      merged: object({ size: 'c' }, '2'),
      conflicts: [{ path: 'spec.size', base: 'a', mine: 'b', theirs: 'c' }],
    });
    expect(merge(...three, new Map([['spec.size', 'mine']])).merged).toEqual(object({ size: 'b' }, '2'));
  });

  test('reports a field that one has removed and the other has changed', () => {
    const three = [object({ size: 'a' }), object({}), object({ size: 'c' }, '2')] as const;
    expect(merge(...three).conflicts).toEqual([{ path: 'spec.size', base: 'a', mine: undefined, theirs: 'c' }]);
    expect(merge(...three, new Map([['spec.size', 'mine']])).merged).toEqual(object({}, '2'));
  });

  test('does not report the same change of both as a conflict', () => {
    const { conflicts, changes } = merge(object({ n: 1 }), object({ n: 2 }), object({ n: 2 }, '2'));
    expect({ conflicts, changes }).toEqual({ conflicts: [], changes: [] });
  });

  test('merges items by their name: changed, added by each, and removed', () => {
    const item = (name: string, port: number) => ({ name, port });
    const { merged, conflicts } = merge(
      object({ ports: [item('a', 1), item('b', 2), item('c', 3)] }),
      object({ ports: [item('a', 9), item('b', 2), item('d', 4)] }),
      object({ ports: [item('e', 5), item('a', 1), item('b', 8), item('c', 3)] }, '2'),
    );
    expect(conflicts).toEqual([]);
    expect(merged.spec).toEqual({ ports: [item('e', 5), item('a', 9), item('b', 8), item('d', 4)] });
  });

  test('reports a list without names that both have changed as one conflict', () => {
    const { conflicts } = merge(object({ args: ['a'] }), object({ args: ['a', 'b'] }), object({ args: ['c'] }, '2'));
    expect(conflicts.map(({ path }) => path)).toEqual(['spec.args']);
  });

  test('merges labels that both have added to an object without any', () => {
    const base = { metadata: { name: 'a' } };
    const labelled = (labels: Record<string, string>) => ({ metadata: { name: 'a', labels } });
    expect(merge<{ metadata: object }>(base, labelled({ x: '1' }), labelled({ y: '2' })).merged).toEqual(
      labelled({ x: '1', y: '2' }),
    );
  });
});
