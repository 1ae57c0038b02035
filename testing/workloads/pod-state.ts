/** The state of pods, for the counts of workloads. */
import { conditionOf, millisecondsOf } from './conditions.js';
import type { Pod } from './types.js';

export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Returns whether a pod is neither finished nor being deleted. */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;

export const isReady = ({ status }: Pod): boolean => conditionOf(status?.conditions, 'Ready')?.status === 'True';

/**
 * Returns how long a pod must stay ready until it is available, milliseconds: 0 or less if it is available, `undefined`
 * if it is not ready.
 */
export function untilAvailableMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = millisecondsOf(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime);
  return since + minReadySeconds * 1000 - nowMs;
}

/** Sorts pods for deletion: first those without a node, not running, or not ready, then the youngest. */
export function leastMissedFirst(pods: readonly Pod[]): readonly Pod[] {
  const worth = (pod: Pod): number =>
    ((pod.spec?.nodeName ?? '') === '' ? 0 : 4) + (pod.status?.phase === 'Running' ? 2 : 0) + (isReady(pod) ? 1 : 0);
  const age = ({ metadata }: Pod): number => -millisecondsOf(metadata.creationTimestamp);
  return [...pods].sort((a, b) => worth(a) - worth(b) || age(a) - age(b));
}
