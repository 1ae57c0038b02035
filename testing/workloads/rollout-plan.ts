/** Plans the next size of each replica set of a deployment, so that there are never too many or too few pods. */
import type { IntOrPercent } from './types.js';

/** A replica set during a rollout. */
export interface RollingSet {
  readonly name: string;
  /** The size of the set. */
  readonly replicas: number;
  /** The number of available pods. */
  readonly available: number;
}

export interface Rollout {
  /** The size of the deployment. */
  readonly replicas: number;
  /** How many more pods may exist during the rollout. */
  readonly maxSurge: number;
  /** How many fewer pods may be available during the rollout. */
  readonly maxUnavailable: number;
  readonly newSet: RollingSet;
  /** Oldest first. */
  readonly oldSets: readonly RollingSet[];
}

/** Returns the next sizes of the sets that change, by name; empty while the rollout waits, or when it is done. */
export function nextSizes(rollout: Rollout): ReadonlyMap<string, number> {
  const { newSet } = rollout;
  const grown = newSize(rollout);
  return grown === newSet.replicas ? oldSizes(rollout) : new Map([[newSet.name, grown]]);
}

const sizeOf = (sets: readonly RollingSet[]): number => sets.reduce((sum, { replicas }) => sum + replicas, 0);

/** Returns the size of the new set: it takes the room that is left. */
export function newSize({ replicas, maxSurge, newSet, oldSets }: Rollout): number {
  if (newSet.replicas >= replicas) return replicas;
  const room = replicas + maxSurge - sizeOf([newSet, ...oldSets]);
  return newSet.replicas + Math.max(0, Math.min(room, replicas - newSet.replicas));
}

/**
 * Returns the sizes of the old sets. They first lose pods that are not available, and then as many others as allowed.
 */
function oldSizes({ replicas, maxUnavailable, newSet, oldSets }: Rollout): ReadonlyMap<string, number> {
  const needed = replicas - maxUnavailable;
  const isMissing = newSet.replicas - newSet.available;
  const removable = sizeOf([newSet, ...oldSets]) - needed - isMissing;
  const sizes = new Map(oldSets.map(({ name, replicas }) => [name, replicas]));
  let left = Math.max(0, removable);
  const take = (set: RollingSet, most: number): void => {
    const taken = Math.max(0, Math.min(most, left));
    sizes.set(set.name, (sizes.get(set.name) ?? 0) - taken);
    left -= taken;
  };
  for (const set of oldSets) take(set, set.replicas - set.available);
  const available = [newSet, ...oldSets].reduce((sum, set) => sum + set.available, 0);
  left = Math.min(left, Math.max(0, available - needed));
  for (const set of oldSets) take(set, sizes.get(set.name) ?? 0);
  return new Map(
    oldSets.flatMap(({ name, replicas }) => {
      const size = sizes.get(name) ?? replicas;
      return size === replicas ? [] : [[name, size] as const];
    }),
  );
}

/** Returns the bounds of a rolling update as numbers of pods. If both round to zero, one pod may be unavailable. */
export function boundsOf(
  replicas: number,
  { maxSurge = '25%', maxUnavailable = '25%' }: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent } = {},
): Pick<Rollout, 'maxSurge' | 'maxUnavailable'> {
  const surge = countOf(maxSurge, replicas, Math.ceil);
  const unavailable = countOf(maxUnavailable, replicas, Math.floor);
  return { maxSurge: surge, maxUnavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas) };
}

const countOf = (value: IntOrPercent, of: number, round: (value: number) => number): number =>
  typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
