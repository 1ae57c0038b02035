/** Shows the work of controllers in the metrics of the server. */
import type { KeysInFlight, QueueMetrics, RunningControllers } from '../../controllers/kit/index.js';
import { type Metrics, metricTable } from '../../runtime/server/index.js';

/** Returns the metrics of one controller's queue. */
export function queueMetrics(metrics: Metrics, controller: string): QueueMetrics {
  const table = metricTable.controllers.metrics;
  const number = (metric: Parameters<Metrics['number']>[0]) => metrics.number(metric).with(controller);
  const histogram = (metric: Parameters<Metrics['histogram']>[0]) => metrics.histogram(metric).with(controller);
  const [adds, retries, depth] = [number(table.adds), number(table.retries), number(table.depth)];
  const [queued, worked] = [histogram(table.queued), histogram(table.worked)];
  const [unfinished, longest] = [number(table.unfinished), number(table.longest)];
  // Returns the keys in flight of the newest queue, because a restarted controller has a new one.
  let underWay = (): KeysInFlight => ({ unfinishedSeconds: 0, longestSeconds: 0 });
  metrics.collect(() => {
    const { unfinishedSeconds, longestSeconds } = underWay();
    unfinished.value = unfinishedSeconds;
    longest.value = longestSeconds;
  });
  return {
    added: () => void adds.value++,
    retried: () => void retries.value++,
    depth: (keys) => {
      depth.value = keys;
    },
    queued: (seconds) => queued.observe(seconds),
    worked: (seconds) => worked.observe(seconds),
    observe: (ask) => {
      underWay = ask;
    },
  };
}

/** Shows the states of controllers, if this process is the leader. */
export function showStates(metrics: Metrics, running: RunningControllers): void {
  const series = metrics.number(metricTable.controllers.metrics.running);
  metrics.collect(() => {
    series.clear();
    for (const [name, state] of running.states) series.with(name).value = state === 'running' ? 1 : 0;
  });
}

/** Counts a problem of a controller. */
export function countControllerProblem(metrics: Metrics, controller: string): void {
  metrics.number(metricTable.controllers.metrics.problems).with(controller).value++;
}
