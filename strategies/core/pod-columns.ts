/** The columns of pods in tables. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { ContainerStateTerminated, ContainerStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject } from '../../runtime/contract/index.js';
import { humanDuration } from '../../runtime/objects/scan/time.js';

type Statuses = readonly Draft<ContainerStatus>[];

/** A summary of a pod's containers. */
interface Summary {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** The time of the last restart of a container, in milliseconds since 1970; `undefined` if there was none. */
  readonly restarted: number | undefined;
}

/** Prints the ready containers as in `1/2`. */
export function readyText(pod: DraftObject<Pod>): string {
  return `${summarize(pod).ready}/${pod.spec?.containers?.length ?? 0}`;
}

const restartsOf = (containers: Statuses): number =>
  containers.reduce((total, { restartCount = 0 }) => total + restartCount, 0);

/** Returns when the latest earlier run of a container ended. */
function lastEnd(containers: Statuses): number | undefined {
  const times = containers
    .map(({ lastState }) => Date.parse(lastState?.terminated?.finishedAt ?? ''))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Returns why a container ended, as one word. */
function endOf({ reason, signal, exitCode = 0 }: Draft<ContainerStateTerminated>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function startReason({ status }: DraftObject<Pod>): string {
  const { conditions = [], reason, phase = '' } = status ?? {};
  const isGated = conditions.some((each) => each.type === 'PodScheduled' && each.reason === 'SchedulingGated');
  return isGated ? 'SchedulingGated' : reason || phase;
}

/** Returns why the first unfinished init container has not succeeded, and the containers up to it. */
function initialization({ spec, status }: DraftObject<Pod>): { reason: string; begun: Statuses } | undefined {
  const statuses = status?.initContainerStatuses ?? [];
  for (const [i, { state }] of statuses.entries()) {
    const { terminated, waiting } = state ?? {};
    if (terminated && !terminated.exitCode) continue;
    const begun = statuses.slice(0, i + 1);
    if (terminated) return { reason: `Init:${endOf(terminated)}`, begun };
    if (waiting?.reason && waiting.reason !== 'PodInitializing') return { reason: `Init:${waiting.reason}`, begun };
    return { reason: `Init:${i}/${spec?.initContainers?.length ?? 0}`, begun };
  }
  return undefined;
}

function summarize(pod: DraftObject<Pod>): Summary {
  const init = initialization(pod);
  if (init) return { reason: init.reason, ready: 0, restarts: restartsOf(init.begun), restarted: lastEnd(init.begun) };
  const containers = pod.status?.containerStatuses ?? [];
  const running = containers.filter(({ ready, state }) => ready && state?.running);
  return {
    reason: runReason(pod, containers, running.length > 0),
    ready: running.length,
    restarts: restartsOf(containers),
    restarted: lastEnd(containers),
  };
}

/** Returns why the first container that does not run has stopped, or else the pod's reason. */
function runReason(pod: DraftObject<Pod>, containers: Statuses, someRun: boolean): string {
  let reason = startReason(pod);
  for (const { state } of [...containers].reverse()) {
    if (state?.waiting?.reason) reason = state.waiting.reason;
    else if (state?.terminated) reason = endOf(state.terminated);
  }
  if (reason !== 'Completed' || !someRun) return reason;
  const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return isReady ? 'Running' : 'NotReady';
}

/** Prints the status as in `Running`, `Completed`, `CrashLoopBackOff`, `Init:0/2` or `Terminating`. */
export function statusText(pod: DraftObject<Pod>): string {
  if (pod.metadata.deletionTimestamp === undefined) return summarize(pod).reason;
  return pod.status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
}

/** Prints restarts as in `3 (5m ago)`. */
export function restartsText(pod: DraftObject<Pod>, now: number): string {
  const { restarts, restarted } = summarize(pod);
  if (restarts === 0 || restarted === undefined) return String(restarts);
  return `${restarts} (${humanDuration(now - restarted)} ago)`;
}

/** Prints the passed readiness gates as in `1/2`; `<none>` without gates. */
export function gatesText({ spec, status }: DraftObject<Pod>): string {
  const { readinessGates: gates = [] } = spec ?? {};
  if (gates.length === 0) return '<none>';
  const conditionOf = (wanted = '') => status?.conditions?.find(({ type = '' }) => type === wanted);
  const open = gates.filter(({ conditionType }) => conditionOf(conditionType)?.status === 'True');
  return `${open.length}/${gates.length}`;
}

/** Returns the first address of a pod; empty without one. */
export function podAddress({ status }: DraftObject<Pod>): string {
  const { podIP = '', podIPs: [first] = [] } = status ?? {};
  return first ? (first.ip ?? '') : podIP;
}
