/** The status of a deployment: its counts, whether enough pods are available, and the progress of its rollout. */
import { putCondition } from '../../client/conditions.js';
import { conditionOf, millisecondsOf, timeOf } from './conditions.js';
import type { Sets } from './revisions.js';
import { boundsOf } from './rollout-plan.js';
import type { Condition, Deployment, DeploymentStatus, ReplicaSet } from './types.js';
import type { Work } from './work.js';

/** The counts in a status. */
type Counts = Required<
  Pick<DeploymentStatus, 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'>
> & { readonly unavailableReplicas: number };

/** A progress deadline that means no limit, seconds. */
const unlimited = 2 ** 31 - 1;

export function deploymentStatus(
  deployment: Deployment,
  sets: Sets,
  work: Work,
): { readonly status: DeploymentStatus; readonly isComplete: boolean } {
  const { metadata, spec = {}, status: before = {} } = deployment;
  const counts = countsOf(sets);
  const replicas = spec.replicas ?? 1;
  const isComplete =
    counts.updatedReplicas === replicas && counts.replicas === replicas && counts.availableReplicas >= replicas;
  const now = timeOf(work.clock);
  const available = availability(deployment, counts.availableReplicas);
  const conditions = putCondition(before.conditions, updated(before.conditions, available, now), now);
  const progress = progressOf(deployment, counts, isComplete, sets, work);
  const status: DeploymentStatus = {
    observedGeneration: metadata.generation ?? 0,
    ...counts,
    ...(before.collisionCount !== undefined && { collisionCount: before.collisionCount }),
    conditions: progress ? putCondition(conditions, progress, now) : conditions,
  };
  return { status, isComplete };
}

function countsOf({ newSet, oldSets }: Sets): Counts {
  const all = [...oldSets, ...(newSet ? [newSet] : [])];
  const sum = (of: (set: ReplicaSet) => number | undefined): number =>
    all.reduce((total, set) => total + (of(set) ?? 0), 0);
  const availableReplicas = sum(({ status }) => status?.availableReplicas);
  return {
    replicas: sum(({ status }) => status?.replicas),
    updatedReplicas: newSet?.status?.replicas ?? 0,
    readyReplicas: sum(({ status }) => status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(({ spec }) => spec?.replicas ?? 1) - availableReplicas),
  };
}

/** Returns a condition with the time of its last update. */
function updated(before: readonly Condition[] | undefined, condition: Condition, now: string): Condition {
  const found = conditionOf(before, condition.type);
  const isSame = found?.status === condition.status && found.reason === condition.reason;
  return { ...condition, lastUpdateTime: isSame ? (found.lastUpdateTime ?? now) : now };
}

function availability({ spec = {} }: Deployment, available: number): Condition {
  const replicas = spec.replicas ?? 1;
  const { maxUnavailable } = boundsOf(replicas, spec.strategy?.rollingUpdate);
  const needed = spec.strategy?.type === 'Recreate' ? replicas : replicas - maxUnavailable;
  return available >= needed
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

/** Returns the progress of the rollout; `undefined` if it has not changed. */
function progressOf(
  deployment: Deployment,
  counts: Counts,
  isComplete: boolean,
  { newSet }: Sets,
  { clock, again }: Work,
): Condition | undefined {
  const { spec = {}, status: before = {} } = deployment;
  const now = timeOf(clock);
  const found = conditionOf(before.conditions, 'Progressing');
  const say = (status: string, reason: string, message: string): Condition =>
    updated(before.conditions, { type: 'Progressing', status, reason, message }, now);
  if (spec.paused === true) return say('Unknown', 'DeploymentPaused', 'Deployment is paused');
  const name = newSet?.metadata.name ?? '';
  const what = `ReplicaSet "${name}"`;
  if (isComplete) return say('True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`);
  const isNew = newSet !== undefined && !found?.message?.includes(`"${name}"`);
  if (isNew)
    return { ...say('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`), lastUpdateTime: now };
  if (hasMoved(before, counts)) {
    return { ...say('True', 'ReplicaSetUpdated', `${what} is progressing.`), lastUpdateTime: now };
  }
  if (found?.reason === 'DeploymentPaused') return say('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  const deadline = spec.progressDeadlineSeconds ?? 600;
  if (found === undefined || found.status === 'False' || deadline >= unlimited) return undefined;
  // A rollout that was complete, such as before scaling, gets the full deadline again.
  if (found.reason === 'NewReplicaSetAvailable') return undefined;
  const left = millisecondsOf(found.lastUpdateTime) + deadline * 1000 - clock.wallMs();
  if (left <= 0) return say('False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`);
  again(left);
  return undefined;
}

/** Returns whether more pods are new, ready or available than before, or fewer are old. */
const hasMoved = (before: DeploymentStatus, after: Counts): boolean =>
  after.updatedReplicas > (before.updatedReplicas ?? 0) ||
  after.replicas - after.updatedReplicas < (before.replicas ?? 0) - (before.updatedReplicas ?? 0) ||
  after.readyReplicas > (before.readyReplicas ?? 0) ||
  after.availableReplicas > (before.availableReplicas ?? 0);
