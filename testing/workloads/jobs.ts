/** Runs pods until enough of them have succeeded for the job, or too many have failed. */
import { putCondition } from '../../client/conditions.js';
import { createResourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { conditionOf, millisecondsOf, timeOf } from './conditions.js';
import { isActive, isReady, leastMissedFirst } from './pod-state.js';
import { alike, deletePods, makePods, type PodPlan, podsOf } from './pods-of.js';
import { jobs } from './resources.js';
import type { Condition, Job, JobStatus, Pod, PodSpec, PodTemplate } from './types.js';
import { type Reconcile, type Work, writeStatus } from './work.js';

/** The pods of a job. */
interface Counted {
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  /** Present if each pod has an index. */
  readonly indexes?: Indexes;
}

export const reconcileJob: Reconcile = async (work) => {
  const beside = createResourceClient(jobs, work.client).in(work.namespace);
  const job = await beside.get(work.name, { signal: work.signal }).catch(ignoreNotFound);
  if (job === undefined || job.metadata.deletionTimestamp !== undefined || hasEnded(job)) return;
  const counted = count(job, await podsOf(job, work), work);
  const end = endOf(job, counted, work.clock.wallMs());
  const change = end === undefined && job.spec?.suspend !== true ? missing(job, counted) : -counted.active.length;
  if (change > 0) await makePods(job, plansFor(job, change, counted, work), work);
  if (change < 0) await deletePods(leastMissedFirst(counted.active).slice(0, -change), work);
  const status = statusOf(job, counted, end, work);
  await writeStatus(beside.subresource('status'), job, status, work);
  const deadline = deadlineOf(job, status.startTime);
  if (end === undefined && deadline !== undefined) work.again(Math.max(deadline - work.clock.wallMs(), 0));
};

const hasEnded = ({ status }: Job): boolean =>
  ['Complete', 'Failed'].some((type) => conditionOf(status?.conditions, type)?.status === 'True');

function count(job: Job, pods: readonly Pod[], { rename }: Work): Counted {
  const active = pods.filter(isActive);
  const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded');
  const failed = pods.filter(({ status }) => status?.phase === 'Failed').length;
  if (job.spec?.completionMode !== 'Indexed') return { active, succeeded: succeeded.length, failed };
  const indexes = indexesOf(job, active, succeeded, rename(indexAnnotation));
  return { active, succeeded: indexes.completed.length, failed, indexes };
}

function plansFor(job: Job, count: number, { indexes }: Counted, { rename }: Work): readonly PodPlan[] {
  if (indexes === undefined) return alike(job, count);
  return indexes.free.slice(0, count).map((index) => ({
    prefix: `${job.metadata.name}-${index}-`,
    template: indexedTemplate(job, index, rename(indexAnnotation)),
  }));
}

/** Returns how many more pods to run. A job without a number of completions starts none once one has succeeded. */
function missing({ spec = {} }: Job, { active, succeeded }: Counted): number {
  const { parallelism = 1, completions } = spec;
  if (completions === undefined) return succeeded > 0 ? 0 : parallelism - active.length;
  return Math.min(parallelism, completions - succeeded) - active.length;
}

const deadlineOf = ({ spec }: Job, startTime: string | undefined): number | undefined =>
  spec?.activeDeadlineSeconds === undefined || startTime === undefined
    ? undefined
    : millisecondsOf(startTime) + spec.activeDeadlineSeconds * 1000;

/** Returns the condition that ends a job; `undefined` while it goes on. */
export function endOf(job: Job, { active, succeeded, failed }: Counted, nowMs: number): Condition | undefined {
  const { backoffLimit = 6, completions, suspend } = job.spec ?? {};
  const failure = { type: 'Failed', status: 'True' };
  if (failed > backoffLimit) {
    const message = 'Job has reached the specified backoff limit';
    return { ...failure, reason: 'BackoffLimitExceeded', message };
  }
  const deadline = suspend === true ? undefined : deadlineOf(job, job.status?.startTime);
  if (deadline !== undefined && deadline <= nowMs) {
    return { ...failure, reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  const isDone = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  return isDone ? { type: 'Complete', status: 'True' } : undefined;
}

function statusOf(job: Job, counted: Counted, end: Condition | undefined, work: Work): JobStatus {
  const { active, succeeded, failed, indexes } = counted;
  const now = timeOf(work.clock);
  const isSuspended = job.spec?.suspend === true;
  const { startTime, conditions } = job.status ?? {};
  const isIdle = end !== undefined || isSuspended;
  const running = isIdle ? [] : active;
  const told = end ? putCondition(conditions, { ...end, lastProbeTime: now }, now) : suspension(job, now);
  const started = isSuspended ? undefined : (startTime ?? now);
  return {
    ...(running.length > 0 && { active: running.length }),
    ready: running.filter(isReady).length,
    ...(succeeded > 0 && { succeeded }),
    ...(indexes && succeeded > 0 && { completedIndexes: rangesText(indexes.completed) }),
    ...(failed > 0 && { failed }),
    ...(started !== undefined && { startTime: started }),
    ...(end?.type === 'Complete' && { completionTime: now }),
    ...(told.length > 0 && { conditions: told }),
  };
}

/** Returns the condition of a suspended job, or of one that was resumed. */
function suspension({ spec, status }: Job, now: string): Condition[] {
  const conditions = status?.conditions ?? [];
  const type = 'Suspended';
  if (spec?.suspend === true) {
    return putCondition(conditions, { type, status: 'True', reason: 'JobSuspended', message: 'Job suspended' }, now);
  }
  if (conditionOf(conditions, type) === undefined) return conditions;
  return putCondition(conditions, { type, status: 'False', reason: 'JobResumed', message: 'Job resumed' }, now);
}

/** Annotation of a pod with an index. */
const indexAnnotation = 'batch.platform.io/job-completion-index';

interface Indexes {
  /** Indexes with a succeeded pod, in order. */
  readonly completed: readonly number[];
  /** Indexes without a pod that runs or has succeeded, in order. */
  readonly free: readonly number[];
}

/** Returns the indexes of a job. `annotation` is the served name of the index's annotation. */
export function indexesOf(
  { spec = {} }: Job,
  active: readonly Pod[],
  succeeded: readonly Pod[],
  annotation: string,
): Indexes {
  const indexOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[annotation] ?? -1);
  const done = new Set(succeeded.map(indexOf));
  const taken = new Set([...done, ...active.map(indexOf)]);
  const all = Array.from({ length: spec.completions ?? 0 }, (_, index) => index);
  return { completed: all.filter((index) => done.has(index)), free: all.filter((index) => !taken.has(index)) };
}

/** Returns numbers in order as text: `0-2,5`. */
export function rangesText(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** Returns the template of the pod for an index. Its containers find the index in their environment. */
export function indexedTemplate({ metadata, spec = {} }: Job, index: number, annotation: string): PodTemplate {
  const { metadata: given = {}, spec: pod = {} } = spec.template ?? {};
  const variable = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${annotation}']` } },
  };
  const withIndex = (containers: NonNullable<PodSpec['containers']>) =>
    containers.map((each) => ({ ...each, env: [...(each.env ?? []), variable] }));
  return {
    metadata: { ...given, annotations: { ...given.annotations, [annotation]: String(index) } },
    spec: {
      ...pod,
      hostname: `${metadata.name}-${index}`,
      containers: withIndex(pod.containers ?? []),
      ...(pod.initContainers && { initContainers: withIndex(pod.initContainers) }),
    },
  };
}
