/** The metrics of all processes of a server. */
import { allMetrics, type Metrics, type MetricValues, metricsTogether } from '../../runtime/server/index.js';
import type { Calls } from './calls.js';

/** The metrics that count. They must not decrease when a worker ends. */
const counts = allMetrics.filter(({ type }) => type !== 'gauge');

/** Milliseconds that a scrape waits for a worker. After that it shows the worker's latest values. */
const scrapeMs = 2_000;

/** Returns a function that reads the metrics of this process and of the workers. */
export function defineMetricsOfAll(
  own: Metrics,
  workers: () => readonly Calls[],
): (asFloat: boolean) => Promise<readonly MetricValues[]> {
  /** The latest values of each worker. */
  const last = new Map<Calls, readonly MetricValues[]>();
  /** The counts of workers that have ended. */
  let before: readonly MetricValues[] = [];
  const ask = async (worker: Calls, asFloat: boolean): Promise<void> => {
    const values = await worker.call('metrics', asFloat, scrapeMs).catch(() => undefined);
    if (values !== undefined) last.set(worker, toMetricValues(values));
  };
  return async (asFloat) => {
    const present = workers();
    await Promise.all(present.map((worker) => ask(worker, asFloat)));
    for (const [worker, values] of last) {
      if (present.includes(worker)) continue;
      before = metricsTogether([], [before, values], counts);
      last.delete(worker);
    }
    return metricsTogether(await own.read(asFloat), [before, ...last.values()]);
  };
}

/** Trusts the other process, which runs the same code. */
const isValues = (value: unknown): value is readonly MetricValues[] => Array.isArray(value);

export const toMetricValues = (value: unknown): readonly MetricValues[] => (isValues(value) ? value : []);
