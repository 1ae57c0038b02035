/** The state of pods, as workloads count them. */
import { conditionOf, millisecondsOf } from './conditions.js';
import type { Pod } from './types.js';

export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Whether a pod has neither finished nor is being deleted. */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;

export const isReady = ({ status }: Pod): boolean => conditionOf(status?.conditions, 'Ready')?.status === 'True';

/**
 * How long a pod must stay ready until it counts as available, milliseconds; 0 or less for one that is, none for one
 * that is not ready.
 */
export function untilAvailableMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = millisecondsOf(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime);
  return since + minReadySeconds * 1000 - nowMs;
}

/** Those that would be missed least come first: without a node, not running, not ready, and then the youngest. */
export function leastMissedFirst(pods: readonly Pod[]): readonly Pod[] {
  const worth = (pod: Pod): number =>
    ((pod.spec?.nodeName ?? '') === '' ? 0 : 4) + (pod.status?.phase === 'Running' ? 2 : 0) + (isReady(pod) ? 1 : 0);
  const age = ({ metadata }: Pod): number => -millisecondsOf(metadata.creationTimestamp);
  return [...pods].sort((a, b) => worth(a) - worth(b) || age(a) - age(b));
}
