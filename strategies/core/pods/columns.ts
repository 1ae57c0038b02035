/** How a table shows what a pod is doing. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { humanDuration } from '../../../runtime/objects/time/human-duration.js';
import { hasAt, integerAt, isTrueAt, objectsAt } from '../../shared/reading.js';

/** What is counted and told of the containers of a pod. */
interface Summary {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** When a container was last restarted, in milliseconds since the epoch; absent if none was. */
  readonly restarted: number | undefined;
}

const stateOf = (container: JsonObject, kind: string, of = 'state'): JsonObject | undefined =>
  objectAt(objectAt(container, of), kind);

const sum = (containers: readonly JsonObject[]): number =>
  containers.reduce((total, container) => total + Number(integerAt(container, 'restartCount') ?? 0), 0);

/** When the latest of the former runs of containers ended. */
function lastEnd(containers: readonly JsonObject[]): number | undefined {
  const times = containers
    .map((container) => Date.parse(stringAt(stateOf(container, 'terminated', 'lastState'), 'finishedAt')))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Why a container ended, as one word. */
function endOf(terminated: JsonObject): string {
  const reason = stringAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = integerAt(terminated, 'signal') ?? 0;
  return signal === 0 || signal === 0n ? `ExitCode:${integerAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
}

function startReason(pod: ApiObject): string {
  const status = objectAt(pod, 'status');
  const gated = objectsAt(status, 'conditions').some(
    (condition) =>
      stringAt(condition, 'type') === 'PodScheduled' && stringAt(condition, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : stringAt(status, 'reason') || stringAt(status, 'phase');
}

/** Of the containers that go before the others, the first that has not done its work. */
function initialization(pod: ApiObject): { readonly reason: string; readonly done: readonly JsonObject[] } | undefined {
  const statuses = objectsAt(objectAt(pod, 'status'), 'initContainerStatuses');
  for (const [i, container] of statuses.entries()) {
    const terminated = stateOf(container, 'terminated');
    const code = integerAt(terminated, 'exitCode') ?? 0;
    if (terminated && (code === 0 || code === 0n)) continue;
    const done = statuses.slice(0, i + 1);
    if (terminated) return { reason: `Init:${endOf(terminated)}`, done };
    const waiting = stringAt(stateOf(container, 'waiting'), 'reason');
    if (waiting !== '' && waiting !== 'PodInitializing') return { reason: `Init:${waiting}`, done };
    return { reason: `Init:${i}/${objectsAt(objectAt(pod, 'spec'), 'initContainers').length}`, done };
  }
  return undefined;
}

function summarize(pod: ApiObject): Summary {
  const init = initialization(pod);
  if (init) return { reason: init.reason, ready: 0, restarts: sum(init.done), restarted: lastEnd(init.done) };
  const containers = objectsAt(objectAt(pod, 'status'), 'containerStatuses');
  const running = containers.filter((container) => isTrueAt(container, 'ready') && stateOf(container, 'running'));
  return {
    reason: runReason(pod, containers, running.length > 0),
    ready: running.length,
    restarts: sum(containers),
    restarted: lastEnd(containers),
  };
}

/** What the first container that does not run says, or else what the pod says. */
function runReason(pod: ApiObject, containers: readonly JsonObject[], someRun: boolean): string {
  let reason = startReason(pod);
  for (const container of [...containers].reverse()) {
    const waiting = stringAt(stateOf(container, 'waiting'), 'reason');
    const terminated = stateOf(container, 'terminated');
    if (waiting !== '') reason = waiting;
    else if (terminated) reason = endOf(terminated);
  }
  if (reason !== 'Completed' || !someRun) return reason;
  const ready = objectsAt(objectAt(pod, 'status'), 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') === 'True',
  );
  return ready ? 'Running' : 'NotReady';
}

/** As in `Running`, `Completed`, `CrashLoopBackOff`, `Init:0/2` and `Terminating`. */
function statusText(pod: ApiObject): string {
  if (!hasAt(pod.metadata, 'deletionTimestamp')) return summarize(pod).reason;
  return stringAt(objectAt(pod, 'status'), 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
}

function restartsText(pod: ApiObject, now: number): string {
  const { restarts, restarted } = summarize(pod);
  return restarts === 0 || restarted === undefined
    ? `${restarts}`
    : `${restarts} (${humanDuration(now - restarted)} ago)`;
}

function gatesText(pod: ApiObject): string {
  const gates = objectsAt(objectAt(pod, 'spec'), 'readinessGates').map((gate) => stringAt(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  const conditions = objectsAt(objectAt(pod, 'status'), 'conditions');
  const open = gates.filter((gate) => {
    const condition = conditions.find((one) => stringAt(one, 'type') === gate);
    return stringAt(condition, 'status') === 'True';
  });
  return `${open.length}/${gates.length}`;
}

function addressText(pod: ApiObject): string {
  const status = objectAt(pod, 'status');
  const [first] = objectsAt(status, 'podIPs');
  return (first ? stringAt(first, 'ip') : stringAt(status, 'podIP')) || '<none>';
}

type Cell = (pod: ApiObject, now: number) => string;

const cells: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['Ready', (pod) => `${summarize(pod).ready}/${objectsAt(objectAt(pod, 'spec'), 'containers').length}`],
  ['Status', statusText],
  ['Restarts', restartsText],
  ['IP', addressText],
  ['Node', (pod) => stringAt(objectAt(pod, 'spec'), 'nodeName') || '<none>'],
  ['Nominated Node', (pod) => stringAt(objectAt(pod, 'status'), 'nominatedNodeName') || '<none>'],
  ['Readiness Gates', gatesText],
]);

/** The cell of a column, where the pod's own fields do not say it as it is shown. */
export const podCell = (pod: ApiObject, column: string, now: number): string | undefined =>
  cells.get(column)?.(pod, now);
