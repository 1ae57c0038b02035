import { describe, expect, it } from 'vitest';
import { boundsOf, nextSizes, type RollingSet } from '../../../../testing/workloads/rollout-plan.js';

const set = (name: string, replicas: number, available = replicas): RollingSet => ({ name, replicas, available });

describe('bounds', () => {
  it('round the surplus up, and the unavailable number down', () => {
    expect(boundsOf(10)).toEqual({ maxSurge: 3, maxUnavailable: 2 });
    expect(boundsOf(3, { maxSurge: '50%', maxUnavailable: '50%' })).toEqual({ maxSurge: 2, maxUnavailable: 1 });
    expect(boundsOf(3, { maxSurge: 1, maxUnavailable: 0 })).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  it('leave one pod to be replaced', () => {
    expect(boundsOf(3, { maxSurge: 0, maxUnavailable: '10%' })).toEqual({ maxSurge: 0, maxUnavailable: 1 });
    expect(boundsOf(0, { maxSurge: 0, maxUnavailable: '10%' })).toEqual({ maxSurge: 0, maxUnavailable: 0 });
  });
});

describe('the next sizes', () => {
  const rollout = { replicas: 4, maxSurge: 1, maxUnavailable: 1 };
  const next = (newSet: RollingSet, ...oldSets: RollingSet[]) =>
    Object.fromEntries(nextSizes({ ...rollout, newSet, oldSets }));

  it('give the new set all available room', () => {
    expect(next(set('new', 0), set('old', 4))).toEqual({ new: 1 });
    expect(next(set('new', 0))).toEqual({ new: 4 });
    expect(next(set('new', 6))).toEqual({ new: 4 });
  });

  it('remove pods from old sets if possible, oldest first', () => {
    expect(next(set('new', 1, 0), set('old', 4))).toEqual({ old: 3 });
    expect(next(set('new', 2), set('older', 1), set('old', 2))).toEqual({ older: 0, old: 1 });
    expect(next(set('new', 2, 0), set('old', 3))).toEqual({});
  });

  it('remove useless pods first', () => {
    expect(next(set('new', 1, 0), set('older', 2), set('old', 2, 1))).toEqual({ old: 1 });
    expect(next(set('new', 1, 0), set('old', 4, 0))).toEqual({ old: 3 });
  });
});

it('never has more or fewer pods than the limits allow, and ends, whichever pods become available when', () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 16807) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const replicas = random(12);
    const bounds = boundsOf(replicas, { maxSurge: random(4), maxUnavailable: random(4) });
    let sets = [set('new', 0), set('a', random(replicas + 1)), set('b', 0)];
    sets = [sets[0] ?? set('', 0), sets[1] ?? set('', 0), set('b', replicas - (sets[1]?.replicas ?? 0))];
    let steps = 0;
    for (; steps < 300; steps++) {
      const [newSet = set('', 0), ...oldSets] = sets;
      const sizes = nextSizes({ replicas, ...bounds, newSet, oldSets });
      sets = sets.map(({ name, replicas, available }) => {
        const size = sizes.get(name) ?? replicas;
        return set(name, size, Math.min(size, available));
      });
      const sum = (of: (one: RollingSet) => number) => sets.reduce((total, one) => total + of(one), 0);
      expect(sum((one) => one.replicas)).toBeLessThanOrEqual(replicas + bounds.maxSurge);
      expect(sum((one) => one.available)).toBeGreaterThanOrEqual(replicas - bounds.maxUnavailable);
      if (sizes.size === 0 && sets.every((one) => one.available === one.replicas)) break;
      sets = sets.map((one) => set(one.name, one.replicas, one.available + random(one.replicas - one.available + 1)));
    }
    expect(sets.map((one) => one.replicas)).toEqual([replicas, 0, 0]);
  }
});
