/** Metrics of the process and of Node, read by the metrics library. */
import { readFileSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { printNumber, type Sample } from './metric.js';
import type { Metrics } from './metrics.js';
import { metricTable } from './table.js';

let registry: Registry | undefined;

/**
 * Fills in the metrics when they are shown. The library starts to watch the event loop and the garbage collector with
 * the first scrape, once per process. So servers without scrapes do not pay for it.
 */
export function watchProcess(metrics: Metrics): void {
  let read: ReadonlyMap<string, readonly Sample[]> = new Map();
  metrics.collect(async () => {
    read = await readAll();
  });
  for (const metric of Object.values(metricTable.process.metrics)) {
    metrics.sample(metric, (asFloat) => (read.get(metric.name) ?? []).map((sample) => withBound(sample, asFloat)));
  }
}

async function readAll(): Promise<ReadonlyMap<string, readonly Sample[]>> {
  if (!registry) {
    const { collectDefaultMetrics, Registry } = await import('prom-client');
    registry = new Registry();
    const { buckets } = metricTable.process.metrics.gc;
    collectDefaultMetrics({ register: registry, gcDurationBuckets: [...buckets] });
  }
  const found = await registry.getMetricsAsJSON();
  const limit = virtualMemoryLimit();
  return new Map([
    ...found.map(({ name, values }): [string, readonly Sample[]] => [
      name,
      // At first, the library has no figure about the event loop.
      values.map(toSample).filter(({ value }) => !Number.isNaN(value)),
    ]),
    ...(limit === undefined
      ? []
      : [[metricTable.process.metrics.virtualMax.name, [{ labels: {}, value: limit }]] as const]),
  ]);
}

function toSample(value: {
  readonly value: number;
  readonly labels: Partial<Record<string, string | number>>;
  readonly metricName?: string;
}): Sample {
  const labels = Object.fromEntries(Object.entries(value.labels).map(([name, text]) => [name, String(text)]));
  return { labels, value: value.value, ...(value.metricName === undefined ? {} : { name: value.metricName }) };
}

function withBound(sample: Sample, asFloat: boolean): Sample {
  const { le, ...labels } = sample.labels;
  if (le === undefined) return sample;
  return {
    ...sample,
    labels: { ...labels, le: printNumber(le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), asFloat) },
  };
}

/** Returns bytes: the largest 64-bit number without a limit, `undefined` if the system does not report it. */
function virtualMemoryLimit(): number | undefined {
  try {
    const [, limit] = /^Max address space\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' ? 2 ** 64 : Number(limit);
  } catch {
    return undefined;
  }
}
