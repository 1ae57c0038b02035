import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '../../../../generator/model/components.js';

const of = (graph: Record<string, readonly string[]>): string[][] =>
  components(Object.keys(graph), (node) => graph[node] ?? []).map((part) => [...part].sort());

describe('components', () => {
  test('dependencies come first', () => {
    expect(of({ a: ['b'], b: ['c'], c: [] })).toEqual([['c'], ['b'], ['a']]);
  });

  test('circles are one part', () => {
    expect(of({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'] })).toEqual([['d'], ['a', 'b', 'c']]);
  });

  test('unknown nodes are ignored', () => {
    expect(of({ a: ['x'] })).toEqual([['a']]);
  });

  test('a long chain needs no stack', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const parts = components(names, (name) => [`n${Number(name.slice(1)) + 1}`]);
    expect(parts).toHaveLength(100_000);
    expect(parts[0]).toEqual(['n99999']);
  });

  test('two nodes share a part exactly if each leads to the other', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const graphs = fc.array(fc.tuple(node, node), { maxLength: 12 });
    fc.assert(
      fc.property(graphs, (edges) => {
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        const next = (from: string): string[] => edges.filter(([start]) => start === from).map(([, end]) => end);
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          next(from).some((each) => each === to || (!seen.has(each) && reaches(each, to, seen.add(each))));
        const parts = components(names, next);
        const part = new Map(parts.flatMap((members, index) => members.map((member) => [member, index] as const)));
        for (const a of names) {
          for (const b of names) {
            const together = a === b || (reaches(a, b) && reaches(b, a));
            expect(part.get(a) === part.get(b)).toBe(together);
            if (!together && reaches(a, b)) expect(part.get(b)).toBeLessThan(part.get(a) ?? -1);
          }
        }
      }),
    );
  });
});
